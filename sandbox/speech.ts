// Services that read typed words: Google Cloud Text-to-Speech and OpenAI's /v1/audio/speech, the parts that Muster speaks.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from './config.ts';
import { isRecord, readBody, send, sendJson } from './http.ts';
import { readAloud } from './read-aloud.ts';

/** Named as Google names voices; behind each is one of Flite's. */
const googleVoices: Record<string, { ssmlGender: 'MALE' | 'FEMALE'; flite: string }> = {
  'en-US-Neural2-D': { ssmlGender: 'MALE', flite: 'rms' },
  'en-US-Neural2-F': { ssmlGender: 'FEMALE', flite: 'slt' },
  'en-GB-Standard-B': { ssmlGender: 'MALE', flite: 'awb' },
};
const openVoices: Record<string, string> = { alloy: 'rms', nova: 'slt', onyx: 'awb', echo: 'kal16' };
const sampleRate = 16_000;
const mostGoogleBytes = 5000;
const mostOpenCharacters = 4096;

export function isSpeechPath(path: string): boolean {
  return path === '/v1/voices' || path === '/v1/text:synthesize' || path === '/v1/audio/speech';
}

export async function serveSpeech(
  config: Config,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (path === '/v1/audio/speech') return serveOpen(config, request, response);
  return serveGoogle(config, request, response, path);
}

function googleError(response: ServerResponse, code: number, status: string, message: string): void {
  sendJson(response, code, { error: { code, message, status } });
}

async function serveGoogle(config: Config, request: IncomingMessage, response: ServerResponse, path: string) {
  const key =
    request.headers['x-goog-api-key'] ?? new URL(request.url ?? '', 'http://sandbox').searchParams.get('key');
  if (key !== config.googleSpeechApiKey) {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
    const message = 'API key not valid. Please pass a valid API key.';
    return sendJson(response, 400, { error: { code: 400, message, status: 'INVALID_ARGUMENT', details } });
  }
  if (path === '/v1/voices') {
    const voices = Object.entries(googleVoices).map(([name, { ssmlGender }]) => ({
      languageCodes: [name.split('-').slice(0, 2).join('-')],
      name,
      ssmlGender,
      naturalSampleRateHertz: 24_000,
    }));
    return sendJson(response, 200, { voices });
  }
  const body = await readJson(request);
  const input = isRecord(body.input) ? body.input.text : undefined;
  const asked = isRecord(body.voice) ? body.voice : {};
  const audio = isRecord(body.audioConfig) ? body.audioConfig : {};
  const voice = typeof asked.name === 'string' ? googleVoices[asked.name] : undefined;
  if (typeof input !== 'string' || input === '' || Buffer.byteLength(input) > mostGoogleBytes) {
    return googleError(
      response,
      400,
      'INVALID_ARGUMENT',
      'Either `input.text` or `input.ssml` is longer than the limit of 5000 bytes.',
    );
  }
  if (voice === undefined || !String(asked.name).startsWith(`${asked.languageCode}-`)) {
    return googleError(response, 400, 'INVALID_ARGUMENT', `Voice '${asked.name}' does not exist.`);
  }
  if (audio.audioEncoding !== 'LINEAR16' || audio.sampleRateHertz !== sampleRate) {
    return googleError(response, 400, 'INVALID_ARGUMENT', 'The sandbox only gives LINEAR16 at 16000 Hz.');
  }
  const rate = typeof audio.speakingRate === 'number' ? audio.speakingRate : 1;
  if (rate < 0.25 || rate > 2)
    return googleError(response, 400, 'INVALID_ARGUMENT', 'Invalid speaking_rate.');
  const wav = await readAloud({ text: input, voice: voice.flite, rate });
  sendJson(response, 200, { audioContent: wav.toString('base64') });
}

function openError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { message, type: 'invalid_request_error', param: null, code: null } });
}

async function serveOpen(config: Config, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.headers.authorization !== `Bearer ${config.speechApiKey}`) {
    return openError(response, 401, 'Incorrect API key provided.');
  }
  const { model, voice, input, response_format: format, speed = 1 } = await readJson(request);
  if (typeof model !== 'string' || model === '')
    return openError(response, 400, 'you must provide a model parameter');
  const flite = typeof voice === 'string' && Object.hasOwn(openVoices, voice) ? openVoices[voice] : undefined;
  if (flite === undefined) return openError(response, 400, `Unsupported voice: ${voice}`);
  if (typeof input !== 'string' || input === '' || input.length > mostOpenCharacters) {
    return openError(response, 400, 'input must have between 1 and 4096 characters');
  }
  if (format !== 'wav') return openError(response, 400, 'The sandbox only gives wav.');
  if (typeof speed !== 'number' || speed < 0.25 || speed > 4)
    return openError(response, 400, 'Invalid speed');
  send(response, 200, 'audio/wav', await readAloud({ text: input, voice: flite, rate: speed }));
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse((await readBody(request)).toString('utf8'));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
