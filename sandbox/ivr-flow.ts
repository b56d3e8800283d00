// Runs one of Infobip's IVR scenarios in a call. What their description leaves open is decided here and
// written in docs/decisions/0046: ${name} stands for a variable, a condition is written in ${ }, the members
// of a collected response are variables, and keys pressed while the sound before a collectInto plays belong
// to it.
import { isOver } from './call.ts';
import { judge, verdictWords } from './call-ends.ts';
import { beepSeconds, pressAfterSeconds, talkSeconds } from './call-people.ts';
import { guessSeconds } from './call-sounds.ts';
import { isRecord } from './http.ts';
import { type Action, actionName, type Scenario } from './ivr-check.ts';
import type { Line, Script } from './line.ts';
import { parseCarrierNumber } from './numbers.ts';
import { DocumentError } from './twiml.ts';

const mostActions = 2000;
const requestMs = 10_000;
const keySeconds = 0.3;

type Run = {
  line: Line;
  signal: AbortSignal;
  variables: Map<string, string>;
  /** Keys that no collectInto has taken yet. */
  waiting: string;
  /** Cuts the sound that plays, when it is followed by a collectInto. */
  cut: (() => void) | undefined;
  arrived: (() => void) | undefined;
  count: number;
};

export function ivrScript(scenario: Scenario, parameters: Readonly<Record<string, string>>): Script {
  return async (line, signal) => {
    const run: Run = {
      line,
      signal,
      variables: new Map(Object.entries(parameters)),
      waiting: '',
      cut: undefined,
      arrived: undefined,
      count: 0,
    };
    const listen = (key: string) => {
      run.waiting += key;
      run.cut?.();
      run.arrived?.();
    };
    line.keyListeners.add(listen);
    try {
      await runActions(run, scenario.script);
    } catch (error) {
      if (!(error instanceof DocumentError) || signal.aborted) throw error;
      line.call.troubles.push({ code: error.code, message: error.message });
      line.exchange.carrier.stats.CallTroubles += 1;
      line.exchange.note(line.call, `Error: ${error.message}`);
    } finally {
      line.keyListeners.delete(listen);
    }
  };
}

/** False when the call ends here. */
async function runActions(run: Run, actions: readonly Action[]): Promise<boolean> {
  for (const [index, action] of actions.entries()) {
    run.count += 1;
    if (run.count > mostActions) throw new DocumentError(0, 'The scenario goes in circles.');
    if (!(await runAction(run, action, collectsKeys(actions.slice(index + 1))))) return false;
  }
  return true;
}

/** True if keys are collected before anything else happens but sounds. */
function collectsKeys(rest: readonly Action[]): boolean {
  for (const action of rest) {
    const name = actionName(action);
    if (name === 'collectInto') return true;
    if (name === 'switch' && isRecord(action) && isRecord(action.case)) {
      if (Object.values(action.case).some((list) => Array.isArray(list) && collectsKeys(list as Action[]))) {
        return true;
      }
      continue;
    }
    if (name !== 'say' && name !== 'playFromUrl' && name !== 'pause') return false;
  }
  return false;
}

async function runAction(run: Run, action: Action, isCutByKeys: boolean): Promise<boolean> {
  if (typeof action === 'string') return false;
  const { line, signal } = run;
  const options = isRecord(action.options) ? action.options : {};
  switch (actionName(action)) {
    case 'say':
      await speak(run, { words: fill(run, action.say) }, isCutByKeys);
      return true;
    case 'playFromUrl': {
      const url = fill(run, action.playFromUrl);
      if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
        throw new DocumentError(11100, `"${url}" is no address of a sound.`);
      }
      for (let loop = 0; loop < (Number(options.loopCount) || 1); loop++)
        await speak(run, { url }, isCutByKeys);
      return true;
    }
    case 'pause':
      await line.wait(Number(action.pause), signal);
      return true;
    case 'collectInto':
      await collect(run, String(action.collectInto), options);
      return true;
    case 'setVariable':
      run.variables.set(String(action.setVariable), fill(run, action.value));
      return true;
    case 'request':
      await callApi(run, fill(run, action.request), options);
      return true;
    case 'if':
      return await runActions(run, listOf(holds(run, action.if) ? action.then : action.else));
    case 'switch': {
      const cases = isRecord(action.case) ? action.case : {};
      return await runActions(run, listOf(cases[fill(run, action.switch)] ?? cases.__default));
    }
    case 'do':
      while (holds(run, action.while)) if (!(await runActions(run, listOf(action.do)))) return false;
      return true;
    case 'repeat':
      do {
        if (!(await runActions(run, listOf(action.repeat)))) return false;
      } while (holds(run, action.while));
      return true;
    case 'answeringMachineDetection':
      return await detect(run, action, options);
    case 'record':
      await record(run, Number(action.record), options);
      return true;
    case 'dial':
      await dial(run, fill(run, action.dial), options);
      return false;
    default:
      throw new DocumentError(0, 'The scenario has an action that the sandbox does not play.');
  }
}

