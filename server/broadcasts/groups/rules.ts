import { type FixedGroupKey, wordsOfKey } from '../../../contract/reply-groups.ts';
import { isCourtesy, plainWords } from '../../../contract/text/courtesy.ts';
import { recognizeSurveyAnswer } from '../../../contract/text/survey-answer.ts';

/** The classification of a text without comparing it with others: its language, and its meaning. */
export type Language = 'english' | 'spanish' | 'other';

export interface Sorted {
  /** Every fixed group that the text belongs to, the one it is put into first. */
  kinds: [FixedGroupKey, ...FixedGroupKey[]];
  /**
   * The topic of a question, as terms that can be compared; empty for anything but a question in the
   * organization's language.
   */
  terms: Term[];
}

/** A word in the form that is compared, and as it was written. */
export interface Term {
  stem: string;
  word: string;
}

const list = (words: string) => new Set(words.trim().split(/\s+/));

/** Words that are frequent in one of the two languages and rare in the other. Without accents. */
const englishWords =
  list(`the and you your we our is are was were be been to of for in on at it its this that will would
  can could what when where who how why do does did have has had my i im not with from they he she his her there here
  be if or but please get need want know time school kids today tomorrow about any up out so just still am pm`);
const spanishWords =
  list(`el la los las un una unos unas de del que en y es son para por con se le les mi mis su sus al
  lo como cuando donde quien cual cuanto cuantos cuanta hora hoy manana si pero porque esta estan este esto eso hay
  tiene tengo tenemos puede puedo podemos quiero quiere favor hijo hija hijos escuela clases ninos nino va voy vamos
  nos yo tu usted ustedes muy mas ya tambien soy estoy ser hacer necesito saber`);

/** Letters of other scripts than Latin. */
const otherScript = /[\p{L}--\p{Script=Latin}]/gv;

/** Number of words that speak for each of the two languages. */
export function countFrequent(plain: string): { english: number; spanish: number } {
  const words = plain.split(' ');
  const count = (of: ReadonlySet<string>) => words.filter((word) => of.has(word)).length;
  return { english: count(englishWords), spanish: count(spanishWords) };
}

/** English where nothing speaks for either, since most of what is too short to tell is. */
export function languageOf(text: string, plain = plainWords(text)): Language {
  const others = text.match(otherScript)?.length ?? 0;
  if (others > 0 && others > (text.match(/\p{L}/gu)?.length ?? 0) / 2) return 'other';
  const { english, spanish } = countFrequent(plain);
  const marks = /[¿¡ñ]/i.test(text) ? 2 : 0;
  return spanish + marks > english ? 'spanish' : 'english';
}

const wrongNumber =
  /\b(?:wrong (?:number|person|num|phone|contact)|(?:who|whos) (?:is|r|are) (?:this|u|you)|who(?:s| is)? (?:this|dis)|new (?:phone|number)|not (?:his|her|their|my) (?:phone|number)|(?:isnt|is not|not) [a-z]+s? (?:number|phone)|no longer (?:his|her|their|at) [a-z ]{0,12}number|dont (?:have|know) (?:a|any|anyone|any one|anybody) (?:kids?|child|children|student|named|by|called|with)|you have the wrong|have the wrong|equivocad[oa]s?|se equivoco|quien (?:es|habla|eres)|numero incorrecto)\b/;

const beginsYes =
  /^(?:(?:ok|okay|oh|hi|hello|hey|good morning) )?(?:yes|yeah|yep|yup|yess|sure|absolutely|definitely|certainly|of course|count (?:me|us) in|(?:we|i)(?:ll| will| plan to)? (?:be there|can make it|come|coming|attend)|were coming|im coming|im in|were in|will be there|claro|por supuesto|ahi (?:estare|estaremos)|si (?:puedo|podemos|gracias|claro|voy|vamos))\b/;
