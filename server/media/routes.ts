import sharp from 'sharp';
import { setProfilePicture } from '../../contract/accounts.ts';
import { Refusal } from '../../contract/errors.ts';
import { classifyMedia as classifyMediaCall, uploadImage } from '../../contract/media.ts';
import { getUser } from '../accounts/queries.ts';
import { setPicture } from '../accounts/set-picture.ts';
import { getSecret } from '../auth/queries.ts';
import { userHash } from '../auth/rules.ts';
import { asAccount } from '../db.ts';
import type { FileStore } from '../files.ts';
import { recordEvents } from '../record-events.ts';
import { sendFile } from '../send-file.ts';
import { type App, serve, serveUpload } from '../serve.ts';
import { admitLink } from './admit-link.ts';
import { classifyMedia } from './classify-media.ts';
import { createImage, encodeImage } from './create-image.ts';
import { toMediaItem } from './rules.ts';

/** Twice the 216 px that a thread shows. */
const previewWidth = 432;
/** Twice the largest size that people see. */
const pictureSide = 192;

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

  serveUpload(app, setProfilePicture, async (_app, actor, _input, bytes) => {
    const { bytes: upright } = await encodeImage(bytes);
    const square = await sharp(upright)
      .resize({ width: pictureSide, height: pictureSide, fit: 'cover', position: 'attention' })
      .jpeg({ quality: 85 })
      .toBuffer();
    const hash = await files.save(square);
    const secret = await getSecret(app.database);
    return asAccount(app.database, actor.accountId, async (trx) => {
      await setPicture(trx, actor, hash);
      await recordEvents(trx, actor, [
        { kind: 'user.updated', id: actor.userId, changes: { Picture: 'changed' } },
      ]);
      return getUser(trx, actor, userHash(secret, actor.userId), app.config);
    });
  });

  app.http.get<{ Params: { key: string }; Querystring: { pass?: unknown } }>(
    '/media/people/:key',
    { config: { callName: 'media' } },
    async (request, reply) => {
      const { key } = request.params;
      if (!/^[\w-]{1,100}$/.test(key)) throw new Refusal('notFound');
      const keep = await admitLink(app.database, `/media/people/${key}`, request.query.pass);
      const row = await app.database.system
        .selectFrom('users')
        .select('picture_hash')
        .where('picture_key', '=', key)
        .executeTakeFirst();
      const file = row?.picture_hash ? await files.open(row.picture_hash) : undefined;
      if (file === undefined) throw new Refusal('notFound');
      return sendFile(request, reply.header('cache-control', keep).type('image/jpeg'), file);
    },
  );

  // Carriers and telephones fetch pictures from here: anybody with a valid link.
  app.http.get<{ Params: { key: string }; Querystring: { size?: string; pass?: unknown } }>(
    '/media/:key',
    { config: { callName: 'media' } },
    async (request, reply) => {
      const { key } = request.params;
      if (!/^[\w-]{1,100}$/.test(key)) throw new Refusal('notFound');
      const keep = await admitLink(app.database, `/media/${key}`, request.query.pass);
      const row = await app.database.system
        .selectFrom('media')
        .select(['content_hash', 'content_type'])
        .where('public_key', '=', key)
        .executeTakeFirst();
      if (row === undefined) throw new Refusal('notFound');
      if (request.query.size !== 'preview') {
        const file = await files.open(row.content_hash);
        if (file === undefined) throw new Refusal('notFound');
        return sendFile(request, reply.header('cache-control', keep).type(row.content_type), file);
      }
      const preview = await files.derive(row.content_hash, '-preview', (whole) =>
        sharp(whole).resize({ width: previewWidth, withoutEnlargement: true }).toBuffer(),
      );
      if (preview === undefined) throw new Refusal('notFound');
      return reply.header('cache-control', keep).type(row.content_type).send(preview);
    },
  );
}
