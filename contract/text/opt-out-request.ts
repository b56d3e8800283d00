/**
 * True if a sentence asks, in plain words, not to be texted any more ("please stop texting me", "take me off this
 * list"). The FCC counts such requests like STOP. Both mistakes cost: a request overlooked is against the law, and a
 * person taken off by "stop by my office" misses the message about their child. So each pattern names what has to
 * stop, and a negation, a question about the past or another object before or after it cancels the match.
 *
 * The message is in small letters. It is bounded by the caller, and every pattern is a plain sequence of words
 * without nested repetition, so the time is linear.
 */
export function asksToStop(message: string): boolean {
  if (isTapback(message)) return false;
  if (isInstruction(message) || isBareRequest(message)) return true;
  const isJoking = /\b(?:lo+l|lmf?ao|rofl|(?:ha){2,}h?|he(?:he)+|aw+)\b|[😂🤣😆😅😜]/u.test(message);
  for (const sentence of sentencesOf(message)) if (sentenceAsksToStop(sentence, isJoking)) return true;
  return false;
}

/**
 * Words that follow a STOP in capitals when it is a verb of the sentence: "STOP by my office", "STOP at the
 * light".
 */
const goesOn = new Set(
  (
    'by at in on over for and or the a an to into near off before after when if until till once while here there ahead ' +
    'sign signs light lights bus buses watch work until using doing being it is was will has at with from than then'
  ).split(' '),
);

/**
 * A STOP in capitals at the beginning of a message that goes on in small letters is the word that people were told to
 * send, with something added: "STOP Maria Lopez". All in capitals, at most a name may follow: "STOP MARIA LOPEZ". The
 * message is as it was written.
 */
export function beginsWithStop(written: string): boolean {
  // "CANCEL - Maria": these are verbs of everyday sentences, so something has to separate them from the rest.
  if (
    /^[^\p{L}\p{N}]{0,10}(?:END|CANCEL|QUIT) ?[-–—,:/] ?\p{Lu}\p{Ll}+(?: \p{Lu}\p{L}*\.?){0,2}$/u.test(
      written,
    )
  )
    return true;
  const match =
    /^[^\p{L}\p{N}]{0,10}(?:STOP|STOPALL|UNSUBSCRIBE|OPT[ -]?OUT)(?![\p{L}\p{N}])[^\p{L}\p{N}?]{0,10}([^?]*)$/u.exec(
      written,
    );
  const rest = match?.[1]?.trim() ?? '';
  const words = rest
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}'’]+/u)
    .filter(Boolean);
  const [first = ''] = words;
  if (goesOn.has(first) || first.endsWith('ing') || isWalking(words.join(' '))) return false;
  if (/\p{Ll}/u.test(rest)) return words.length <= 8;
  return (
    words.length <= 3 && /\p{Lu}/u.test(rest) && !words.some((word) => goesOn.has(word) || thing.has(word))
  );
}

/** Other people or things that a message in capitals may want stopped: "STOP HIM", "STOP PAYMENT". */
const thing = new Set(
  'him her his us you he she me my payment payments order orders school class fight noise'.split(' '),
);

/**
 * Our own footer, sent back as the whole message: "Reply STOP", "text stop to end". A question about it is for people
 * to answer.
 */
function isInstruction(message: string): boolean {
  const words = message.replace(/[^\p{L}\p{M}\p{N}?]+/gu, ' ').trim();
  return /^(?:(?:please|pls|plz|ok|okay|i|im|am|ill|will) ){0,3}(?:reply|replying|replied|text|texting|txt|type|typing|send|sending|respond|responding)(?: back)?(?: with| the word)? (?:stop|stopall|unsubscribe|end|cancel|quit|opt ?out)(?: please| now)?(?: to (?:\p{N}[\p{N} ]{2,15}|(?:stop|end|cancel|quit|unsubscribe|opt ?out|be removed)(?: (?:all|any|these|the|this|from|of|texts?|messages?|alerts?|list)){0,3}))?$/u.test(
    words,
  );
}

