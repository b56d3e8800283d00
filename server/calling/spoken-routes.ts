import { Refusal } from '../../contract/errors.ts';
import type { LanguageCode } from '../../contract/reference/languages.ts';
import { writePlainMuLaw } from '../audio/code-mulaw.ts';
import { callRate } from '../audio/rules.ts';
import { createReader } from '../audio/speak-text.ts';
import type { Log } from '../log.ts';
import { secondsLeft } from '../media-links.ts';
import { readWords } from '../outside/calls-asterisk.ts';
import { fliteSpeech } from '../outside/speech-flite.ts';
import type { App } from '../serve.ts';

/** The voice that a telephone distorts least. */
const voices: Readonly<Record<LanguageCode, string>> = { en: 'flite:rms', es: 'flite:rms-es' };
const mostSilence = 60;
/** The same URL always means the same sound. */
const forever = 'private, max-age=31536000, immutable';
/** Silence in mu-law. */
const silent = 0xff;

/**
 * Everything that calls say besides the message, for an Asterisk, which can't read text aloud: it fetches the
 * words as sound, and the pauses between them. Only words that this installation has signed are read.
 */
export function spokenRoutes(app: App, log: Log): void {
  const password = app.config.ASTERISK_PASSWORD;
  if (password === undefined) return;
  const read = createReader({ speeches: [fliteSpeech()], log });

  app.http.get<{ Params: { signature: string; words: string }; Querystring: { pass?: unknown } }>(
    '/media/words/:signature/:words.ulaw',
    { config: { callName: 'words' } },
    async (request, reply) => {
      const { signature, words: path } = request.params;
      const said = readWords(password, signature, path);
      const left = secondsLeft(password, `/media/words/${signature}/${path}`, String(request.query.pass));
      if (said === undefined || left === undefined) throw new Refusal('notFound');
      if (left <= 0) throw new Refusal('linkExpired');
      const { language, words } = said;
      const { wav } = await read({ Text: words, VoiceID: voices[language], Rate: 1 });
      reply.header('content-disposition', `inline; filename*=UTF-8''${encodeURIComponent(words)}.ulaw`);
      const keep = `private, max-age=${left}, immutable`;
      return reply.type('audio/basic').header('cache-control', keep).send(writePlainMuLaw(wav));
    },
  );

  app.http.get<{ Params: { seconds: string } }>(
    '/media/silence/:seconds.ulaw',
    { config: { callName: 'silence' } },
    async (request, reply) => {
      const seconds = Number(request.params.seconds);
      if (!(seconds > 0 && seconds <= mostSilence)) throw new Refusal('notFound');
      const bytes = Buffer.alloc(Math.round(seconds * callRate), silent);
      return reply.type('audio/basic').header('cache-control', forever).send(bytes);
    },
  );
}
