/**
 * Whether a sentence asks, in plain words, not to be texted any more ("please stop texting me", "take me off this
 * list"). The FCC counts such requests like STOP. Both mistakes cost: a request overlooked is against the law, and
 * a person taken off by "stop by my office" misses the message about their child. So each pattern names what has to
 * stop, and a negation, a question about the past or another object before or behind it lifts it.
 *
 * The message is in small letters. It is bounded by the caller, and every pattern is a plain sequence of words
 * without nested repetition, so the time is linear.
 */
export function asksToStop(message: string): boolean {
  if (isTapback(message)) return false;
  for (const sentence of sentencesOf(message)) if (sentenceAsksToStop(sentence)) return true;
  return false;
}

/** Telephones send a reaction as a text that quotes ours, footer and all: Liked “… Reply STOP to opt out”. */
function isTapback(message: string): boolean {
  return /^(?:liked|loved|disliked|laughed at|emphasized|emphasised|questioned|reacted|removed an?|a ajouté|aimé|me gustó) [^\n]{0,60}["“«]/.test(
    message,
  );
}

/** The sentences as words with one space between them, apostrophes gone ("don't" is "dont"), commas kept. */
function sentencesOf(message: string): string[] {
  return message
    .replace(/['’‘`´]/g, '')
    .split(/[.!?;:\n\r"“”«»()]+/)
    .map((sentence) => sentence.replace(/[^\p{L}\p{M}\p{N},]+/gu, ' ').trim())
    .filter((sentence) => sentence !== '');
}

/** Said around a request without changing it. */
const courtesy = new Set(
  (
    'please pls plz plse thanks thank thx ty you u now immediately asap already just ok okay hi hello hey yes no sorry ' +
    'kindly again sir maam mam today the fuck fucking hell it this that can could would will i said im so ffs omg bye por favor'
  ).split(' '),
);
/** Alone with courtesies these are a request; "please cancel" and "the end" may be about an appointment or a story. */
const strong = new Set([
  'stop',
  'stopp',
  'stopall',
  'unsubscribe',
  'unsub',
  'optout',
  'arrêtez',
  'arretez',
  'parar',
  'paren',
]);

function sentenceAsksToStop(sentence: string): boolean {
  const joined = sentence.replace(/\bopt out\b/g, 'optout').replace(/\bstop all\b/g, 'stopall');
  const words = joined.replaceAll(',', ' ').split(/ +/).filter(Boolean);
  if (words.length <= 8 && words.some((word) => strong.has(word)) && isOnlyRequest(words)) return true;
  // "Wrong number, take me off this list": each part can be the request, but "drive to the corner, stop, wait" isn't.
  return joined.split(',').some((part) => partAsksToStop(part.trim()));
}

function partAsksToStop(part: string): boolean {
  return patterns.some((pattern) => {
    const match = pattern.exec(part);
    return match !== null && !isLifted(part.slice(0, match.index));
  });
}

function isOnlyRequest(words: readonly string[]): boolean {
  const first = words.findIndex((word) => strong.has(word));
  const before = words.slice(0, first).join(' ');
  return words.every((word) => strong.has(word) || courtesy.has(word)) && !isLifted(before);
}

/** What the words before a request can do to it: make it a noun, deny it, quote it, or ask about the past. */
function isLifted(before: string): boolean {
  const bare = before
    .replace(/(?:^| )(?:please|pls|plz|you|u|guys|yall|just|to|ever|all|i)(?= |$)/g, '')
    .trim();
  return (
    /(?:^| )(?:bus|train|tram|next|last|first|the|a|an|each|every|non|pit|full)$/.test(bare) ||
    /(?:^| )(?:dont|do not|never|cant|cannot|wont|didnt|doesnt|not|wouldnt|shouldnt|couldnt|havent|hasnt)(?: \p{L}+){0,2}$/u.test(
      bare,
    ) ||
    /(?:^| )(?:reply|text|txt|type|send|replying|texting)(?: \p{L}+)?$/u.test(bare) ||
    /(?:^|why |when |how come )(?:did|have|has) (?:you|u|they|we|yall|it|he|she)(?: \p{L}+){0,2}$/u.test(
      before.trim(),
    )
  );
}

const quantity =
  '(?:(?:all|any|the|these|those|this|that|your|ur|more|further|such|of|from|sending|getting|receiving|with|out|it|me|us|my|phone|number|group|mass|automated|spam|annoying|dumb|stupid|damn|fucking|so|many|unwanted|robo) ){0,6}';
const message =
  '(?:text(?:s|ing|ings)?(?: messages?| msgs?)?|messag(?:e|es|ing)|msgs?|sms|mms|notifications?|alerts?|spam(?:ming)?|communications?|updates?|reminders?)';
const list =
  '(?:lists?|threads?|texts|text messages|messages|group (?:text|chat|message)|chat|database|system|distribution|mailings?|contacts)';
const end =
  '(?: (?:please|pls|plz|thanks|thank|thx|again|anymore|any ?more|any longer|ever|now|immediately|asap|at all|and|or|im not|i am not|you have|wrong|here|on this|to this|this number|this phone|my (?:phone|number|cell)|ok|okay|dude|man|lady|sir)| ?$)';

const patterns: readonly RegExp[] = [
  // stop texting me · quit sending me messages · stop these texts · cease all messages
  new RegExp(
    `(?:^| )(?:stop|stopp|stopall|quit|cease|halt|discontinue) ${quantity}(?:${message}|contacting|spamming|harassing|bothering|bugging)(?: |$)`,
  ),
  // stop sending me this · stop sending these · stop sending
  new RegExp(
    `(?:^| )(?:stop|quit) sending(?: (?:me|us))?(?: (?:these|this|those|that|stuff|things|anything|crap|shit|them|it|all this|this stuff|this crap))?${end}`,
  ),
  // stop receiving these · stop getting them
  /(?:^| )stop (?:receiving|getting) (?:these|this|those|them|anything|your|all|any)(?: |$)/,
  // take me off this list · get me off your texts · remove me from your list · delete my number
  new RegExp(
    `(?:^| )(?:(?:be|get) (?:taken|removed|deleted)|(?:take|get|remove|delete|drop|pull) (?:me|us|my (?:name|number|phone|cell|info|contact|phone number|cell number)|this (?:number|phone)|(?:his|her|their) (?:number|phone))) (?:off|out|from)(?: of| from)? (?:of )?(?:(?:this|your|ur|the|that|all|any|these|those|ya|yalls) ){0,2}(?:(?:text|texting|message|messaging|contact|call|calling|calls|phone|mailing|distribution|sms|group|mass|email|broadcast|notification|alert|update|auto|automatic|spam|damn|fucking|stupid|marketing|contacts|texts) ){0,3}${list}(?: |$)`,
  ),
  // take me off · remove me · remove my number · lose my number
  new RegExp(
    `^(?:(?:please|pls|plz|kindly|just|can|could|would|you|i|want|need|to|be|have|ok|hi|hello|no|wrong|number) ){0,5}(?:take me off|get me off|remove me|remove us|delete me|take my (?:name|number) off|(?:remove|delete|lose|erase|forget) (?:my|this) (?:phone |cell )?number)${end}`,
  ),
  // do not text me · dont message me again · never contact this number
  new RegExp(
    `(?:^| )(?:do not|dont|never|quit|stop) (?:ever )?(?:text|txt|message|msg|contact|sms)(?: (?:me|us|this (?:number|phone)|my (?:number|phone|cell)))${end}`,
  ),
  // do not send me any more texts
  new RegExp(
    `(?:^| )(?:do not|dont|never) send (?:me |us )?(?:any |anymore |any more |more |these |those |your |further |such |text |me ){0,3}${message}(?: |$)`,
  ),
  // i dont want these texts · i do not wish to receive messages · i no longer want to get your texts
  new RegExp(
    `(?:^| )(?:do not|dont|no longer|never) (?:want|wish|care|like|need|consent) (?:to (?:receive|get|be|have|see) |to |for )?(?:any |anymore |any more |more |these |those |your |this |further |such |all |of |so |many |you |on |part |getting |receiving ){0,4}(?:${message}|(?:texted|messaged|contacted)|text (?:list|thread))(?: |$)`,
  ),
  // no more texts
  new RegExp(
    `^(?:(?:please|pls|plz|ok|okay|hi|hello|i|want|and|no|thanks|thank|you) ){0,4}no more (?:of (?:these|this|your) |of )?(?:these |your |text |group |spam )?${message}${end}`,
  ),
  // unsubscribe me · i want to unsubscribe · please optout my number · optout of texts
  /(?:^| )(?:unsubscribe|unsub|optout) (?:me|us|my (?:number|phone|cell|phone number)|this number)(?: |$)/,
  /(?:^| )opt (?:me|us|my (?:number|phone)|this number) out(?: ?$| (?:please|of (?:these|this|your|the|all|any) (?:text|message|sms|list)))/,
  new RegExp(
    `(?:^| )(?:want|like|wish|need|id like|trying|asking|asked|please|how do i|how can i|let me|going) ?(?:to )?(?:be )?(?:unsubscribed?|unsub|optout|opted out)(?: (?:please|thanks|now)| ?$| (?:of|from) (?:(?:all|any|this|these|those|your|the|further|getting|receiving) ){0,3}(?:${message}|${list}))`,
  ),
  new RegExp(
    `(?:^| )(?:unsubscribe|optout) (?:of|from) (?:all$|(?:(?:all|any|this|these|those|your|the|further|getting|receiving) ){0,3}(?:${message}|${list})(?: |$))`,
  ),
  // i revoke my consent
  /(?:^| )(?:revoke|withdraw|withdrawing|revoking) (?:my |all |any )?(?:prior )?(?:consent|permission)(?: |$)/,
  // leave me alone · cease and desist
  /^(?:(?:please|pls|just) ){0,2}(?:leave me alone|cease and desist)(?: |$)/,
  // Spanish: no me manden mas mensajes · dejen de enviarme mensajes · no quiero (recibir) mas mensajes
  /(?:^| )(?:no me (?:manden?|envíen?|envien?|escriban?|texteen?|mandes|envíes|envies)|dejen? de (?:mandarme|enviarme|mandar|enviar|escribirme|textearme)|(?:ya )?no (?:quiero|deseo) (?:recibir )?(?:más|mas|sus|estos)) ?(?:más |mas |sus |estos |recibir |de )*(?:mensajes|textos|nada|notificaciones|$)/,
  // Spanish: quítenme de la lista
  /(?:^| )(?:quítenme|quitenme|quíteme|quiteme|sáquenme|saquenme|bórrenme|borrenme|elimínenme|eliminenme) de (?:la|esta|su|sus) (?:lista|mensajes)(?: |$)/,
  // French: arrêtez de m'envoyer des messages · ne m'envoyez plus
  /(?:^| )(?:arrêtez|arretez|arrête|arrete|cessez) de (?:menvoyer|mécrire|mecrire|me texter|menvoyez)(?: |$)/,
  /(?:^| )ne (?:menvoyez|mécrivez|mecrivez|me textez|me contactez) plus(?: |$)/,
];