function listOf(value: unknown): Action[] {
  return Array.isArray(value) ? (value as Action[]) : [];
}

/** Replaces the names of variables with their values. */
function fill(run: Run, text: unknown): string {
  return String(text ?? '').replace(/\$\{\s*(\w+)\s*\}/g, (_, name: string) => run.variables.get(name) ?? '');
}

/** Conditions such as ${keys == '0' || next != 'end'}. */
function holds(run: Run, condition: unknown): boolean {
  const text = String(condition ?? '').trim();
  const inside = /^\$\{(.*)\}$/s.exec(text)?.[1] ?? text;
  return inside.split('||').some((any) =>
    any.split('&&').every((each) => {
      const parts = /^\s*(.+?)\s*(==|!=)\s*(.+?)\s*$/.exec(each);
      if (!parts) throw new DocumentError(0, `"${text}" is no condition that the sandbox understands.`);
      return (readWord(run, parts[1] ?? '') === readWord(run, parts[3] ?? '')) === (parts[2] === '==');
    }),
  );
}

function readWord(run: Run, word: string): string {
  const quoted = /^'(.*)'$|^"(.*)"$/.exec(word);
  if (quoted) return quoted[1] ?? quoted[2] ?? '';
  return /^\d+$/.test(word) ? word : (run.variables.get(word) ?? '');
}

async function speak(
  run: Run,
  source: { words: string } | { url: string },
  isCutByKeys: boolean,
): Promise<void> {
  const { line, signal } = run;
  if (isCutByKeys && run.waiting !== '') return;
  if ('words' in source && source.words.trim() === '') return;
  const { call, exchange } = line;
  const known =
    'words' in source && call.speed > 1
      ? { length: guessSeconds(source.words), text: source.words }
      : await exchange.sounds.get(source).then(({ seconds, text }) => ({ length: seconds, text }));
  const stopped = new AbortController();
  const end = () => stopped.abort();
  signal.addEventListener('abort', end, { once: true });
  if (isCutByKeys) run.cut = end;
  const stopPressing = isCutByKeys ? pressLater(line, pressAfterSeconds) : () => undefined;
  try {
    await line.sound(source, known, stopped.signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof Error) || error.name !== 'AbortError') throw error;
  } finally {
    stopPressing();
    run.cut = undefined;
    signal.removeEventListener('abort', end);
  }
}

/** The simulated person presses keys, unless somebody uses the phone by hand. */
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

async function collect(run: Run, name: string, options: Record<string, unknown>): Promise<void> {
  const { line, signal } = run;
  const most = Number(options.maxInputLength) || 1;
  const timeout = Number(options.timeout) || 5;
  pressLater(line, keySeconds);
  // The time starts over with every key; # ends it.
  while (run.waiting.length < most && !run.waiting.includes('#')) {
    const before = run.waiting.length;
    const waiting = new AbortController();
    const end = () => waiting.abort();
    signal.addEventListener('abort', end, { once: true });
    run.arrived = end;
    try {
      await line.wait(timeout, waiting.signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof Error) || error.name !== 'AbortError') throw error;
    } finally {
      run.arrived = undefined;
      signal.removeEventListener('abort', end);
    }
    if (run.waiting.length === before) break;
  }
  const keys = run.waiting.slice(0, most).replace(/#.*$/, '');
  run.waiting = '';
  run.variables.set(name, keys);
  const { collected } = line.call;
  line.call.collected = { ...collected, [name]: keys };
}

