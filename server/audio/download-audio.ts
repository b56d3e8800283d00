import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { ZipFile } from 'yazl';
import {
  type downloadAudio as definition,
  mostDownloads,
  type downloadAudioSelection as selectionDefinition,
} from '../../contract/audio.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import { asAccount } from '../db.ts';
import type { FileStore } from '../files.ts';
import { selectedRows } from '../selection.ts';
import type { Actor, App, Download } from '../serve.ts';
import { type AudioFiles, listFiles, requireFiles, shownAudio } from './queries.ts';
import { encodeMp3InThread } from './run-thread.ts';

export async function downloadAudio(
  app: App,
  files: FileStore,
  actor: Actor,
  { params, query }: Input<typeof definition>,
): Promise<Download> {
  const row = await asAccount(app.database, actor.accountId, (trx) =>
    requireFiles(trx, actor, params.AudioID, query.Include),
  );
  return {
    fileName: `${fileNameOf(row.name)}.mp3`,
    contentType: 'audio/mpeg',
    stream: await openMp3(files, row),
  };
}

/**
 * Several recordings in one archive. They are prepared one after the other, while the earlier ones are sent.
 */
export async function downloadAudioSelection(
  app: App,
  files: FileStore,
  actor: Actor,
  { query }: Input<typeof selectionDefinition>,
): Promise<Download> {
  const Items = query.items === '' ? [] : query.items.split(',').map(Number);
  const rows = selectedRows(sql`a.audio_id`, { Type: query.select, Items }, shownAudio(actor, query));
  const found = await asAccount(app.database, actor.accountId, (trx) => listFiles(trx, rows, mostDownloads));
  if (found.length === 0) throw new Refusal('refused', 'Those recordings are no longer here.');
  if (found.length > mostDownloads) {
    throw new Refusal('refused', `Download at most ${mostDownloads} recordings at a time.`);
  }
  const zip = new ZipFile();
  const taken = new Map<string, number>();
  for (const row of found) {
    const name = fileNameOf(row.name);
    const times = (taken.get(name.toLowerCase()) ?? 0) + 1;
    taken.set(name.toLowerCase(), times);
    zip.addReadStreamLazy(`${name}${times > 1 ? ` (${times})` : ''}.mp3`, { compress: false }, (give) => {
      openMp3(files, row).then(
        (stream) => give(null, stream),
        (error) => give(error, Readable.from([])),
      );
    });
  }
  zip.end();
  return {
    fileName: 'Recordings.zip',
    contentType: 'application/zip',
    stream: Readable.from(zip.outputStream),
  };
}

/**
 * A recording that was uploaded as mp3 is returned unchanged; others are encoded on first request and saved.
 */
async function openMp3(files: FileStore, row: AudioFiles): Promise<Readable> {
  const isOriginal = row.original_type === 'audio/mpeg' && row.original_hash !== null && !row.is_silence_cut;
  const file = isOriginal
    ? await files.open(row.original_hash ?? '')
    : await files.open(row.call_hash, '.mp3');
  if (file !== undefined) return file.stream();
  const made = isOriginal ? undefined : await files.derive(row.call_hash, '.mp3', encodeMp3InThread);
  if (made === undefined) throw new Refusal('notFound', 'The file of that recording is no longer here.');
  return Readable.from([made]);
}

/** A name that is valid in every file system. */
function fileNameOf(name: string): string {
  return (
    name
      .replace(/[\\/:*?"<>|\p{C}]/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim() || 'Recording'
  );
}
