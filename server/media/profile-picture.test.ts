import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { listAccountUsers } from '../../contract/account-users.ts';
import { deleteProfilePicture, getUser } from '../../contract/accounts.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
});

const put = (body: Buffer) =>
  fetch(`${app.url}/proxy/api/user/profilepicture`, {
    method: 'PUT',
    headers: { cookie: account.owner.cookie, 'content-type': 'image/png' },
    body: new Uint8Array(body),
  });

it('is cropped to a square and small, shown to colleagues, and removed again', async () => {
  const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const reply = await put(photo);
  const { PictureUrl } = (await reply.json()) as { PictureUrl: string };
  expect([reply.status, PictureUrl]).toEqual([
    200,
    expect.stringMatching(/^\/media\/people\/[\w-]{22}\?pass=[\w-]+$/),
  ]);
  const picture = await fetch(app.url + PictureUrl);
  const { width, height, format } = await sharp(await picture.arrayBuffer()).metadata();
  expect([picture.headers.get('content-type'), width, height, format]).toEqual([
    'image/jpeg',
    192,
    192,
    'jpeg',
  ]);
  const list = await app.call(listAccountUsers, { query: {} }, account.owner);
  expect(list.body.Items[0]?.PictureUrl).toBe(PictureUrl);

  expect((await app.call(deleteProfilePicture, {}, account.owner)).body.PictureUrl).toBeNull();
  expect((await fetch(app.url + PictureUrl)).status).toBe(404);
  expect((await app.call(getUser, {}, account.owner)).body.PictureUrl).toBeNull();
});

it('accepts only pictures', async () => {
  const reply = await put(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  expect([reply.status, await reply.json()]).toEqual([
    422,
    expect.objectContaining({
      Message: 'Unsupported image format. You can send either .png or .jpg images.',
    }),
  ]);
  expect((await put(Buffer.alloc(0))).status).toBe(400);
});
