import { type CallStep, mostTransferSeconds } from './calls.ts';
import { wordsOf } from './words-of-calls.ts';

/** Voices that every dialect of TwiML has. */
const voices = {
  en: { voice: 'woman', language: 'en-US' },
  es: { voice: 'alice', language: 'es-MX' },
};

/** The steps of a call as a TwiML document. `address` returns the full URL that the call requests next. */
export function writeTwiml(steps: CallStep[], address: (next: string) => string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${steps.map((step) => writeStep(step, address)).join('')}</Response>`;
}

function writeStep(step: CallStep, address: (next: string) => string): string {
  switch (step.do) {
    case 'play':
      return element('Play', {}, escapeXml(step.url));
    case 'say': {
      const { language, words } = wordsOf(step);
      return element('Say', voices[language], escapeXml(words));
    }
    case 'pause':
      return element('Pause', { length: step.seconds });
    case 'ask':
      return element(
        'Gather',
        {
          input: 'dtmf',
          numDigits: step.mostKeys,
          timeout: step.waitSeconds,
          finishOnKey: step.endKey ?? '',
          actionOnEmptyResult: 'true',
          action: address(step.next),
          method: 'POST',
        },
        step.first.map((one) => writeStep(one, address)).join(''),
      );
    case 'dial':
      return element(
        'Dial',
        {
          callerId: `+${step.callerId}`,
          timeout: step.ringSeconds,
          timeLimit: mostTransferSeconds,
          answerOnBridge: 'true',
          action: address(step.next),
          method: 'POST',
        },
        element('Number', {}, `+${escapeXml(step.to)}`),
      );
    case 'record':
      return element('Record', {
        maxLength: step.mostSeconds,
        playBeep: 'true',
        trim: 'trim-silence',
        finishOnKey: '#',
        timeout: 5,
        action: address(step.next),
        method: 'POST',
      });
    case 'go':
      return element('Redirect', { method: 'POST' }, escapeXml(address(step.next)));
    case 'hangUp':
      return '<Hangup/>';
  }
}

function element(name: string, attributes: Record<string, string | number>, inside?: string): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join('');
  return inside === undefined ? `<${name}${written}/>` : `<${name}${written}>${inside}</${name}>`;
}

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => signs[sign] ?? '');
}
