import { drillWords } from '../../../contract/emergencies.ts';
import { languages } from '../../../contract/reference/languages.ts';
import { inLanguage } from '../../in-language.ts';

/** Words that Muster itself adds to an emergency, in the language of the user who starts it. */
export function emergencyLabels(languageId: number) {
  const say = inLanguage(languageId);
  return {
    emergency: say('Emergency'),
    drill: say('Drill'),
    ownMessage: say('Own message'),
    drillWords: say(drillWords),
  };
}

/** A drill's text in every language that somebody may have started it in: it is the same drill. */
export function inEveryLanguage(body: string, languageId: number): string[] {
  const begins = `${emergencyLabels(languageId).drillWords} `;
  if (!body.startsWith(begins)) return [body];
  const rest = body.slice(begins.length);
  return languages.map(({ id }) => `${emergencyLabels(id).drillWords} ${rest}`);
}
