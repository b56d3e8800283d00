// Runs TwiML in a call: one document after the other, verb by verb, as Twilio does.
import { isOver, secondsBetween } from './call.ts';
import type { HookMethod } from './call-hooks.ts';
import { pressAfterSeconds, talkSeconds } from './call-people.ts';
import { guessSeconds } from './call-sounds.ts';
import { formatTwilioDate } from './dates.ts';
import type { Line, Script } from './line.ts';
import { parseCarrierNumber } from './numbers.ts';
import { keepRecording, recordingSeconds } from './recordings.ts';
import { DocumentError, parseTwiml, type Verb } from './twiml.ts';

type Source = { url: string; method: HookMethod; parameters: Record<string, string> } | { twiml: string };

/** The flow's next place after a verb: the next verb, another document, or out of the call. */
type Next = Source | 'next' | 'hangUp';

/** The running document's line, and the address that relative addresses are resolved against. */
type Place = { line: Line; base: string | undefined; signal: AbortSignal };

/** Documents in one call; a call that asks for more goes in circles. */
const mostDocuments = 300;
const sorryWords = 'We are sorry, an application error has occurred. Goodbye.';
const sorrySeconds = 3;
const keySeconds = 0.3;

const isCut = (error: unknown) => error instanceof Error && error.name === 'AbortError';

export function twimlScript(source: { url: string; method: HookMethod } | { twiml: string }): Script {
  const first: Source = 'url' in source ? { ...source, parameters: {} } : source;
  return async (line, signal) => {
    const { call } = line;
    if (call.order.sendDigits !== undefined) await line.wait(sendSeconds(call.order.sendDigits), signal);
    try {
      await runDocuments(line, first, signal);
    } catch (error) {
      if (!(error instanceof DocumentError) || signal.aborted) throw error;
      trouble(line, error);
      const { fallbackUrl } = call.order;
      if (fallbackUrl !== undefined && 'url' in first && first.url !== fallbackUrl) {
        const parameters = { ErrorCode: String(error.code) };
        try {
          await runDocuments(line, { url: fallbackUrl, method: 'POST', parameters }, signal);
          return;
        } catch (second) {
          if (!(second instanceof DocumentError)) throw second;
          trouble(line, second);
        }
      }
      if (call.status === 'in-progress') {
        await line.sound({ words: sorryWords }, { length: sorrySeconds, text: sorryWords }, signal);
      }
    }
  };
}

function trouble({ call, exchange }: Line, { code, message }: DocumentError): void {
  call.troubles.push({ code, message });
  exchange.carrier.stats.CallTroubles += 1;
  exchange.note(call, `Error ${code}: ${message}`);
}

function sendSeconds(digits: string): number {
  let seconds = 0;
  for (const digit of digits) seconds += digit === 'w' ? 0.5 : digit === 'W' ? 1 : keySeconds;
  return seconds;
}

/** Runs documents until one runs out, hangs up, or the signal says so. */
async function runDocuments(line: Line, first: Source, signal: AbortSignal): Promise<'end' | 'hangUp'> {
  let source: Source | undefined = first;
  for (let count = 0; source !== undefined; count++) {
    if (count >= mostDocuments) {
      throw new DocumentError(11215, `The call asked for ${mostDocuments} documents: it goes in circles.`);
    }
    const text: string = 'twiml' in source ? source.twiml : await fetchDocument(line, source, signal);
    const base: string | undefined = 'url' in source ? source.url : undefined;
    const verbs = text.trim() === '' && base !== undefined ? [] : parseTwiml(text);
    const next: Next = await runVerbs({ line, base, signal }, verbs);
    if (next === 'hangUp') return 'hangUp';
    source = next === 'next' ? undefined : next;
  }
  return 'end';
}

async function fetchDocument(
  { call, exchange }: Line,
  { url, method, parameters }: { url: string; method: HookMethod; parameters: Record<string, string> },
  signal: AbortSignal,
): Promise<string> {
  const all = { ...exchange.describe(call), ...parameters };
  if (call.answeredBy && call.order.detects && !call.order.detectsAsync) {
    all.AnsweredBy = call.answeredBy;
    all.MachineDetectionDuration = String(call.detectedMs);
  }
  return await exchange.hooks.ask(url, method, all, signal);
}

