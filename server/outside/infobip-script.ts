import { createHash } from 'node:crypto';
import { type CallStep, mostTransferSeconds } from './calls.ts';
import { wordsOf } from './words-of-calls.ts';

type Action = string | { [name: string]: unknown };

/** Maximum sounds in one response before the call asks again or ends. */
const places = 8;
const askSeconds = 6;

const variable = (name: string) => `$\{${name}}`;

/**
 * The one scenario that every call runs: it asks us for the next step, runs it, and asks again. Infobip
 * limits changes of scenarios per minute, so call-specific data is in our responses and not in separate
 * scenarios.
 */
export function writeScript(stepUrl: string, detectMachine: boolean): Action[] {
  const ask = {
    request: stepUrl,
    options: {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"key":"${variable('key')}","at":"${variable('at')}","keys":"${variable('keys')}"}`,
      collectResponse: true,
    },
  };
  const sounds = Array.from({ length: places }, (_, index) => ({
    switch: variable(`do${index + 1}`),
    case: {
      play: [{ playFromUrl: variable(`what${index + 1}`) }],
      say: [{ say: variable(`what${index + 1}`), options: { language: 'en' } }],
      say_es: [{ say: variable(`what${index + 1}`), options: { language: 'es' } }],
      pause1: [{ pause: 1 }],
      pause5: [{ pause: 5 }],
      __default: [],
    },
  }));
  const collect = (maxInputLength: number) => [
    { collectInto: 'keys', options: { maxInputLength, timeout: askSeconds, sendToReports: 'ALWAYS' } },
  ];
  const after = {
    switch: variable('after'),
    case: { ask1: collect(1), ask2: collect(2), askMany: collect(32), __default: [] },
  };
  return [
    { setVariable: 'at', value: 'answered' },
    { setVariable: 'keys', value: '' },
    ...(detectMachine ? [detection] : []),
    {
      repeat: [ask, ...sounds, after],
      while: `$\{after == 'ask1' || after == 'ask2' || after == 'askMany' || after == 'go'}`,
    },
    {
      switch: variable('after'),
      case: {
        // The last thing of a call: nothing tells how it went (docs/decisions/0365).
        dial: [
          {
            dial: variable('to'),
            options: { senderId: variable('callerId'), maxCallDuration: mostTransferSeconds },
          },
        ],
        __default: [],
      },
    },
    'hangup',
  ];
}

/** An unclear answer counts as a person; a machine's greeting is awaited to its end. */
const detection = {
  answeringMachineDetection: true,
  options: { waitEndOfMessageDetection: 'ALWAYS', endOfMessageDetectionTimeout: 30 },
  onMachineDetected: [{ setVariable: 'at', value: 'voicemail' }],
  onHumanDetected: [{ setVariable: 'at', value: 'answered' }],
  onTimeout: [{ setVariable: 'at', value: 'answered' }],
};

/**
 * A name by which an installation finds its own scenario again, even after its URL or this file has changed.
 */
export function nameScenario(script: Action[]): string {
  return `Muster ${createHash('sha256').update(JSON.stringify(script)).digest('hex').slice(0, 16)}`;
}

/**
 * The steps as variables of the scenario. All of them, every time: an unset one keeps its last value there.
 */
export function writeAnswer(steps: CallStep[]): Record<string, string> {
  const sounds: [string, string][] = [];
  const answer: Record<string, string> = { after: 'hangup', at: '', keys: '', to: '', callerId: '' };
  const add = (list: CallStep[]) => {
    for (const step of list) {
      if (step.do === 'play') sounds.push(['play', step.url]);
      else if (step.do === 'say') {
        const { language, words } = wordsOf(step);
        sounds.push([language === 'en' ? 'say' : `say_${language}`, words]);
      } else if (step.do === 'pause') {
        for (let left = step.seconds; left > 0; left -= left >= 5 ? 5 : 1) {
          sounds.push([left >= 5 ? 'pause5' : 'pause1', '']);
        }
      }
    }
  };
  for (const step of steps) {
    add([step]);
    if (step.do === 'ask') {
      add(step.first);
      answer.after = step.mostKeys === 1 ? 'ask1' : step.mostKeys === 2 ? 'ask2' : 'askMany';
      answer.at = step.next;
    } else if (step.do === 'go') {
      answer.after = 'go';
      answer.at = step.next;
    } else if (step.do === 'dial') {
      answer.after = 'dial';
      answer.to = step.to;
      answer.callerId = step.callerId;
    } else if (step.do === 'play' || step.do === 'say' || step.do === 'pause') continue;
    // In any other case, the call does nothing after it in this response.
    break;
  }
  if (sounds.length > places) throw new Error(`A call can’t do ${sounds.length} things in one step.`);
  for (let index = 0; index < places; index++) {
    const [what = 'none', value = ''] = sounds[index] ?? [];
    answer[`do${index + 1}`] = what;
    answer[`what${index + 1}`] = value;
  }
  return answer;
}
