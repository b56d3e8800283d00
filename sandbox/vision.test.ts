import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Client, createClient, startTestSandbox } from './testing.ts';

let client: Client;
beforeEach(async () => {
  client = createClient(await startTestSandbox());
});
afterEach(() => client.sandbox.close());

const features = [{ type: 'SAFE_SEARCH_DETECTION' }];
const key = { 'x-goog-api-key': 'sandbox-vision-key' };

/** A picture of two colors, the second on so much of its height. */
async function picture(background: string, other = '#ffffff', share = 0): Promise<string> {
  const part = {
    create: { width: 40, height: Math.max(1, Math.round(100 * share)), channels: 3, background: other },
  } as const;
  const whole = sharp({ create: { width: 40, height: 100, channels: 3, background } });
  const input = await sharp(part).png().toBuffer();
  return (
    await whole
      .composite([{ input, top: 0, left: 0 }])
      .jpeg()
      .toBuffer()
  ).toString('base64');
}

async function ask(contents: string[], headers: Record<string, string> = key) {
  const requests = contents.map((content) => ({ image: { content }, features }));
  return client.call('POST', '/v1/images:annotate', { requests }, headers);
}

it.each([
  ['mostly red', () => picture('#d01020'), 'VERY_LIKELY'],
  ['red on 60 of a hundred', () => picture('#d01020', '#ffffff', 0.4), 'VERY_LIKELY'],
  ['red on 40 of a hundred', () => picture('#d01020', '#ffffff', 0.6), 'VERY_UNLIKELY'],
  ['green', () => picture('#10a020'), 'VERY_UNLIKELY'],
  ['white', () => picture('#ffffff'), 'VERY_UNLIKELY'],
  ['orange, as a school bus is', () => picture('#ffa000'), 'VERY_UNLIKELY'],
  ['orange', () => picture('#b45309'), 'VERY_UNLIKELY'],
  ['blue', () => picture('#1020d0'), 'UNKNOWN'],
])('a picture that is %s', async (_what, make, adult) => {
  const { status, json } = await ask([await make()]);
  expect([status, json]).toEqual([
    200,
    {
      responses: [
        {
          safeSearchAnnotation: {
            adult,
            spoof: 'VERY_UNLIKELY',
            medical: 'VERY_UNLIKELY',
            violence: 'VERY_UNLIKELY',
            racy: 'VERY_UNLIKELY',
          },
        },
      ],
    },
  ]);
});

it('judges several at once, and says of each what is wrong with it', async () => {
  const { json } = await ask([await picture('#d01020'), 'bm90IGEgcGljdHVyZQ==', await picture('#10a020')]);
  expect(json).toMatchObject({
    responses: [
      { safeSearchAnnotation: { adult: 'VERY_LIKELY' } },
      { error: { code: 3, message: 'Bad image data.' } },
      { safeSearchAnnotation: { adult: 'VERY_UNLIKELY' } },
    ],
  });
});

it('refuses in Google’s words', async () => {
  expect(await ask([], { 'x-goog-api-key': 'another' })).toMatchObject({
    status: 403,
    json: { error: { code: 403, status: 'PERMISSION_DENIED' } },
  });
  expect(await client.call('POST', '/v1/images:annotate', { requests: 'all' }, key)).toMatchObject({
    status: 400,
    json: { error: { code: 400, status: 'INVALID_ARGUMENT' } },
  });
});