async function runVerbs(place: Place, verbs: readonly Verb[]): Promise<Next> {
  const { line } = place;
  if (line.call.direction === 'inbound' && line.call.status === 'ringing') {
    const [verb] = verbs;
    if (verb?.name === 'Reject') {
      const isBusy = verb.attributes.reason === 'busy';
      line.exchange.end(line, isBusy ? 'busy' : 'failed', { result: isBusy ? 'Busy' : 'Failed' });
      return 'hangUp';
    }
    line.exchange.acceptInbound(line);
  }
  for (const verb of verbs) {
    const next = await runVerb(place, verb);
    if (next !== 'next') return next;
  }
  return 'next';
}

async function runVerb(place: Place, verb: Verb): Promise<Next> {
  // Keys from the first moment are for a document that begins with a question.
  if (verb.name !== 'Gather') place.line.takeEarlyKeys();
  const { line, signal } = place;
  switch (verb.name) {
    case 'Play':
    case 'Say':
      await speak(place, verb);
      return 'next';
    case 'Pause':
      await line.wait(readWhole(verb, 'length', 1), signal);
      return 'next';
    case 'Gather':
      return await gather(place, verb);
    case 'Dial':
      return await dial(place, verb);
    case 'Record':
      return await record(place, verb);
    case 'Redirect':
      return goTo(place, verb.text || undefined, readMethod(verb), {});
    case 'Hangup':
      return 'hangUp';
    case 'Reject':
      throw new DocumentError(12200, '<Reject> must come first, in a call that is not answered yet.');
    case 'Number':
      throw new DocumentError(12200, '<Number> is only allowed inside <Dial>.');
  }
}

function readWhole({ name, attributes }: Verb, attribute: string, fallback: number): number {
  const raw = attributes[attribute];
  if (raw === undefined) return fallback;
  const value = Number(raw);
  if (raw === '' || !Number.isInteger(value) || value < 0) {
    throw new DocumentError(12200, `<${name}> ${attribute} must be a whole number, but it is "${raw}".`);
  }
  return value;
}

function readFlag({ name, attributes }: Verb, attribute: string, fallback: boolean): boolean {
  const raw = attributes[attribute];
  if (raw === undefined) return fallback;
  if (raw !== 'true' && raw !== 'false') {
    throw new DocumentError(12200, `<${name}> ${attribute} must be true or false, but it is "${raw}".`);
  }
  return raw === 'true';
}

function readMethod({ name, attributes }: Verb, attribute = 'method'): HookMethod {
  const raw = attributes[attribute] ?? 'POST';
  if (raw !== 'GET' && raw !== 'POST') {
    throw new DocumentError(12200, `<${name}> ${attribute} must be GET or POST, but it is "${raw}".`);
  }
  return raw;
}

/** The address, meant from the document that names it. */
function resolve(base: string | undefined, address: string): string {
  const url = URL.parse(address, base);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new DocumentError(11100, `"${address}" is no address that can be asked.`);
  }
  return url.href;
}

function goTo(
  { base }: Place,
  address: string | undefined,
  method: HookMethod,
  parameters: Record<string, string>,
): Source {
  if (address === undefined && base === undefined) {
    throw new DocumentError(12200, 'A document that came with the call has no address to go back to.');
  }
  return { url: address === undefined ? (base ?? '') : resolve(base, address), method, parameters };
}

async function speak({ line, base, signal }: Place, verb: Verb): Promise<void> {
  const { exchange, call } = line;
  const loops = readWhole(verb, 'loop', 1) || 1000;
  if (verb.attributes.digits !== undefined) {
    await line.wait(sendSeconds(verb.attributes.digits), signal);
    if (verb.text === '') return;
  }
  if (verb.text === '') throw new DocumentError(12200, `<${verb.name}> is empty.`);
  const source = verb.name === 'Say' ? { words: verb.text } : { url: resolve(base, verb.text) };
  let length: number;
  let text: string | undefined;
  // If nobody listens, reading aloud would only cost time.
  if ('words' in source && call.speed > 1) [length, text] = [guessSeconds(source.words), source.words];
  else {
    const sound = await exchange.sounds.get(source);
    [length, text] = [sound.seconds, sound.text];
  }
  for (let loop = 0; loop < loops; loop++) await line.sound(source, { length, text }, signal);
}

