import { drillWords } from '../../../contract/emergencies.ts';
import { inLanguage } from '../../in-language.ts';

/** Words that Muster itself adds to an emergency, in the language of the user who starts it. */
export function emergencyLabels(languageId: number) {
  const say = inLanguage(languageId);
  return {
    emergency: say('Emergency'),
    drill: say('Drill'),
    ownMessage: say('Own message'),
    drillWords: say(drillWords),
    team: say('Your team'),
  };
}
