import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import {
  type uploadFile as definition,
  type FileTab,
  type FileUpload,
  fileColumns,
  fileUpload,
  importLimits,
} from '../../contract/imports.ts';
import { fileNotProcessed } from '../../contract/uploads/file-name.ts';
import { asAccount, type Trx } from '../db.ts';
import type { FileStore } from '../files.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { findHeader, guessColumns, shapeHash } from './guess-columns.ts';
import { lookIntoFile } from './look-into-file.ts';
import { countryOf, type FileStructure, getFile } from './queries.ts';
import { type TabStart, widthOf } from './read-structure.ts';
import { BadFile, onlyHeadings } from './rules.ts';
import { prepareThread } from './run-in-thread.ts';

/** Stores an uploaded file, and returns its structure. An unreadable file leaves nothing behind. */
export async function uploadFile(
  app: App & { files: Pick<FileStore, 'uploads'> },
  actor: Actor,
  { params }: Input<typeof definition>,
  { stream, left }: { stream: Readable; left: AbortSignal },
): Promise<FileUpload> {
  const { uploads } = app.files;
  const folder = uploads.arrivals;
  const key = randomUUID();
  const path = join(folder, key);
  // The importing worker is in this process, or else in another one.
  await keepBytes(folder, path, stream, app.config.ROLE === 'all' ? prepareThread : () => undefined);
  try {
    const start = await lookIntoFile(path, left);
    const { size } = await stat(path);
    await uploads.keep(key);
    return await asAccount(app.database, actor.accountId, async (trx) => {
      const Tabs = await describeTabs(trx, actor, start.tabs);
      const structure: FileStructure = { Tabs, format: start.format };
      const { file_id } = await trx
        .insertInto('file_uploads')
        .values({
          account_id: actor.accountId,
          user_id: actor.userId,
          file_key: key,
          file_name: plainName(params.FileName),
          byte_size: size,
          structure: JSON.stringify(structure),
        })
        .returning('file_id')
        .executeTakeFirstOrThrow();
      await recordEvents(trx, actor, [{ kind: 'file.uploaded', id: file_id }]);
      // A file without a possible reply, or whose client has disconnected, is not kept: it would be listed
      // for weeks.
      const file = fileUpload.parse(await getFile(trx, actor, file_id));
      left.throwIfAborted();
      return file;
    });
  } catch (error) {
    // A file that the bucket refuses to remove now is removed at night.
    await uploads.remove(key).catch(() => undefined);
    if (error instanceof BadFile || left.aborted) throw new Refusal('refused', sentenceOf(error));
    throw error;
  }
}

/** Nobody reads the reply to a client that has disconnected. */
function sentenceOf(error: unknown): string {
  return error instanceof BadFile ? error.message : fileNotProcessed;
}

/** From some ten thousand rows on, hiding the start-up time of a thread is worth it. */
const largeBytes = 1_000_000;

/** Under a temporary name first: a partial file, left by a browser that was closed, is removed. */
async function keepBytes(folder: string, path: string, stream: Readable, onLarge: () => void): Promise<void> {
  const unfinished = `${path}.part`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await pipeline(
      stream,
      async function* (pieces: AsyncIterable<Buffer>) {
        let size = 0;
        for await (const piece of pieces) {
          if (size < largeBytes && size + piece.length >= largeBytes) onLarge();
          size += piece.length;
          yield piece;
        }
      },
      createWriteStream(unfinished, { flush: true, mode: 0o600 }),
    );
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** A display name: without folders and control characters. */
function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  return last.replace(/\p{C}/gu, '').trim() || 'contacts';
}

async function describeTabs(trx: Trx, actor: Actor, starts: TabStart[]): Promise<FileTab[]> {
  const countryId = await countryOf(trx, actor.accountId);
  const fields = await trx
    .selectFrom('custom_fields')
    .select('name')
    .where('account_id', '=', actor.accountId)
    .execute();
  const drafts = starts.map((start) => {
    const { hasHeader: HasHeader, titleRows } = findHeader(
      start.rows.map(({ cells }) => cells),
      countryId,
    );
    return {
      start,
      HasHeader,
      TitleRows: titleRows,
      headings: HasHeader ? (start.rows[titleRows]?.cells ?? []) : undefined,
      rows: start.rows.slice(HasHeader ? titleRows + 1 : 0),
    };
  });
  if (drafts.every(({ start, rows }) => start.isWhole && rows.length === 0)) {
    throw new BadFile(onlyHeadings);
  }
  const remembered = await rememberedColumns(
    trx,
    actor,
    drafts.flatMap(({ headings }) => (headings === undefined ? [] : [shapeHash(headings)])),
  );
  return drafts.map(({ start, HasHeader, TitleRows, headings, rows }, index) => {
    const width = widthOf(start);
    const known = headings && remembered.get(shapeHash(headings).toString('hex'));
    const guess = guessColumns(
      headings,
      rows.map(({ cells }) => cells),
      { countryId, fieldNames: fields.map(({ name }) => name) },
    );
    return {
      ...(known ?? guess),
      TabNumber: index + 1,
      TabName: start.name,
      HasHeader,
      TitleRows,
      RowCount: start.isWhole ? rows.length : null,
      Columns: Array.from({ length: width }, (_, at) => ({
        ColumnNumber: at + 1,
        Header: headings?.[at]?.trim() ?? '',
      })),
      Rows: rows
        .slice(0, importLimits.previewRows)
        .map(({ number, cells }) => ({ RowNumber: number, Cells: cells })),
      IsRemembered: known !== undefined,
    };
  });
}

/** The last assignment of the columns in files of these shapes. */
async function rememberedColumns(trx: Trx, actor: Actor, hashes: Buffer[]) {
  if (hashes.length === 0) return new Map<string, never>();
  const shapes = await trx
    .selectFrom('file_shapes')
    .select(['shape_hash', 'columns'])
    .where('account_id', '=', actor.accountId)
    .where('shape_hash', 'in', hashes)
    .execute();
  return new Map(
    shapes.map(({ shape_hash, columns }) => [shape_hash.toString('hex'), fileColumns.parse(columns)]),
  );
}
