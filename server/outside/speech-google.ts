import { request } from 'undici';
import { isRecord, parseObject } from './carrier-line.ts';
import type { Speech, SpeechVoice } from './speech.ts';
import { SpeechRefused } from './speech-refused.ts';

/** The maximum bytes of text in a request to Google. */
const mostBytes = 5000;
const sampleRateHertz = 16_000;
const wholeMs = 30_000;
const voicesMs = 5_000;
const voicesLastMs = 60 * 60_000;

/** Google Cloud Text-to-Speech: `POST /v1/text:synthesize` and `GET /v1/voices`, by API key. Each message costs money. */
export function googleSpeech({ baseUrl, key }: { baseUrl: string; key: string }): Speech {
  const base = baseUrl.replace(/\/+$/, '');
  // In a header and not in the URL, which others may log.
  const headers = { 'x-goog-api-key': key };
  let known: { voices: SpeechVoice[]; until: number } | undefined;
  return {
    name: 'google',
    label: 'Google',
    async voices() {
      if (known !== undefined && known.until > performance.now()) return known.voices;
      const { statusCode, body } = await request(`${base}/v1/voices`, {
        headers,
        signal: AbortSignal.timeout(voicesMs),
      });
      const text = await body.text();
      if (statusCode !== 200)
        throw new Error(`Google’s voices could not be listed: the answer was ${statusCode}.`);
      known = { voices: readVoices(text), until: performance.now() + voicesLastMs };
      return known.voices;
    },
    async speak(text, voice, rate, signal) {
      if (Buffer.byteLength(text) > mostBytes) {
        throw new SpeechRefused(
          'This message is too long for the voice. Shorten it, or choose a built-in voice.',
        );
      }
      const { statusCode, body } = await request(`${base}/v1/text:synthesize`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          input: { text },
          voice: { languageCode: languageOf(voice), name: voice },
          audioConfig: { audioEncoding: 'LINEAR16', sampleRateHertz, speakingRate: rate },
        }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(wholeMs)]),
      });
      const answer = await body.text();
      // 400: this text, a voice that no longer exists, or (Google's own 401) a wrong key. Everything else may
      // be temporary.
      if (statusCode === 400 && !answer.includes('API_KEY_INVALID')) {
        throw new SpeechRefused(
          'The voice can’t read this message. Change the text, or choose another voice.',
        );
      }
      if (statusCode !== 200) throw new Error(`Google did not read a message: the answer was ${statusCode}.`);
      const content = parseObject(answer)?.audioContent;
      if (typeof content !== 'string') throw new Error('Google answered without sound.');
      return Buffer.from(content, 'base64');
    },
  };
}

/** The first two parts of a voice's name: en-US of en-US-Neural2-C. */
function languageOf(voice: string): string {
  return voice.split('-').slice(0, 2).join('-');
}

function readVoices(text: string): SpeechVoice[] {
  const given = parseObject(text)?.voices;
  return (Array.isArray(given) ? given : []).flatMap((voice): SpeechVoice[] => {
    if (!isRecord(voice) || typeof voice.name !== 'string' || !Array.isArray(voice.languageCodes)) return [];
    const [language] = voice.languageCodes;
    if (typeof language !== 'string' || voice.name.length > 100) return [];
    const gender = { FEMALE: ', female', MALE: ', male' }[String(voice.ssmlGender)] ?? '';
    // "en-US-Neural2-C" and "en-US-Standard-A": the model, and the letter that distinguishes them.
    const [, , make = voice.name, ...rest] = voice.name.split('-');
    return [
      {
        id: voice.name,
        language,
        label: `${[make, ...rest].join(' ')}${gender}`,
        isNatural: make !== 'Standard',
      },
    ];
  });
}
