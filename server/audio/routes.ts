import type { FastifyRequest } from 'fastify';
import * as calls from '../../contract/audio.ts';
import { Refusal } from '../../contract/errors.ts';
import { asAccount } from '../db.ts';
import type { FileStore } from '../files.ts';
import type { Log } from '../log.ts';
import { admitLink } from '../media/admit-link.ts';
import { createSpeeches } from '../outside/speech.ts';
import { sendFile } from '../send-file.ts';
import { type App, serve, serveDownload, serveOutside, serveStream } from '../serve.ts';
import { deleteAudio, undoAudio, updateAudioSelection } from './change-audio.ts';
import { findMuLaw, wavHeadBytes } from './code-mulaw.ts';
import { downloadAudio, downloadAudioSelection } from './download-audio.ts';
import { listAudioRows, readAudioSummary, requireAudio } from './queries.ts';
import { createReader, createSpeech, listVoices, previewSpeech } from './speak-text.ts';
import { updateAudio } from './update-audio.ts';
import { clearIncoming, incomingFolder, uploadAudio } from './upload-audio.ts';

export function audioRoutes(app: App, files: FileStore, log: Log): void {
  const speeches = createSpeeches(app.config);
  const read = createReader({ speeches, log });
  void clearIncoming(incomingFolder(app.config.DATA_DIR));

  serve(app, calls.listAudio, (trx, actor, { query }) => listAudioRows(trx, actor, query));
  serve(app, calls.getAudioSummary, (trx, actor) => readAudioSummary(trx, actor));
  serve(app, calls.getAudio, (trx, actor, { params }) => requireAudio(trx, actor, params.AudioID));
  serveStream(app, calls.uploadAudio, (_app, actor, input, { stream }) =>
    uploadAudio({ ...app, files }, actor, input, stream),
  );
  serveOutside(app, calls.updateAudio, (_app, actor, input) => updateAudio(app, files, actor, input));
  serve(app, calls.updateAudioSelection, updateAudioSelection);
  serve(app, calls.deleteAudio, deleteAudio);
  serve(app, calls.undoAudio, undoAudio);
  serveDownload(app, calls.downloadAudio, (_app, actor, input) => downloadAudio(app, files, actor, input));
  serveDownload(app, calls.downloadAudioSelection, (_app, actor, input) =>
    downloadAudioSelection(app, files, actor, input),
  );
  serveOutside(app, calls.listVoices, () => listVoices({ speeches, log }));
  serveOutside(app, calls.previewSpeech, (_app, _actor, input) => previewSpeech(read, input));
  serveOutside(app, calls.createSpeech, (_app, actor, input) =>
    createSpeech({ app, files }, read, actor, input),
  );

  type SoundRequest = { Params: { account: string; key: string }; Querystring: { pass?: unknown } };
  const findCallSound = async ({
    params: { account, key },
    query: { pass },
  }: FastifyRequest<SoundRequest>) => {
    if (!/^\d{1,15}$/.test(account) || !/^[\w-]{1,100}$/.test(key)) throw new Refusal('notFound');
    const keep = await admitLink(app.database, `/media/audio/${account}/${key}`, pass);
    const accountId = Number(account);
    const row = await asAccount(app.database, accountId, (trx) =>
      trx
        .selectFrom('audio')
        .select('call_hash')
        .where('account_id', '=', accountId)
        .where('public_key', '=', key)
        .executeTakeFirst(),
    );
    const file = row === undefined ? undefined : await files.open(row.call_hash);
    if (file === undefined) throw new Refusal('notFound');
    return { file, keep };
  };

  // Browsers play recordings and carriers fetch them from here: anybody with a valid link.
  app.http.get<SoundRequest>(
    '/media/audio/:account/:key.wav',
    { config: { callName: 'audio' } },
    async (request, reply) => {
      const { file, keep } = await findCallSound(request);
      reply.type('audio/wav');
      reply.header('cache-control', keep);
      reply.header('accept-ranges', 'bytes');
      const range = rangeOf(request.headers.range, file.size);
      if (range !== undefined)
        reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${file.size}`);
      return sendFile(request, reply, file, range);
    },
  );

  // The same for an Asterisk, which can't read wav files in mu-law.
  app.http.get<SoundRequest>(
    '/media/audio/:account/:key.ulaw',
    { config: { callName: 'audio.plain' } },
    async (request, reply) => {
      const { file, keep } = await findCallSound(request);
      const head = await file.stream({ first: 0, last: wavHeadBytes - 1 }).toArray();
      reply.type('audio/basic').header('cache-control', keep);
      return sendFile(request, reply, file, findMuLaw(Buffer.concat(head)));
    },
  );
}

/** A single byte range, as players request when seeking; any other request gets the whole file. */
function rangeOf(header: string | undefined, size: number): { first: number; last: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to));
  return first <= last ? { first, last } : undefined;
}
