import { expect, it } from 'vitest';
import { twilioCalls } from './calls-twilio.ts';
import { signTwilio } from './twilio-signature.ts';

const provider = twilioCalls({
  baseUrl: 'http://127.0.0.1:9',
  accountSid: 'AC1',
  authToken: 'secret',
  publicUrl: 'https://muster.example',
});

function stepOf(parameters: Record<string, string>) {
  const url = 'https://muster.example/hooks/twilio/voice?key=c1-1-1-1&at=transferred';
  const form = new URLSearchParams({
    CallSid: 'CA1',
    From: '+14235550100',
    To: '+14235550101',
    ...parameters,
  });
  return provider.readHook({
    url,
    secret: '',
    query: { key: 'c1-1-1-1', at: 'transferred' },
    headers: { 'x-twilio-signature': signTwilio('secret', url, form) },
    body: Buffer.from(form.toString()),
  })[0];
}

it.each([
  [{ DialCallStatus: 'completed', DialBridged: 'true', DialCallDuration: '31' }, true],
  // The office answered after the caller had hung up.
  [{ DialCallStatus: 'completed', DialBridged: 'false', DialCallDuration: '2' }, false],
  // A dialect that doesn't report it.
  [{ DialCallStatus: 'completed', DialCallDuration: '31' }, true],
  [{ DialCallStatus: 'no-answer', DialBridged: 'false' }, false],
  [{ DialCallStatus: 'busy' }, false],
])('a call counts as transferred when the two have spoken: %o', (parameters, isBridged) => {
  expect(stepOf(parameters)).toMatchObject({ kind: 'step', dial: { isBridged } });
});

it('reads the words of a call in its language', () => {
  const first = [{ do: 'say', text: 'To stop these calls, press 9.', languageId: 2 }] as const;
  const written = provider.writeSteps(
    [{ do: 'ask', first: [...first], mostKeys: 1, waitSeconds: 4, next: 'keys' }],
    'c1-1-1-1',
  );
  expect(written.body).toContain(
    '<Say voice="alice" language="es-MX">Para no recibir más estas llamadas, presione 9.</Say>',
  );
  const english = provider.writeSteps([{ do: 'say', text: 'Goodbye.' }], 'c1-1-1-1');
  expect(english.body).toContain('<Say voice="woman" language="en-US">Goodbye.</Say>');
});
