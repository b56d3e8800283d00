import { lettersOf } from './letters-of.ts';

/** The labels of a text survey's automatic replies. */
export type SurveyAnswer = 'Yes' | 'No';

const LONGEST = 60;

const answers = new Map<string, SurveyAnswer>();
for (const word of ['yes', 'y', 'yeah', 'yep', 'yup', 'ya', 'yess', 'sure', 'si', 'sí', 'oui', 'ja', '👍']) {
  answers.set(word, 'Yes');
}
for (const word of ['no', 'n', 'nope', 'nah', 'noo', 'non', 'nein', '👎']) answers.set(word, 'No');

/** Said with an answer without changing it: "yes please", "no thank you". */
const courtesies = ['please', 'thanks', 'thankyou', 'thx', 'maam', 'sir', 'gracias', 'merci'];

/** The answer that a whole message is, whatever its case and punctuation; a longer sentence is not counted. */
export function recogniseSurveyAnswer(text: string): SurveyAnswer | undefined {
  if (text.length > LONGEST) return undefined;
  const thumb = /^\s*([👍👎])\p{Emoji_Modifier}?\s*$/u.exec(text)?.[1];
  if (thumb !== undefined) return answers.get(thumb);
  let letters = lettersOf(text.replace(/['’]/g, ''));
  for (const courtesy of courtesies) {
    if (letters.endsWith(courtesy)) letters = letters.slice(0, -courtesy.length);
  }
  return answers.get(letters);
}
