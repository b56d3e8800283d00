import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { audioNameLength, audioOriginHeader, type uploadAudio as definition } from '../../contract/audio.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import { nowMs } from '../clock.ts';
import { asAccount } from '../db.ts';
import type { FileStore } from '../files.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { createAudio } from './create-audio.ts';
import { requireAudio } from './queries.ts';
import { BadAudio, nameOfFile } from './rules.ts';
import { prepareInThread, warmThread } from './run-thread.ts';

/**
 * Accepts an uploaded file, prepares it for calls and saves both. Meanwhile the file is on disk, so that
 * fifty megabytes from several people at once don't fill the memory. An unusable file leaves nothing behind.
 */
export async function uploadAudio(
  { config, database, files }: App & { files: FileStore },
  actor: Actor,
  { params, query, headers }: Input<typeof definition>,
  stream: Readable,
) {
  const folder = incomingFolder(config.DATA_DIR);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const origin = headers[audioOriginHeader];
  try {
    warmThread();
    const hash = await keepBytes(path, stream);
    const sound = await prepareInThread({ path }, { isStrict: origin === 'Upload' });
    await files.adopt(path, hash);
    const insert = await createAudio(files, sound, {
      ...actor,
      name: nameOfFile(params.FileName, audioNameLength),
      audioType: query.type,
      origin,
      original: { hash },
      isSilenceCut: query.cutsilence,
    });
    return await asAccount(database, actor.accountId, async (trx) => {
      const audioId = await insert(trx);
      await recordEvents(trx, actor, [{ kind: 'audio.created', id: audioId }]);
      return requireAudio(trx, actor, audioId);
    });
  } catch (error) {
    throw error instanceof BadAudio ? new Refusal('refused', error.message) : error;
  } finally {
    await rm(path, { force: true });
  }
}

export function incomingFolder(dataDir: string): string {
  return join(resolve(dataDir), 'audio-incoming');
}

async function keepBytes(path: string, stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(
    stream,
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        hash.update(piece);
        yield piece;
      }
    },
    createWriteStream(path, { mode: 0o600, flush: true }),
  );
  return hash.digest('hex');
}

const leftoverMs = 60 * 60_000;

/** Files that were left there when a server was killed during an upload. */
export async function clearIncoming(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (nowMs() - mtimeMs > leftoverMs) await rm(path, { force: true });
  }
}