async function gather(place: Place, verb: Verb): Promise<Next> {
  const { line, signal } = place;
  const { attributes } = verb;
  if (attributes.input !== undefined && attributes.input !== 'dtmf') {
    throw new DocumentError(12200, 'The sandbox has no speech recognition: <Gather> input must be dtmf.');
  }
  const numDigits = attributes.numDigits === undefined ? 1000 : readWhole(verb, 'numDigits', 0);
  if (numDigits < 1) throw new DocumentError(12200, '<Gather> numDigits must be 1 or more.');
  const finishOnKey = attributes.finishOnKey ?? '#';
  const timeout = readWhole(verb, 'timeout', 5);
  const isSentEmpty = readFlag(verb, 'actionOnEmptyResult', false);
  const method = readMethod(verb);

  let digits = '';
  let finishedBy = '';
  const pressed = new AbortController();
  const cut = () => pressed.abort();
  signal.addEventListener('abort', cut, { once: true });
  let wake: () => void = () => undefined;
  const listen = (key: string) => {
    if (finishedBy !== '' || digits.length >= numDigits) return;
    if (finishOnKey !== '' && finishOnKey.includes(key)) finishedBy = key;
    else digits += key;
    pressed.abort();
    wake();
  };
  line.keyListeners.add(listen);
  for (const key of line.takeEarlyKeys()) listen(key);
  const stopPressing = pressLater(line, pressAfterSeconds);
  try {
    try {
      for (const child of verb.children) await runVerb({ ...place, signal: pressed.signal }, child);
      // Somebody who was going to press a key waits no longer than the words.
      if (line.presses !== '') {
        stopPressing();
        pressLater(line, keySeconds);
      }
    } catch (error) {
      if (!isCut(error) || signal.aborted) throw error;
    }
    // The time starts over with every key.
    while (finishedBy === '' && digits.length < numDigits) {
      const before = digits.length;
      const waiting = new AbortController();
      wake = () => waiting.abort();
      const stop = () => waiting.abort();
      signal.addEventListener('abort', stop, { once: true });
      try {
        await line.wait(timeout, waiting.signal);
      } catch (error) {
        if (!isCut(error) || signal.aborted) throw error;
      } finally {
        signal.removeEventListener('abort', stop);
      }
      if (digits.length === before) break;
    }
  } finally {
    stopPressing();
    line.keyListeners.delete(listen);
    signal.removeEventListener('abort', cut);
  }
  if (digits === '' && !isSentEmpty) return 'next';
  return goTo(place, attributes.action, method, {
    Digits: digits,
    ...(finishedBy !== '' && { FinishedOnKey: finishedBy }),
  });
}

/** The person at the telephone presses by itself, unless somebody took it into the hand. */
function pressLater(line: Line, seconds: number): () => void {
  if (line.presses === '') return () => undefined;
  return line.afterSeconds(seconds, () => {
    if (line.call.byHand || line.call.pickedUpBy !== 'Person') return;
    const keys = line.presses;
    line.presses = '';
    for (const [index, key] of [...keys].entries()) {
      line.afterSeconds(index * keySeconds, () => line.press(key));
    }
  });
}

