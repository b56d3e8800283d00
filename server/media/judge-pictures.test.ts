import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listConversations, listTextMessages } from '../../contract/conversations.ts';
import { classifyMedia, uploadImage } from '../../contract/media.ts';
import { createPictureCheck } from '../outside/picture-check.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;
let service: Server;
/** The service's next reply, and the requests it got. */
let says: { status: number; body: unknown };
const asked: { key: unknown; url: string | undefined; features: unknown; bytes: number }[] = [];

/** A reply of Google Cloud Vision. */
function found(adult: string, racy = 'VERY_UNLIKELY') {
  const safeSearchAnnotation = { adult, spoof: 'UNLIKELY', medical: 'UNLIKELY', violence: 'UNLIKELY', racy };
  return { status: 200, body: { responses: [{ safeSearchAnnotation }] } };
}

beforeAll(async () => {
  service = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const [one] = JSON.parse(Buffer.concat(chunks).toString()).requests;
    const bytes = Buffer.from(one.image.content, 'base64').length;
    asked.push({ key: request.headers['x-goog-api-key'], url: request.url, features: one.features, bytes });
    reply.writeHead(says.status, { 'content-type': 'application/json' }).end(JSON.stringify(says.body));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  app = await testApp(
    { [number]: 'infobip' },
    {
      VISION_API_KEY: 'vision-key',
      VISION_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    },
  );
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
});
afterAll(() => {
  service.close();
});
beforeEach(() => {
  asked.length = 0;
  says = found('VERY_UNLIKELY');
});

let serial = 0;
/** A telephone sends a picture; returns what the thread shows of it once it is fetched. */
async function receivePicture(): Promise<{ mediaId: number; show(): Promise<unknown> }> {
  serial += 1;
  const phone = `4235552${String(serial).padStart(3, '0')}`;
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#a30' } })
    .png()
    .toBuffer();
  await app.sandbox.text(phone, number, 'Look', [
    { ContentType: 'image/png', Data: picture.toString('base64') },
  ]);
  const media = async () => {
    const { Items } = (await app.call(listConversations, { query: { q: phone } }, account.owner)).body;
    const [conversation] = Items;
    if (conversation === undefined) return undefined;
    const params = { ConversationID: conversation.ConversationID };
    const texts = (await app.call(listTextMessages, { params }, account.owner)).body.Items;
    return texts[0]?.Media[0];
  };
  const { mediaId } = await app.until(media);
  return {
    mediaId,
    async show() {
      await app.drain();
      const shown = await media();
      return [shown?.explicitStatus, shown?.isClean, shown?.isExplicit];
    },
  };
}

function classify(mediaId: number, ExplicitStatus: 4 | 6, as: BuiltUser = account.owner) {
  return app.call(classifyMedia, { params: { MediaID: mediaId }, body: { ExplicitStatus } }, as);
}

it('an inbound picture is sent to the service, and its result is kept', async () => {
  const clean = await receivePicture();
  expect(await clean.show()).toEqual([3, true, false]);
  expect(asked).toEqual([
    {
      key: 'vision-key',
      url: '/v1/images:annotate',
      features: [{ type: 'SAFE_SEARCH_DETECTION' }],
      bytes: expect.any(Number),
    },
  ]);
  says = found('LIKELY');
  expect(await (await receivePicture()).show()).toEqual([5, false, true]);
  says = found('UNLIKELY', 'VERY_LIKELY');
  expect(await (await receivePicture()).show()).toEqual([5, false, true]);
});

it.each([
  ['red', '#d01020', 'explicit'],
  ['green', '#10a020', 'clean'],
  ['blue', '#1020d0', 'unknown'],
])('the sandbox simulates the service: a picture that is %s', async (_name, background, verdict) => {
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background } });
  const check = createPictureCheck({
    VISION_API_KEY: 'sandbox-vision-key',
    VISION_BASE_URL: app.sandbox.url,
  });
  expect(await check?.judge(await picture.jpeg().toBuffer())).toBe(verdict);
});

it('a service without a result leaves the picture unclassified, permanently', async () => {
  says = { status: 200, body: { responses: [{ error: { code: 3, message: 'Bad image data.' } }] } };
  expect(await (await receivePicture()).show()).toEqual([null, false, false]);
  says = { status: 400, body: { error: { code: 400 } } };
  expect(await (await receivePicture()).show()).toEqual([null, false, false]);
  asked.length = 0;
  await comeLater();
  expect(asked).toEqual([]);
});

/** As if the next try were due. */
async function comeLater(): Promise<void> {
  await app.database.system
    .updateTable('media')
    .set({ explicit_due_at: new Date(0) })
    .where('explicit_due_at', 'is not', null)
    .execute();
  await app.drain();
}

it('a service that is down is asked again later, eight times at the most', async () => {
  says = { status: 503, body: {} };
  const picture = await receivePicture();
  expect(await picture.show()).toEqual([null, false, false]);
  expect(asked).toHaveLength(1);
  await comeLater();
  says = found('LIKELY');
  await comeLater();
  expect(await picture.show()).toEqual([5, false, true]);

  says = { status: 429, body: {} };
  asked.length = 0;
  await receivePicture();
  for (let tries = 0; tries < 10; tries += 1) await comeLater();
  expect(asked).toHaveLength(8);
});

it('a user’s decision overrides the service’s, in any order', async () => {
  says = found('VERY_LIKELY');
  const picture = await receivePicture();
  expect(await picture.show()).toEqual([5, false, true]);
  const said = await classify(picture.mediaId, 4);
  expect(said.body).toMatchObject({
    mediaId: picture.mediaId,
    explicitStatus: 4,
    isClean: true,
    isExplicit: false,
  });
  expect(await picture.show()).toEqual([4, true, false]);

  says = { status: 503, body: {} };
  const early = await receivePicture();
  await app.drain();
  await classify(early.mediaId, 6);
  // A try that was in progress when the user decided.
  await app.database.system
    .updateTable('media')
    .set({ explicit_due_at: new Date(0) })
    .where('media_id', '=', early.mediaId)
    .execute();
  says = found('VERY_UNLIKELY');
  expect(await early.show()).toEqual([6, false, true]);
});

it('a user without the number, or of another account, does not find the picture', async () => {
  const { mediaId } = await receivePicture();
  const without = await buildUser(app, account.accountId, 'user');
  const having = await buildUser(app, account.accountId, 'user', {
    textNumberIds: [account.numbers[number] ?? 0],
  });
  const other = await buildAccount(app);
  expect((await classify(mediaId, 6, without)).status).toBe(404);
  expect((await classify(mediaId, 6, other.owner)).status).toBe(404);
  expect((await classify(mediaId, 6, having)).status).toBe(200);
});

it('our own pictures are sent to no service', async () => {
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#a30' } })
    .png()
    .toBuffer();
  const path = uploadImage.path.replace(':FileName', 'a.png');
  const answer = await fetch(`${app.url}/proxy/api${path}`, {
    method: 'POST',
    headers: { cookie: account.owner.cookie, 'content-type': 'image/png' },
    body: new Uint8Array(picture),
  });
  expect(await answer.json()).toMatchObject({ explicitStatus: null, isExplicit: false });
  await app.drain();
  expect(asked).toEqual([]);
});