async function callApi(run: Run, url: string, options: Record<string, unknown>): Promise<void> {
  const { line, signal } = run;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new DocumentError(11100, `"${url}" is no address that can be asked.`);
  }
  const headers = isRecord(options.headers) ? options.headers : {};
  const answer = await line.exchange.hooks.request(
    {
      url,
      method: options.method === 'GET' ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(run, value)])),
      },
      body: fill(run, options.body),
      timeoutMs: requestMs,
    },
    signal,
  );
  signal.throwIfAborted();
  if (answer.kind === 'broken' || answer.status >= 300) {
    throw new DocumentError(
      11200,
      `${url} ${answer.kind === 'broken' ? 'did not answer' : `answered ${answer.status}`}.`,
    );
  }
  if (options.collectResponse !== true) return;
  let value: unknown;
  try {
    value = JSON.parse(answer.body);
  } catch {
    value = undefined;
  }
  if (!isRecord(value)) throw new DocumentError(12100, `${url} answered something that is no JSON object.`);
  for (const [name, each] of Object.entries(value)) run.variables.set(name, String(each ?? ''));
}

async function detect(
  run: Run,
  action: Record<string, unknown>,
  options: Record<string, unknown>,
): Promise<boolean> {
  const { line, signal } = run;
  const { call, exchange } = line;
  const waits = options.waitEndOfMessageDetection !== 'NEVER';
  const limit = Number(options.endOfMessageDetectionTimeout) || 30;
  const [answeredBy, seconds] = judge(line, waits ? 'DetectMessageEnd' : 'Enable');
  const isKnown = seconds <= limit;
  await line.wait(Math.min(seconds, limit), signal);
  call.answeredBy = isKnown ? answeredBy : 'unknown';
  call.detectedMs = Math.round(Math.min(seconds, limit) * 1000);
  exchange.note(call, verdictWords(call.answeredBy));
  if (!isKnown) return await runActions(run, listOf(action.onTimeout));
  if (answeredBy === 'human') return await runActions(run, listOf(action.onHumanDetected));
  return await runActions(run, listOf(action.onMachineDetected));
}

async function record(run: Run, most: number, options: Record<string, unknown>): Promise<void> {
  const { line, signal } = run;
  if (options.beep === true) {
    await line.sound({ tone: 'beep' }, { length: beepSeconds, text: undefined }, signal);
  }
  await line.wait(Math.min(most, 10), signal);
}

async function dial(run: Run, number: string, options: Record<string, unknown>): Promise<void> {
  const { line, signal } = run;
  const { call, exchange } = line;
  const to = parseCarrierNumber(number);
  if (to === undefined) throw new DocumentError(13224, `"${number}" is no number that can be dialed.`);
  const from = parseCarrierNumber(fill(run, options.senderId)) ?? call.from;
  const limit = options.maxCallDuration;
  const leg = exchange.connect(line, to, from, {
    timeoutSeconds: 30,
    statusEvents: [],
    ...(typeof limit === 'number' && { timeLimitSeconds: limit }),
  });
  exchange.note(call, 'Connecting to another telephone');
  const end = () => {
    const isUp = leg.call.status === 'in-progress';
    exchange.end(leg, isUp ? 'completed' : 'canceled', isUp ? {} : { sip: 487 });
  };
  signal.addEventListener('abort', end, { once: true });
  await leg.pickedUp;
  if (isOver(leg.call)) return;
  line.peer = leg;
  leg.peer = line;
  exchange.note(call, 'Connected');
  exchange.note(leg.call, 'Connected');
  leg.afterSeconds(talkSeconds, () => {
    if (!leg.call.byHand) exchange.end(leg, 'completed');
  });
  await new Promise<void>((resolved) => {
    if (leg.over.aborted) resolved();
    else leg.over.addEventListener('abort', () => resolved(), { once: true });
  });
  line.peer = undefined;
  leg.peer = undefined;
}