async function dial(place: Place, verb: Verb): Promise<Next> {
  const { line, base, signal } = place;
  const { exchange, call } = line;
  const { attributes } = verb;
  const numbers = verb.children.length > 0 ? verb.children : [verb];
  const [target] = numbers;
  if (!target || numbers.length > 1) {
    throw new DocumentError(12200, 'The sandbox dials exactly one number in a <Dial>.');
  }
  if (attributes.record !== undefined && attributes.record !== 'do-not-record') {
    throw new DocumentError(12200, 'The sandbox does not record a <Dial>.');
  }
  const to = parseCarrierNumber(target.text);
  if (to === undefined) throw new DocumentError(13224, `<Dial> has the number "${target.text}".`);
  const from = attributes.callerId === undefined ? call.from : parseCarrierNumber(attributes.callerId);
  if (from === undefined) throw new DocumentError(13214, `<Dial> callerId is "${attributes.callerId}".`);
  const own = target === verb ? {} : target.attributes;
  const hangsUpOnStar = readFlag(verb, 'hangupOnStar', false);
  readFlag(verb, 'answerOnBridge', false);
  const timeLimit = attributes.timeLimit === undefined ? undefined : readWhole(verb, 'timeLimit', 14_400);
  const leg = exchange.connect(line, to, from, {
    timeoutSeconds: readWhole(verb, 'timeout', 30),
    statusEvents: own.statusCallbackEvent?.split(' ') ?? ['completed'],
    ...(own.statusCallback !== undefined && { statusCallback: resolve(base, own.statusCallback) }),
    ...(own.statusCallbackMethod !== undefined && {
      statusMethod: readMethod(target, 'statusCallbackMethod'),
    }),
    ...(timeLimit !== undefined && { timeLimitSeconds: timeLimit }),
  });
  exchange.note(call, 'Connecting to another telephone');
  let bridgedAt = 0;
  const onStar = (key: string) => {
    if (hangsUpOnStar && key === '*') exchange.end(leg, 'completed');
  };
  const onHangUp = () => {
    const isUp = leg.call.status === 'in-progress';
    exchange.end(leg, isUp ? 'completed' : 'canceled', isUp ? {} : { sip: 487 });
  };
  signal.addEventListener('abort', onHangUp, { once: true });
  line.keyListeners.add(onStar);
  try {
    await leg.pickedUp;
    if (!isOver(leg.call)) {
      let isKept = true;
      if (own.url !== undefined) {
        const url = resolve(base, own.url);
        isKept = await whisper(leg, { url, method: readMethod(target), parameters: {} });
      }
      if (isKept && !isOver(leg.call) && !isOver(call)) {
        bridgedAt = Date.now();
        leg.peer = line;
        line.peer = leg;
        exchange.note(call, 'Connected');
        exchange.note(leg.call, 'Connected');
        // Two that act by themselves have talked enough after a while.
        if (!leg.call.byHand) {
          leg.afterSeconds(talkSeconds, () => {
            if (!leg.call.byHand) exchange.end(leg, 'completed');
          });
        }
        await new Promise<void>((resolved) => {
          if (leg.over.aborted) resolved();
          else leg.over.addEventListener('abort', () => resolved(), { once: true });
        });
      } else if (!isOver(leg.call)) exchange.end(leg, 'completed');
    }
  } finally {
    line.peer = undefined;
    leg.peer = undefined;
    line.keyListeners.delete(onStar);
    signal.removeEventListener('abort', onHangUp);
  }
  // Another document took over.
  if (!isOver(call)) signal.throwIfAborted();
  const { status } = leg.call;
  const parameters = {
    DialCallSid: leg.call.sid,
    DialCallStatus:
      status === 'in-progress' || status === 'queued' || status === 'ringing' ? 'canceled' : status,
    DialBridged: String(bridgedAt > 0),
    DialCallDuration: String(Math.round(secondsBetween(leg.call, bridgedAt, leg.call.endedAt))),
  };
  if (attributes.action === undefined) return 'next';
  const source = goTo(place, attributes.action, readMethod(verb), parameters);
  if (isOver(call)) {
    // The caller is gone, but whoever gave the document still hears how the connection ended.
    askInVain(line, source);
    return 'hangUp';
  }
  return source;
}

/** Plays to the dialed telephone before it is connected; false when it hung up. */
async function whisper(leg: Line, source: Source): Promise<boolean> {
  try {
    return (await runDocuments(leg, source, leg.over)) === 'end';
  } catch (error) {
    if (error instanceof DocumentError) trouble(leg, error);
    else if (!isCut(error)) throw error;
    return false;
  }
}

