import sharp from 'sharp';
import { Refusal } from '../../contract/errors.ts';
import { classifyMedia as classifyMediaCall, uploadImage } from '../../contract/media.ts';
import { asAccount } from '../db.ts';
import type { FileStore } from '../files.ts';
import { recordEvents } from '../record-events.ts';
import { type App, serve, serveUpload } from '../serve.ts';
import { classifyMedia } from './classify-media.ts';
import { createImage, encodeImage } from './create-image.ts';
import { toMediaItem } from './rules.ts';

/** Twice the 216 px that a thread shows. */
const previewWidth = 432;

export function mediaRoutes(app: App, files: FileStore): void {
  serveUpload(app, uploadImage, async (_app, actor, { params, query }, bytes) => {
    const image = await encodeImage(bytes, query.use);
    const row = await asAccount(app.database, actor.accountId, async (trx) => {
      const made = await createImage(trx, files, image, { ...actor, fileName: params.FileName });
      await recordEvents(trx, actor, [{ kind: 'media.uploaded', id: made.media_id }]);
      return made;
    });
    return toMediaItem(row);
  });

  serve(app, classifyMediaCall, classifyMedia);

  // Carriers and telephones fetch pictures from here: whoever knows the unguessable key.
  app.http.get<{ Params: { key: string }; Querystring: { size?: string } }>(
    '/media/:key',
    { config: { callName: 'media' } },
    async (request, reply) => {
      if (!/^[\w-]{1,100}$/.test(request.params.key)) throw new Refusal('notFound');
      const row = await app.database.system
        .selectFrom('media')
        .select(['content_hash', 'content_type'])
        .where('public_key', '=', request.params.key)
        .executeTakeFirst();
      const bytes =
        row === undefined
          ? undefined
          : request.query.size === 'preview'
            ? await files.derive(row.content_hash, '-preview', (whole) =>
                sharp(whole).resize({ width: previewWidth, withoutEnlargement: true }).toBuffer(),
              )
            : await files.read(row.content_hash);
      if (row === undefined || bytes === undefined) throw new Refusal('notFound');
      // A key always means the same bytes.
      reply.header('cache-control', 'private, max-age=31536000, immutable');
      return reply.type(row.content_type).send(bytes);
    },
  );
}
