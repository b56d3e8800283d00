// Infobip's IVR scenarios: the actions that the sandbox plays, and what it refuses a scenario for.
import { isRecord } from './http.ts';
import type { Violation } from './infobip-check.ts';

export type Action = string | Record<string, unknown>;

export type Scenario = {
  id: string;
  name: string;
  description: string | undefined;
  script: Action[];
  createdAt: number;
  updatedAt: number;
};

/** The name that tells an action apart, what its value must be, and what else it may have. */
const actions: Readonly<
  Record<string, { is: 'text' | 'number' | 'flag' | 'list'; more: readonly string[] }>
> = {
  say: { is: 'text', more: ['options', 'actionId'] },
  playFromUrl: { is: 'text', more: ['options', 'actionId'] },
  pause: { is: 'number', more: ['actionId'] },
  collectInto: { is: 'text', more: ['options', 'actionId'] },
  dial: { is: 'text', more: ['options', 'actionId'] },
  record: { is: 'number', more: ['options', 'actionId'] },
  request: { is: 'text', more: ['options', 'actionId'] },
  setVariable: { is: 'text', more: ['value'] },
  if: { is: 'text', more: ['then', 'else', 'actionId'] },
  switch: { is: 'text', more: ['case', 'actionId'] },
  do: { is: 'list', more: ['while'] },
  repeat: { is: 'list', more: ['while'] },
  answeringMachineDetection: {
    is: 'flag',
    more: ['options', 'onDetecting', 'onMachineDetected', 'onTimeout', 'onHumanDetected'],
  },
};

const optionNames: Readonly<Record<string, readonly string[]>> = {
  say: ['language', 'voice', 'speechRate'],
  playFromUrl: ['loopCount'],
  collectInto: ['maxInputLength', 'timeout', 'sendToReports', 'mappedValues'],
  dial: ['senderId', 'maxCallDuration', 'customRingback'],
  record: ['escapeDigits', 'beep', 'maxSilence', 'identifier'],
  request: ['method', 'headers', 'body', 'collectResponse'],
  answeringMachineDetection: ['waitEndOfMessageDetection', 'endOfMessageDetectionTimeout'],
};

/** The name of the action; undefined when the sandbox doesn't know it. */
export function actionName(action: Action): string | undefined {
  if (typeof action === 'string') return action === 'hangup' ? 'hangup' : undefined;
  return Object.keys(actions).find((name) => name in action);
}

export function checkScenario(body: unknown): Violation[] {
  if (!isRecord(body)) return [{ property: 'body', violation: 'must be a JSON object' }];
  const found: Violation[] = [];
  const wrong = (property: string, violation: string) => {
    if (found.length < 50) found.push({ property, violation });
  };
  if (typeof body.name !== 'string' || body.name === '') wrong('name', 'must not be blank');
  if (!Array.isArray(body.script) || body.script.length === 0) wrong('script', 'must not be empty');
  else checkActions(body.script, 'script', wrong);
  return found;
}

type Wrong = (property: string, violation: string) => void;

function checkActions(script: unknown, at: string, wrong: Wrong): void {
  if (!Array.isArray(script)) {
    wrong(at, 'must be a list');
    return;
  }
  for (const [index, action] of script.entries()) checkAction(action, `${at}[${index}]`, wrong);
}

function checkAction(action: unknown, at: string, wrong: Wrong): void {
  const name = typeof action === 'string' || isRecord(action) ? actionName(action) : undefined;
  if (name === undefined) {
    wrong(at, 'is not an action that the sandbox plays');
    return;
  }
  if (typeof action === 'string' || !isRecord(action)) return;
  const rule = actions[name];
  if (!rule) return;
  const value = action[name];
  const isRight =
    rule.is === 'list'
      ? Array.isArray(value)
      : typeof value === { text: 'string', number: 'number', flag: 'boolean' }[rule.is];
  if (!isRight) wrong(`${at}.${name}`, `must be a ${rule.is}`);
  for (const other of Object.keys(action)) {
    if (other !== name && !rule.more.includes(other)) wrong(`${at}.${other}`, 'is unknown');
  }
  if (isRecord(action.options)) {
    for (const option of Object.keys(action.options)) {
      if (!optionNames[name]?.includes(option)) wrong(`${at}.options.${option}`, 'is unknown');
    }
  }
  if (name === 'pause' && !(Number(value) > 0 && Number(value) <= 5)) wrong(`${at}.pause`, 'must be up to 5');
  if (name === 'request' && (!isRecord(action.options) || typeof action.options.body !== 'string')) {
    wrong(`${at}.options.body`, 'must not be null');
  }
  const limit = isRecord(action.options) ? action.options.maxCallDuration : undefined;
  if (limit !== undefined && !(Number.isInteger(limit) && Number(limit) >= 1)) {
    wrong(`${at}.options.maxCallDuration`, 'must be greater than or equal to 1');
  }
  if (name === 'setVariable' && typeof action.value !== 'string') wrong(`${at}.value`, 'must not be null');
  if ((name === 'do' || name === 'repeat') && typeof action.while !== 'string') {
    wrong(`${at}.while`, 'must not be null');
  }
  for (const list of [
    'then',
    'else',
    'do',
    'repeat',
    'onDetecting',
    'onMachineDetected',
    'onTimeout',
    'onHumanDetected',
  ]) {
    if (action[list] !== undefined) checkActions(action[list], `${at}.${list}`, wrong);
  }
  if (name === 'switch') {
    if (!isRecord(action.case)) wrong(`${at}.case`, 'must be an object');
    else
      for (const [key, list] of Object.entries(action.case)) checkActions(list, `${at}.case.${key}`, wrong);
  }
}