/** Asks for a document that nobody will hear any more. */
function askInVain(line: Line, source: Source): void {
  if (!('url' in source)) return;
  fetchDocument(line, source, AbortSignal.timeout(15_000)).catch((error: unknown) => {
    if (error instanceof DocumentError) trouble(line, error);
    else if (!isCut(error)) console.error(error);
  });
}

async function record(place: Place, verb: Verb): Promise<Next> {
  const { line, base, signal } = place;
  const { exchange, call } = line;
  const { attributes } = verb;
  const maxLength = readWhole(verb, 'maxLength', 3600);
  const timeout = readWhole(verb, 'timeout', 5);
  const finishOnKey = attributes.finishOnKey ?? '1234567890*#';
  const method = readMethod(verb);
  if (readFlag(verb, 'transcribe', false)) {
    throw new DocumentError(12200, 'The sandbox does not transcribe a <Record>.');
  }
  if (readFlag(verb, 'playBeep', true)) {
    await line.sound({ tone: 'beep' }, { length: 0.5, text: undefined }, signal);
  }
  const startedAt = Date.now();
  exchange.note(call, 'Recording');
  const frames: Buffer[] = [];
  const finished = new AbortController();
  const cut = () => finished.abort();
  signal.addEventListener('abort', cut, { once: true });
  let finishedBy = '';
  const listen = (key: string) => {
    if (!finishOnKey.includes(key) || finishedBy !== '') return;
    finishedBy = key;
    finished.abort();
  };
  line.keyListeners.add(listen);
  let quietSince = startedAt;
  line.recorder = (frame) => {
    frames.push(frame);
    if (isLoud(frame)) quietSince = Date.now();
    else if (Date.now() - quietSince > timeout * 1000) finished.abort();
  };
  try {
    await line.wait(Math.min(maxLength, recordingSeconds(timeout)), finished.signal);
    // A microphone may go on for longer than somebody who only reads a sentence.
    if (frames.length > 0)
      await line.wait(Math.max(0, maxLength - recordingSeconds(timeout)), finished.signal);
  } catch (error) {
    if (!isCut(error)) throw error;
  } finally {
    line.recorder = undefined;
    line.keyListeners.delete(listen);
    signal.removeEventListener('abort', cut);
  }
  // Another document took over: that recording is nobody's.
  if (!isOver(call)) signal.throwIfAborted();
  const endedAt = Date.now();
  const recording = await keepRecording(exchange, call, {
    frames,
    seconds: secondsBetween(call, startedAt, endedAt),
    startedAt,
    isTrimmed: attributes.trim !== 'do-not-trim',
  });
  exchange.note(call, `Recorded ${Math.round(recording.seconds)} s`);
  const told = {
    RecordingUrl: recording.url,
    RecordingSid: recording.sid,
    RecordingDuration: String(Math.round(recording.seconds)),
  };
  const callback = attributes.recordingStatusCallback;
  const events = attributes.recordingStatusCallbackEvent?.split(' ') ?? ['completed'];
  if (callback !== undefined && events.includes('completed')) {
    const parameters = {
      AccountSid: exchange.carrier.config.twilioAccountSid,
      CallSid: call.sid,
      ...told,
      RecordingStatus: 'completed',
      RecordingChannels: '1',
      RecordingStartTime: formatTwilioDate(startedAt),
      RecordingSource: 'RecordVerb',
      RecordingTrack: 'inbound',
    };
    exchange.hooks.tell(resolve(base, callback), parameters, {
      event: `recording ${recording.sid}`,
      method: readMethod(verb, 'recordingStatusCallbackMethod'),
    });
  }
  const digits = isOver(call) ? 'hangup' : finishedBy;
  const parameters: Record<string, string> = digits === '' ? told : { ...told, Digits: digits };
  const source = goTo(place, attributes.action, method, parameters);
  if (!isOver(call)) return source;
  askInVain(line, source);
  return 'hangUp';
}

/** Louder than a quiet room. */
function isLoud(frame: Buffer): boolean {
  let sum = 0;
  for (let at = 0; at + 1 < frame.length; at += 2) sum += frame.readInt16LE(at) ** 2;
  return Math.sqrt(sum / Math.max(1, frame.length / 2)) > 300;
}
