import { lettersOf } from './letters-of.ts';

/** The labels of a text survey's automatic replies. */
export type SurveyAnswer = 'Yes' | 'No';

const LONGEST = 80;

const answers = new Map<string, SurveyAnswer>();
for (const word of ['yes', 'y', 'yeah', 'yep', 'yup', 'ya', 'yess', 'sure', 'si', 'sí', 'oui', 'ja', '👍']) {
  answers.set(word, 'Yes');
}
for (const word of ['no', 'n', 'nope', 'nah', 'noo', 'non', 'nein', '👎']) answers.set(word, 'No');

/** Words with an answer that don't change it: "yes please", "no thank you". */
const courtesies = ['please', 'thanks', 'thankyou', 'thx', 'maam', 'sir', 'gracias', 'merci'];

/** Words with an answer that replaces another, or corrects one in the same message: "No, changed my mind". */
const corrections =
  /\b(?:(?:i |ive |have |has |had )*(?:just )?changed? (?:my|our) (?:mind|answer|vote|reply)(?: to)?|change of (?:mind|plans)|change (?:it )?to|on second thought|scratch that|make (?:that|it)(?: an?)?|i mean[t]?|after all|actually|sorry|oops|wait|instead|now)\b/g;

/**
 * The answer given by a whole message, whatever its case and punctuation; a longer sentence doesn't count.
 */
export function recognizeSurveyAnswer(text: string): SurveyAnswer | undefined {
  if (text.length > LONGEST) return undefined;
  const thumb = /^\s*([👍👎])\p{Emoji_Modifier}?\s*$/u.exec(text)?.[1];
  if (thumb !== undefined) return answers.get(thumb);
  let letters = lettersOf(text.replace(/['’]/g, ''));
  for (const courtesy of courtesies) {
    if (letters.endsWith(courtesy)) letters = letters.slice(0, -courtesy.length);
  }
  return answers.get(letters) ?? correctedAnswer(text);
}

/** Nothing but answers, courtesies and a correction: the last answer counts. Two answers without a correction don't. */
function correctedAnswer(text: string): SurveyAnswer | undefined {
  const said = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  const bare = said.replace(corrections, ' ');
  if (bare === said) return undefined;
  const words = bare
    .replace(/\bthank you\b/g, ' ')
    .split(' ')
    .filter((word) => word !== '' && !courtesies.includes(word));
  return words.every((word) => answers.has(word)) ? answers.get(words.at(-1) ?? '') : undefined;
}