const beginsNo =
  /^(?:(?:ok|okay|oh|hi|hello|hey|good morning|sorry|unfortunately|im sorry|so sorry) )*(?:no|nope|nah|not (?:this|going|able|coming|interested)|(?:we|i) (?:cant|cannot|can not|wont|will not|am not|are not|are unable|am unable)|cant (?:make|come|attend)|wont (?:be|make|come)|unable to|(?:were|im) (?:not|unable)|lo siento no|no (?:puedo|podemos|podre|podremos|voy|vamos))\b/;

const asks =
  /^(?:(?:hi|hello|hey|good morning|good afternoon|good evening|ok|okay|thanks|thank you|and|but|so|also|yes|hola|buenos dias|buenas tardes|gracias) )*(?:what|whats|when|whens|where|wheres|who|whos|which|how|hows|why|can|could|do|does|did|is|are|will|would|should|may|has|have|am|any|que|cuando|donde|quien|cual|como|cuanto|cuantos|cuanta|puedo|puede|podemos|hay|a que)\b/;

function isYes(text: string, plain: string): boolean {
  return (
    recognizeSurveyAnswer(text) === 'Yes' ||
    beginsYes.test(plain) ||
    /^\s*¡?sí(?!\p{L})/iu.test(text.slice(0, 8))
  );
}

function isNo(text: string, plain: string): boolean {
  return (
    recognizeSurveyAnswer(text) === 'No' || (beginsNo.test(plain) && !/^no (?:problem|worries)\b/.test(plain))
  );
}

/** A text with so few words means the same in any language, or has nothing that shows the language. */
const fewWords = 3;

/** The meaning of a text on its own. `home` is the language that the broadcast was written in. */
export function sortReply(text: string, home: Language): Sorted {
  const plain = plainWords(text);
  const kinds: FixedGroupKey[] = [];
  if (wrongNumber.test(plain)) kinds.push('wrong-number');
  const isQuestion = /[?¿؟？]/.test(text) || asks.test(plain);
  const isAgreed = isYes(text, plain);
  const isRefused = isNo(text, plain);
  const isPolite = isCourtesy(text);
  const language = languageOf(text, plain);
  const isClear = !isQuestion && (isAgreed || isRefused || isPolite) && plain.split(' ').length <= fewWords;
  if (language !== home && plain !== '' && !isClear && !isPolite) {
    kinds.push(language === 'other' ? 'other-language' : language);
  }
  if (isQuestion && !isPolite) kinds.push('questions');
  if (isRefused) kinds.push('no');
  if (isAgreed && !isRefused) kinds.push('yes');
  if (isPolite) kinds.push('no-answer');
  const [first = 'rest', ...others] = kinds;
  // "After-care" is one word here.
  const terms =
    first === 'questions' ? termsOf(plainWords(text.replace(/(?<=\p{L})[-‐](?=\p{L})/gu, ''))) : [];
  return { kinds: [first, ...others], terms };
}

/** Words that say nothing about the topic of a question. */
const stopWords =
  list(`a an the and or but if so is are was were be been being am do does did doing have has had having
  will would can could should shall may might must i me my mine we us our you your he him his she her it its they them
  their this that these those there here to of for in on at by with from as about into up out over off down what which
  who whom whose how why hi hello hey good morning afternoon evening thanks thank please ok okay yes no not just also too
  very still any some all get got need want know tell let im ill ive were youre its dont doesnt didnt isnt arent cant
  wont whats hows thats lets going go coming come be today tomorrow tonight again sorry sir maam mr mrs ms does anyone
  one question quick wondering wanted ask asking sure like back now then than because more only really
  el la los las un una unos unas de del que en y es son para por con se le les mi mis su sus al lo como quien cual
  si pero porque este esto eso ese hay tiene tengo puede puedo podemos quiero favor muy mas ya tambien soy estoy hola
  buenos buenas dias tardes noches gracias yo tu usted ustedes nos va voy vamos a o hoy manana saber`);

