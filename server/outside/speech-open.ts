import { request } from 'undici';
import type { Speech } from './speech.ts';
import { SpeechRefused } from './speech-refused.ts';

const wholeMs = 30_000;

/**
 * `POST /v1/audio/speech`: OpenAI's protocol, which self-hosted servers also implement (Kokoro, Piper and
 * others). It has no call that lists voices, so the operator names them.
 */
export function openSpeech(settings: {
  baseUrl: string;
  key: string | undefined;
  model: string;
  voices: readonly string[];
}): Speech {
  const url = `${settings.baseUrl.replace(/\/+$/, '')}/v1/audio/speech`;
  return {
    name: 'open',
    label: 'Speech service',
    voices: async () =>
      settings.voices.map((id) => ({
        id,
        language: '',
        label: id[0]?.toUpperCase() + id.slice(1),
        isNatural: true,
      })),
    async speak(text, voice, rate, signal) {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(settings.key === undefined ? {} : { authorization: `Bearer ${settings.key}` }),
        },
        body: JSON.stringify({
          model: settings.model,
          voice,
          input: text,
          response_format: 'wav',
          speed: rate,
        }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(wholeMs)]),
      });
      const bytes = new Uint8Array(await body.arrayBuffer());
      // This text, or a voice that no longer exists. Everything else may be temporary.
      if (statusCode === 400 || statusCode === 422) {
        throw new SpeechRefused(
          'The voice can’t read this message. Change the text, or choose another voice.',
        );
      }
      if (statusCode !== 200)
        throw new Error(`The speech service did not read a message: the answer was ${statusCode}.`);
      return bytes;
    },
  };
}
