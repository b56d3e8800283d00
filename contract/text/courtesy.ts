/** Longer texts say more than thanks, whatever they begin with. */
const LONGEST = 160;

/** Enough by themselves. Without accents, because many people type without them. */
const courtesies = phrases(`
  thank you | thanks | thank u | thankyou | thx | tx | ty | tysm | tyvm | thnx | thanx | many thanks | appreciate it
  i appreciate it | we appreciate it | much appreciated | appreciated | appreciate you | we appreciate you
  ok | okay | okey | k | kk | oki | okie dokie | okey dokey | alright | all right | alrighty | roger | copy | copy that | noted
  got it | gotcha | understood | will do | sounds good | sounds great | sounds like a plan | perfect | great | good
  very good | awesome | wonderful | excellent | cool | nice | fantastic | amazing | lovely | super | deal | fine
  no problem | no worries | np | youre welcome | you are welcome | yw | welcome | good to know | glad to hear | great news
  see you then | see you there | see you soon | see you tomorrow | see ya | amen | god bless | god bless you | bless you
  have a good day | have a great day | have a nice day | have a good one | have a great weekend | have a good weekend
  you too | same to you | lol | haha | hahaha | yay | woohoo | hooray
  gracias | muchas gracias | mil gracias | muchisimas gracias | grax | vale | esta bien | ta bien | muy bien | bien
  de acuerdo | entendido | entendida | enterado | enterada | listo | lista | perfecto | excelente | genial | buenisimo
  claro que si gracias | de nada | con gusto | igualmente | amen | bendiciones | dios le bendiga | dios los bendiga
  dios te bendiga | dios la bendiga | que dios le bendiga | que dios los bendiga | buen dia | que tenga buen dia
  que tenga un buen dia | feliz dia | nos vemos | ahi nos vemos | hasta luego | hasta manana | le agradezco
  se lo agradezco | agradecida | agradecido | jaja | jajaja`);

/** Words that accompany thanks and mean nothing alone. */
const companions = phrases(`
  so much | very much | a lot | a bunch | a million | again | so | and | oh | yes | yes maam | yes sir | you all | yall | all
  everyone | team | guys | much | maam | sir | friend | sweetie | hun | please
  for letting me know | for letting us know | for the info | for the information | for the update | for the updates
  for the reminder | for the heads up | for your help | for the help | for everything | for all you do | for all that you do
  for your time | for the message | for sharing | for the text | for the quick response | for checking | for that
  i will | we will | well do | y | si | por todo | por avisar | por avisarme | por avisarnos | por la informacion | por la info
  por su ayuda | por el aviso | por el recordatorio | por informar | por informarnos | a usted | a ustedes | a ti | maestra
  maestro | senora | senor | amiga | amigo | todo`);

/** Emoji that say no more than thanks do. A thumbs down or a sad face says something that somebody should see. */
const emoji = new Set(
  '👍👌🙏❤♥🧡💛💚💙💜🤎🖤🤍💕💖💗💓💞🫶😊☺🙂😀😃😄😁😍🥰🤗😘🤩🥳🎉🎊👏🙌💯✅✔🤝🫡😂🤣😆✨⭐🌟🌹🌺🌸💐😇😎🤙👋💪🙆💝'.match(
    /\p{Extended_Pictographic}/gu,
  ) ?? [],
);

/** The text that a phone sends in place of a reaction: Liked “See you at 8”, Reacted 👍 to “See you at 8”. */
const reaction =
  /^(?:(?:liked|loved|laughed at|emphasi[sz]ed|le gust[oó]|le encant[oó]|se ri[oó] de)|(?:reacted )?(?<with>\S{1,12}) to) ?[“"«].*[”"»]$/isu;

/** With a name behind it: "Thank you, Mrs. Pruitt". */
const titled =
  /\b(?:mr|mrs|ms|miss|dr|coach|pastor|principal|father|sister|sr|sra|srta|senor|senora|maestra|maestro|padre) [a-z]{2,20}\b/g;

/**
 * True if a text needs no answer: thanks, an "ok", a thumbs up, in English or Spanish, and nothing besides. Anything
 * else in it, a question mark or a number means that somebody should read it.
 */
export function isCourtesy(text: string): boolean {
  const said = text.normalize('NFKC').trim();
  if (said === '' || text.length > LONGEST) return isReaction(said);
  if (isReaction(said)) return true;
  if (/[?¿\d]/.test(said)) return false;
  const pictures = said.match(/\p{Extended_Pictographic}/gu) ?? [];
  if (!pictures.every((one) => emoji.has(one))) return false;
  const words = plainWords(said).replace(titled, ' ').split(' ').filter(Boolean);
  if (words.length === 0) return pictures.length > 0;
  return isMadeOf(words);
}

function isReaction(said: string): boolean {
  const found = reaction.exec(said);
  if (found === null) return false;
  const [picture] = found.groups?.with?.match(/\p{Extended_Pictographic}/u) ?? [];
  return found.groups?.with === undefined || (picture !== undefined && emoji.has(picture));
}

const longestPhrase = 6;

/** True if the words are courtesies and their companions one after the other, with at least one courtesy. */
function isMadeOf(words: readonly string[]): boolean {
  let hasCourtesy = false;
  for (let at = 0; at < words.length; ) {
    const taken = longestAt(words, at);
    if (taken === undefined) return false;
    hasCourtesy ||= courtesies.has(taken);
    at += taken.split(' ').length;
  }
  return hasCourtesy;
}

function longestAt(words: readonly string[], at: number): string | undefined {
  for (let length = Math.min(longestPhrase, words.length - at); length > 0; length -= 1) {
    const phrase = words.slice(at, at + length).join(' ');
    if (courtesies.has(phrase) || companions.has(phrase)) return phrase;
  }
  return undefined;
}

/** Small letters without accents and apostrophes; one space between words, and "soooo" as "so". */
export function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’‘`]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .trim();
}

function phrases(list: string): ReadonlySet<string> {
  return new Set(
    list
      .split(/[|\n]/)
      .map((phrase) => phrase.trim())
      .filter(Boolean),
  );
}