/**
 * The footer without its verb ("STOP to opt out", "STOP2END"), or "stop these": only as the whole message. In a
 * longer one they may be about the children who are fighting.
 */
function isBareRequest(message: string): boolean {
  const words = message.replace(/[^\p{L}\p{M}\p{N}?]+/gu, ' ').trim();
  return (
    /^(?:please )?(?:stop|stopall|unsubscribe) ?(?:2|to) ?(?:end|quit|cancel|unsubscribe|opt ?out|stop)(?: (?:all|any|these|the|this|texts?|messages?|alerts?)){0,3}$/u.test(
      words,
    ) || /^(?:please |pls |plz )?stop (?:these|them|those)(?: please| now| thanks| thank you)?$/.test(words)
  );
}

/** Telephones send a reaction as a text that quotes ours, footer and all: Liked “… Reply STOP to opt out”. */
function isTapback(message: string): boolean {
  return /^(?:liked|loved|disliked|laughed at|emphasized|emphasised|questioned|reacted|removed an?|a ajouté|aimé|me gustó) [^\n]{0,60}["“«]/.test(
    message,
  );
}

/** The sentences as words with one space between them, apostrophes gone ("don't" is "dont"), commas kept and dashes made commas. */
function sentencesOf(message: string): string[] {
  return (
    message
      .replace(/['’‘`´]/g, '')
      .replace(/\bopt {0,2}[-–—]? {0,2}out\b/g, 'opt out')
      // A dash between words separates them like a comma: "Stop - Maria". One inside a word doesn't.
      .replace(/[–—|/~]|(?: |^)-|-(?: |$)/g, ',')
      .split(/[.!?;:\n\r"“”«»()]+/)
      .map((sentence) => sentence.replace(/[^\p{L}\p{M}\p{N},]+/gu, ' ').trim())
      .filter((sentence) => sentence !== '')
  );
}

/** Words around a request that don't change it. */
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

/**
 * Words that end texting when they are the whole message. Next to one another they still mean that: "STOP
 * END".
 */
const weak = new Set(['end', 'cancel', 'quit', 'revoke']);
const help = new Set(['help', 'info', 'aide', 'ayuda']);

function sentenceAsksToStop(sentence: string, isJoking: boolean): boolean {
  const joined = sentence.replace(/\bopt out\b/g, 'optout').replace(/\bstop all\b/g, 'stopall');
  const words = joined.replaceAll(',', ' ').split(/ +/).filter(Boolean);
  if (words.length <= 8 && words.some((word) => strong.has(word)) && isOnlyRequest(words)) return true;
  if (isOnlyKeywords(words) || weakWithReason.test(words.join(' '))) return true;
  // "Wrong number, take me off this list": each part can be the request, but "drive to the corner, stop, wait" isn't.
  const parts = joined
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  if (parts.some(partAsksToStop)) return true;
  return !isJoking && parts.length > 1 && (isRequestFirst(parts) || isRequestLast(parts));
}

/** "STOP HELP", "end, cancel": nothing but such words, at least two, and one of them ends texting. */
function isOnlyKeywords(words: readonly string[]): boolean {
  return (
    words.length >= 2 &&
    words.length <= 6 &&
    words.every((word) => strong.has(word) || weak.has(word) || help.has(word)) &&
    words.some((word) => strong.has(word) || weak.has(word))
  );
}

/** Directions, exercises and jokes go on like this after a stop: "Stop, drop and roll", "Stop, you’re too kind". */
function isWalking(rest: string): boolean {
  return (
    /^(?:drop|look|listen|wait|turn|and|then|go|get|pick|grab|breathe|think|drive|walk|pull|park|smile|rest|repeat|hammer|collaborate|by|at|in|on|over|for|near|here|there|until|when|before|after|but)(?: |$)/.test(
      rest,
    ) ||
    /^(?:you|youre|u|ur|that|thats|this is|its|it is)(?: (?:are|is))? (?:too|so|making|killing|cracking|hilarious|funny|the best|the sweetest|sweet|kind|crazy|cute|embarrassing)(?: |$)/.test(
      rest,
    )
  );
}

/** "stop, wrong number", "Stop - Maria". */
function isRequestFirst([first = '', ...rest]: readonly string[]): boolean {
  return isPureRequest(first) && !isWalking(rest.join(' '));
}

/** "Wrong number, stop"; not "drive to the corner, stop". */
function isRequestLast(parts: readonly string[]): boolean {
  const before = parts.slice(0, -1).join(' ');
  return (
    isPureRequest(parts.at(-1) ?? '') &&
    !/(?:^| )(?:drive|turn|go|walk|run|ride|left|right|straight|corner|block|blocks|miles?|road|street|lights?|bus|train|park|pull|head|take|exit|until|then|game|play|music|song|dont|do not|never|cant|wont|please keep|keep)(?: |$)/.test(
      before,
    )
  );
}

function isPureRequest(part: string): boolean {
  const words = part.split(' ');
  return (
    words.length <= 6 &&
    words.some((word) => strong.has(word)) &&
    isOnlyRequest(words) &&
    !/(?:^| )(?:this|that) stop/.test(part)
  );
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

/** True if the words before a request change it: they make it a noun, negate it, quote it, or ask about the past. */
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
    /(?:^| )(?:i|we|it|he|she|they) (?:will|can|could|would|should|may|might)$/.test(before.trim()) ||
    /(?:^|why |when |how come )(?:did|have|has) (?:you|u|they|we|yall|it|he|she)(?: \p{L}+){0,2}$/u.test(
      before.trim(),
    )
  );
}

const quantity =
  '(?:(?:all|any|the|these|those|this|that|your|ur|more|further|such|of|from|sending|getting|receiving|with|out|it|me|us|my|phone|number|group|mass|automated|spam|annoying|dumb|stupid|damn|fucking|so|many|unwanted|robo) ){0,6}';
const message =
  '(?:te?xt(?:s|ing|ings)?(?: messages?| msgs?)?|messag(?:e|es|ing)|msgs?|sms|mms|notifications?|alerts?|spam(?:ming)?|communications?|updates?|reminders?)';
const list =
  '(?:lists?|threads?|texts|text messages|messages|group (?:text|chat|message)|chat|database|system|distribution|mailings?|contacts)';
const end =
  '(?: (?:please|pls|plz|thanks|thank|thx|again|anymore|any ?more|any longer|ever|now|immediately|asap|at all|and|or|im not|i am not|you have|wrong|here|on this|to this|this number|this phone|my (?:phone|number|cell)|ok|okay|dude|man|lady|sir)| ?$)';

/** Reasons for opting out, said right before or after the word: "wrong number stop", "stop I don't know you". */
const reason =
  '(?:(?:you have |youve got |u have |u got |you got |this is |its )?(?:the |a )?wrong(?: (?:number|person|phone|one|guy|lady|house|family|no|num))?|(?:im |i am |we are |were )?not interested|who(?:s|re| is| are) (?:this|you)|you(?:re| are) (?:annoying|spamming(?: me)?)|i (?:dont|do not) (?:know|live|want|have|work|go|need|care|attend)(?: \\p{L}+){0,8}|i never (?:signed|asked|subscribed|agreed|gave)(?: \\p{L}+){0,8}|(?:im|i am|this is|this isnt|this aint) (?:not|no longer)? ?(?:\\p{L}+ ){0,3}\\p{L}+|(?:we|i) (?:have )?moved(?: \\p{L}+){0,3})';

/** quit, wrong number · end not interested */
const weakWithReason =
  /^(?:quit|end|cancel) (?:you have (?:the )?|its (?:a |the )?)?(?:wrong(?: number| person| phone)?|not interested)$/;

const patterns: readonly RegExp[] = [
  // stop wrong number · stop i dont know you · wrong number stop
  new RegExp(
    `^(?:please |pls |plz |just )?(?:stop|stopall|unsubscribe|optout) (?:now |please )?${reason}$`,
    'u',
  ),
  /^(?:sorry |hi |hello |hey |no )?(?:(?:you have |youve got |u have |you got |this is |its )?(?:the |a )?wrong (?:number|person|phone)|(?:im |i am |we are )?not interested|no thanks|no thank you|who(?:s|re| is| are) (?:this|you))(?: so| and)?(?: please| pls| plz)? (?:stop|stopall|unsubscribe|optout)(?: please| now| thanks)?$/,
  // cancel my subscription · end texts · cancel these alerts · end my subscription please
  /^(?:(?:please|pls|plz|kindly|just|can|could|would|will|you|u|i|want|wish|need|like|to|id|hi|hello|hey|ok|okay|yes|no|thanks) ){0,6}(?:cancel|end|terminate|discontinue|stop|quit|drop|remove) (?:(?:my|the|this|these|those|all|your|ur|our|any|all of|text|texting|sms|message|messaging|alert) ){0,4}(?:subscriptions?|texts|texting|text messages|messages|messaging|msgs|sms|mms|alerts|notifications|updates|reminders|enrollment in (?:texts|alerts|messages))(?: (?:please|pls|plz|thanks|thank you|now|immediately|asap|today|from (?:you|this number|your (?:school|church|office|company))|to (?:me|this number|my (?:phone|number|cell))|for (?:me|this number|my (?:phone|number|cell))|altogether|completely|all together|forever)){0,3}$/,
  // stop 423 555 0143 · unsubscribe maria
  /^(?:please |pls )?(?:stop|stopall|unsubscribe|optout)(?: \p{N}{1,11}){1,4}$/u,
  /^(?:please |pls )?(?:unsubscribe|unsub|optout) (?!link|button|page|form|option|for|is|was|does|doesnt|did|didnt|at|on|in|to|of|from|deadline|date|day)\p{L}+(?: \p{L}+)?$/u,
  // optout of this · unsubscribe from these · unsubscribe to this
  /^(?:please |pls |i want to |id like to |let me )?(?:unsubscribe|unsub|optout) (?:of|from|to) (?:this|these|it|them|everything)(?: please| now| thanks)?$/,
  // cancel text · no texts please · do not contact · dont text
  /^(?:please |pls )?(?:(?:cancel|end) text|no texts|no texting|(?:do not|dont) (?:contact|te?xt)|cancel subscription to (?:texts|alerts|messages|this))(?: please| now| thanks)?$/,
  // stop thank you maria
  /^(?:please |pls )?(?:stop|stopall|unsubscribe|optout) (?:please )?(?:thank you|thanks|thx|ty)(?: (?!for|to|by|at)\p{L}+){1,2}$/u,
  // i want to be removed
  /^(?:(?:please|pls|hi|hello|i|we|id|would|like|want|wish|need|ask|asked|asking|im|am|have) ){1,6}to (?:be|get) (?:removed|deleted|taken off)(?: please| now| thanks| thank you| immediately| asap)?$/,
  // take me off of this · stop sending to me
  /^(?:please |pls |just )?(?:take|get) me off (?:of )?(?:this|these|it|here)(?: please| now| thanks)?$/,
  /(?:^| )(?:stop|quit) sending to (?:me|us|this (?:number|phone)|my (?:number|phone|cell))(?: |$)/,
  // end all · cancel all · stop everything
  /^(?:please |pls |plz )?(?:stop|end|cancel|quit) (?:all|everything|all of (?:it|them|these|this))(?: please| now| thanks)?$/,
  // stop calling and texting me · stop calling me
  new RegExp(
    `(?:^| )(?:stop|quit) (?:calling|contacting)(?: (?:and|or) (?:texting|messaging))?(?: (?:me|us|this (?:number|phone)|my (?:number|phone|cell)|here))${end}`,
  ),
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