/** Different words for the same thing, and several words for one. */
const phrases: [RegExp, string][] = [
  [/\b(?:what|wat) time\b|\bwhens?\b|\ba que hora\b|\bcuando\b|\boclock\b|\bhora\b/g, ' time '],
  [
    /\bhow much\b|\bcuanto (?:cuesta|es|vale)\b|\bcuanto\b|\bprice\b|\bcosts?\b|\bfees?\b|\bprecio\b/g,
    ' cost ',
  ],
  [/\bwheres?\b|\bwhat place\b|\blocation\b|\baddress\b|\bdonde\b|\bdireccion\b|\blugar\b/g, ' where '],
  [/\bpermission (?:slip|form)s?\b/g, ' permission '],
];

/** The most terms that are compared: a text as long as a letter is compared by its beginning. */
const mostTerms = 40;

function termsOf(plain: string): Term[] {
  const text = phrases.reduce((words, [phrase, term]) => words.replace(phrase, term), plain);
  const terms = new Map<string, Term>();
  for (const word of text.split(' ')) {
    if (terms.size >= mostTerms) break;
    if (word.length < 2 || word.length > 30 || stopWords.has(word) || /^\d+$/.test(word)) continue;
    const stem = stemOf(word);
    if (!stopWords.has(stem) && !terms.has(stem)) terms.set(stem, { stem, word });
  }
  return [...terms.values()];
}

const irregulars = new Map([
  ['buses', 'bus'],
  ['children', 'child'],
]);

/** Plurals and the commonest endings, so that "starts", "started" and "starting" are one. */
export function stemOf(word: string): string {
  if (word.length <= 3) return word;
  const irregular = irregulars.get(word);
  if (irregular !== undefined) return irregular;
  const ends = (ending: string, least: number) =>
    word.endsWith(ending) && word.length - ending.length >= least ? word.slice(0, -ending.length) : undefined;
  const ies = ends('ies', 2);
  if (ies !== undefined) return `${ies}y`;
  const short = ends('ing', 4) ?? ends('ed', 3);
  if (short !== undefined) return short.replace(/([bdgmnprt])\1$/, '$1');
  if (/(?:ss|us|is)$/.test(word)) return word;
  return ends('ches', 2)?.concat('ch') ?? ends('shes', 2)?.concat('sh') ?? ends('s', 3) ?? word;
}

const names: Record<FixedGroupKey, string> = {
  questions: 'Other questions',
  yes: 'Yes',
  no: 'No',
  'wrong-number': 'Wrong numbers',
  spanish: 'In Spanish',
  english: 'In English',
  'other-language': 'In another language',
  rest: 'Everything else',
  'no-answer': 'No answer needed',
};

const explanations: Record<FixedGroupKey, string> = {
  questions: 'Questions that resemble none of the others.',
  yes: 'Grouped by how they begin: yes, sure, count me in, sí.',
  no: 'Grouped by how they begin: no, can’t make it, unable to, no puedo.',
  'wrong-number': 'Grouped by these words: wrong number, wrong person, who is this, número equivocado.',
  spanish: 'Grouped by language: most of their words are Spanish.',
  english: 'Grouped by language: most of their words are English.',
  'other-language': 'Grouped by language: written in another alphabet.',
  rest: 'No group fits these.',
  'no-answer': 'Grouped because they only say thanks, ok or the like.',
};

function isFixed(key: string): key is FixedGroupKey {
  return Object.hasOwn(names, key);
}

/** The name of a group. `words` are those of a group of questions as people wrote them. */
export function groupName(key: string, words: readonly string[] | undefined): string {
  if (isFixed(key)) return names[key];
  return `Questions about ${(words ?? wordsOfKey(key) ?? []).join(', ')}`;
}

/** Reason why its replies are together. */
export function groupExplanation(key: string, words: readonly string[] | undefined): string {
  if (isFixed(key)) return explanations[key];
  return `Grouped by these words: ${(words ?? wordsOfKey(key) ?? []).join(', ')}.`;
}
