/** Long because all of it uploads pictures to one account with a number of each carrier, set up once. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { deflateSync } from 'node:zlib';
import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createConversation, listConversations, listTextMessages } from '../../contract/conversations.ts';
import { errorBody } from '../../contract/error-body.ts';
import { nowMs, shiftClock } from '../clock.ts';
import { openOwnerPool } from '../db.ts';
import { linkTo } from '../media-links.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

const numbers = { '14235550100': 'infobip', '14235550120': 'twilio' } as const;
const unsupported = 'Unsupported image format. You can send either .png or .jpg images.';
const dayMs = 86_400_000;
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp(numbers);
  account = await buildAccount(app, { numbers });
});

function plain(width = 40, height = 30) {
  return sharp({ create: { width, height, channels: 3, background: '#3a6' } });
}

/** A picture that compresses badly, like photographs. */
async function noise(width: number, height: number): Promise<Buffer> {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

async function upload(name: string, bytes: Buffer, type = 'image/png', query = '') {
  const answer = await fetch(`${app.url}/proxy/api/media/image/${encodeURIComponent(name)}${query}`, {
    method: 'POST',
    headers: { cookie: account.owner.cookie, 'content-type': type },
    body: new Uint8Array(bytes),
  });
  const body: unknown = await answer.json();
  return { status: answer.status, body };
}

interface MediaItem {
  mediaId: number;
  contentType: string;
  fileName: string;
  full: string;
  preview: string;
}

async function accepted(name: string, bytes: Buffer): Promise<MediaItem> {
  const { status, body } = await upload(name, bytes);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body as MediaItem;
}

async function fetchBytes(address: string) {
  const answer = await fetch(app.url + address);
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

async function countMedia(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from media`.execute(
    app.database.system,
  );
  return rows[0]?.count ?? 0;
}

describe('a picture', () => {
  it.each([
    ['a.png', 'image/png', () => plain().png().toBuffer()],
    ['a.jpg', 'image/jpeg', () => plain().jpeg().toBuffer()],
    ['a.jpeg', 'image/jpeg', () => plain().jpeg({ progressive: true }).toBuffer()],
    // A jpg called .png is recognized as a jpg.
    ['b.png', 'image/jpeg', () => plain().jpeg().toBuffer()],
  ])('%s is kept and served as %s to a client with its key', async (name, contentType, make) => {
    const item = await accepted(name, await make());
    expect(item).toMatchObject({ contentType, fileName: name });
    expect(item.full).toMatch(/^\/media\/[\w-]{24}\?pass=[\w-]+$/);
    for (const address of [item.full, item.preview]) {
      const { status, headers, bytes } = await fetchBytes(address);
      expect([status, headers.get('content-type')]).toEqual([200, contentType]);
      expect(headers.get('cache-control')).toContain('immutable');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 40, height: 30 });
    }
    const row = await app.database.system
      .selectFrom('media')
      .selectAll()
      .where('media_id', '=', item.mediaId)
      .executeTakeFirstOrThrow();
    const { bytes } = await fetchBytes(item.full);
    expect(row).toMatchObject({
      account_id: account.accountId,
      created_by_user_id: account.owner.userId,
      content_hash: createHash('sha256').update(bytes).digest('hex'),
      byte_size: bytes.length,
      width: 40,
      height: 30,
    });
  });

  it('is not found by its id, by another key or by a path', async () => {
    const item = await accepted('a.png', await plain().png().toBuffer());
    const [key = '', pass] = item.full.slice('/media/'.length).split('?');
    for (const guess of [
      String(item.mediaId),
      `${String(item.mediaId)}?${pass}`,
      // Without a pass nothing is found, even with the right key.
      key,
      `${key}?pass=`,
      `${key}?${pass}&${pass}`,
      `${key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase()}?${pass}`,
      `${key.slice(1)}?${pass}`,
      '..%2F..%2Fetc%2Fpasswd',
      '%00',
    ]) {
      expect([guess, (await fetchBytes(`/media/${guess}`)).status]).toEqual([guess, 404]);
    }
  });

  it('has a link that is the same all day, expires and then says so', async () => {
    const item = await accepted('a.png', await plain().png().toBuffer());
    const [path = ''] = item.full.split('?');
    const toCarrier = linkTo(path, 'carrier');
    const forged = item.full.replace(/pass=\w+/, (pass) =>
      pass.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    );
    const statusAfter = async (ms: number, ...links: string[]) => {
      shiftClock(ms);
      try {
        return await Promise.all(links.map(async (link) => (await fetchBytes(link)).status));
      } finally {
        shiftClock(-ms);
      }
    };
    const untilMidnight = dayMs - (nowMs() % dayMs);
    shiftClock(untilMidnight - 60_000);
    expect(linkTo(path, 'page')).toBe(item.full);
    shiftClock(60_000 - untilMidnight);

    expect(await statusAfter(0, item.full, item.preview, toCarrier, forged)).toEqual([200, 200, 200, 404]);
    // Nobody keeps it for longer than the link is good.
    const { headers } = await fetchBytes(item.full);
    const maxAge = Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1]);
    expect(Math.abs(maxAge * 1000 - untilMidnight - dayMs)).toBeLessThan(60_000);

    const lastMinute = untilMidnight + dayMs - 60_000;
    expect(await statusAfter(lastMinute, item.full, item.preview)).toEqual([200, 200]);
    expect(await statusAfter(lastMinute + 61_000, item.full, item.preview, toCarrier)).toEqual([
      410, 410, 200,
    ]);
    expect(await statusAfter(lastMinute + 6 * dayMs, toCarrier)).toEqual([200]);
    shiftClock(lastMinute + 6 * dayMs + 61_000);
    const gone = await fetch(app.url + toCarrier);
    shiftClock(-(lastMinute + 6 * dayMs + 61_000));
    expect([gone.status, await gone.json()]).toEqual([
      410,
      {
        ErrorCode: 410,
        ErrorType: 'Display',
        Message:
          'This link has expired. Open the page it came from, or repeat the API call, to get a new one.',
      },
    ]);
  });

  it('has working links of the previous version for two weeks after the upgrade', async () => {
    const item = await accepted('a.png', await plain().png().toBuffer());
    const [old = ''] = item.full.split('?');
    const owner = openOwnerPool(app.databaseUrl, 1);
    onTestFinished(() => owner.end());
    const until = (moment: string | null) =>
      owner.query('update installation set old_links_until = $1', [moment]);
    expect((await fetchBytes(old)).status).toBe(404);
    await until(new Date(nowMs() + dayMs).toISOString());
    expect([(await fetchBytes(old)).status, (await fetchBytes(`${old}?size=preview`)).status]).toEqual([
      200, 200,
    ]);
    await until(new Date(nowMs() - 1000).toISOString());
    expect((await fetchBytes(old)).status).toBe(410);
    await until(null);
  });

  it('loses its location, and is rotated upright', async () => {
    const withPlace = await plain(40, 30)
      .withExif({ IFD0: { Copyright: 'secret-copyright' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(withPlace).metadata()).exif).toBeDefined();
    const item = await accepted('place.jpg', withPlace);
    const { bytes } = await fetchBytes(item.full);
    const found = await sharp(bytes).metadata();
    expect([found.exif, found.orientation, found.width, found.height]).toEqual([
      undefined,
      undefined,
      30,
      40,
    ]);
    expect(bytes.includes('secret-copyright')).toBe(false);
  });

  it('that is large is scaled down until carriers accept it', async () => {
    const large = await noise(1150, 1150);
    expect(large.length).toBeGreaterThan(3_500_000);
    const item = await accepted('photo.png', large);
    const { bytes } = await fetchBytes(item.full);
    expect(bytes.length).toBeLessThanOrEqual(600_000);
    expect(item.contentType).toBe('image/jpeg');
    const { width = 0, height = 0 } = await sharp(bytes).metadata();
    expect(width).toBe(height);
    expect(width).toBeGreaterThanOrEqual(640);
    const preview = await fetchBytes(item.preview);
    expect((await sharp(preview.bytes).metadata()).width).toBe(432);
  });
});

/**
 * A png of one color with a large declared size: some 100 kB on the wire, gigabytes when it is decompressed.
 */
function bomb(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(Math.ceil(side / 8 + 1) * side))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

describe('a refused picture', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';

  it.each([
    ['a gif', 'a.gif', () => plain().gif().toBuffer()],
    ['a gif called png', 'a.png', () => plain().gif().toBuffer()],
    ['a webp called jpg', 'a.jpg', () => plain().webp().toBuffer()],
    ['an svg', 'a.svg', async () => Buffer.from(svg)],
    ['an svg called png', 'a.png', async () => Buffer.from(svg)],
    ['a page called jpg', 'a.jpg', async () => Buffer.from('<html><script>alert(1)</script></html>')],
    [
      'a png in its first bytes only',
      'a.png',
      async () => Buffer.concat([(await plain().png().toBuffer()).subarray(0, 16), Buffer.from(svg)]),
    ],
    [
      'a jpg in its first bytes only',
      'a.jpg',
      async () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500, 7)]),
    ],
    ['half a jpg', 'a.jpg', async () => (await plain(400, 400).jpeg().toBuffer()).subarray(0, 400)],
    ['a picture of 8000 by 8000 in a few bytes', 'a.png', async () => bomb(8000)],
  ])('%s', async (_what, name, make) => {
    const before = await countMedia();
    const { status, body } = await upload(name, await make());
    expect([status, errorBody.parse(body)]).toEqual([422, expect.objectContaining({ Message: unsupported })]);
    expect(await countMedia()).toBe(before);
  });

  it('an empty request', async () => {
    const { status, body } = await upload('a.png', Buffer.alloc(0));
    expect([status, errorBody.parse(body).Message]).toEqual([400, 'No file provided.']);
  });

  it.each([
    ['a.png', "File size for png files shouldn't exceed 5 MB"],
    ['a.jpg', "File size for jpg files shouldn't exceed 5 MB"],
    ['a.exe', unsupported],
  ])('%s of more than 5 MB', async (name, sentence) => {
    const { status, body } = await upload(name, Buffer.alloc(5 * 1024 * 1024 + 1));
    expect([status, errorBody.parse(body).Message]).toEqual([413, sentence]);
  });

  it('a request without a session', async () => {
    const answer = await fetch(`${app.url}/proxy/api/media/image/a.png`, {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body: new Uint8Array(await plain().png().toBuffer()),
    });
    expect(answer.status).toBe(401);
  });

  it('a request without a session, before its body is complete', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const head =
      'POST /proxy/api/media/image/a.png HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\n';
    socket.write(`${head}Content-Length: 5000000\r\n\r\nthe first bytes`);
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(bytes.toString('latin1').split(' ')[1]).toBe('401');
  });

  it('a picture of more than 5 MB without a declared size', async () => {
    const answer = await fetch(`${app.url}/proxy/api/media/image/a.png`, {
      method: 'POST',
      headers: { 'content-type': 'image/png', cookie: account.owner.cookie },
      body: new Blob([new Uint8Array(5 * 1024 * 1024 + 1)]).stream(),
      duplex: 'half',
    } as RequestInit);
    const { Message } = errorBody.parse(await answer.json());
    expect([answer.status, Message]).toEqual([413, "File size for png files shouldn't exceed 5 MB"]);
  });
});

describe.each(Object.entries(numbers))('by %s of %s', (number, provider) => {
  const phone = provider === 'infobip' ? '4235550151' : '4235550152';
  const thread = async () => {
    const found = await app.call(listConversations, { query: { q: phone } }, account.owner);
    const [conversation] = found.body.Items;
    if (conversation === undefined) return undefined;
    const params = { ConversationID: conversation.ConversationID };
    const { body } = await app.call(listTextMessages, { params }, account.owner);
    return { conversation, texts: body.Items };
  };

  it('a text with a picture arrives at the telephone with it', async () => {
    const item = await accepted('flyer.png', await plain().png().toBuffer());
    const sent = await app.call(
      createConversation,
      {
        body: {
          TextNumberID: account.numbers[number] ?? 0,
          LastMessage: {
            Contact: { PrimaryPhone: phone },
            Message: 'The flyer',
            MmsOutboundMedia: [{ MediaID: item.mediaId }],
          },
        },
      },
      account.owner,
    );
    expect(sent.body.LastMessage).toMatchObject({ HasMedia: true });
    await app.until(async () => (await app.sandbox.messages(phone)).length === 1);
    const [arrived] = await app.sandbox.messages(phone);
    expect(arrived).toMatchObject({ Text: 'The flyer', Media: [{ ContentType: 'image/png' }] });
    const there = await fetch(new URL(arrived?.Media[0]?.Url ?? '', app.sandbox.url));
    expect(Buffer.from(await there.arrayBuffer())).toEqual((await fetchBytes(item.full)).bytes);
    const shown = await thread();
    expect(shown?.texts[0]).toMatchObject({
      Mms: true,
      Credits: 2,
      MmsOutboundMedia: [{ MediaID: item.mediaId }],
      Media: [{ ...item, senderName: expect.stringContaining('Pat') }],
    });
  });

  it('a picture that a phone sends appears in the thread, without its metadata', async () => {
    const picture = await plain(60, 20)
      .withExif({ IFD0: { Copyright: 'secret' } })
      .jpeg()
      .toBuffer();
    await app.sandbox.text(phone, number, 'Look', [
      { ContentType: 'image/jpeg', Data: picture.toString('base64') },
    ]);
    const text = await app.until(async () => {
      const latest = (await thread())?.texts[0];
      return latest?.IsInbound && latest.Media.length > 0 ? latest : undefined;
    });
    expect(text).toMatchObject({ Message: 'Look', Mms: true, MmsOutboundMedia: [] });
    const { bytes, headers } = await fetchBytes(text.Media[0]?.full ?? '');
    expect(headers.get('content-type')).toBe('image/jpeg');
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 60, height: 20 });
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  });

  it('an animated picture stays animated, without the file’s comments', async () => {
    const frames = await Promise.all([noise(40, 30), noise(40, 30)]);
    const moving = await sharp(frames, { join: { animated: true } })
      .gif({ effort: 1 })
      .toBuffer();
    const words = `Moving by ${provider}`;
    const secret = 'secret-place';
    // Before the trailer: an extension of the kind "comment".
    const comment = Buffer.concat([
      Buffer.from([0x21, 0xfe, secret.length]),
      Buffer.from(secret),
      Buffer.from([0]),
    ]);
    const written = Buffer.concat([moving.subarray(0, -1), comment, moving.subarray(-1)]);
    await app.sandbox.text(phone, number, words, [
      { ContentType: 'image/gif', Data: written.toString('base64') },
    ]);
    const [picture] = await app.until(async () => {
      const latest = (await thread())?.texts[0];
      return latest?.Message === words && latest.Media.length > 0 ? latest.Media : undefined;
    });
    expect(picture).toMatchObject({
      contentType: 'image/gif',
      fileName: expect.stringMatching(/\.gif$/),
    });
    const { bytes } = await fetchBytes(picture?.full ?? '');
    expect(bytes.includes(secret)).toBe(false);
    const { format, width, height, pages, delay, loop } = await sharp(moving).metadata();
    expect(await sharp(bytes).metadata()).toMatchObject({ format, width, height, pages, delay, loop });
  });

  it('a picture that is gone, private or invalid does not lose the text, and is fetched once', async () => {
    let asked = 0;
    const neighbor = createServer((_request, reply) => {
      asked += 1;
      reply.end('inside');
    }).listen(0, '127.0.0.1');
    await once(neighbor, 'listening');
    const { port } = neighbor.address() as { port: number };
    const words = `Gone by ${provider}`;
    await app.sandbox.text(phone, number, words, [
      { ContentType: 'image/png', Data: 'bm90IGEgcGljdHVyZQ==' },
    ]);
    await app.until(async () => (await thread())?.texts[0]?.Message === words);
    const [row] = (await thread())?.texts ?? [];
    for (const [position, url] of [
      [7, `${app.sandbox.url}/nothing/there`],
      [8, `http://127.0.0.1:${port}/inside`],
    ] as const) {
      await sql`insert into inbound_media (account_id, message_id, position, aggregator_id, url)
        values (${account.accountId}, ${row?.TextMessageID}, ${position}, ${provider === 'infobip' ? 5 : 2}, ${url})`.execute(
        app.database.system,
      );
      await sql`select enqueue('fetch_inbound_media', ${JSON.stringify({
        accountId: account.accountId,
        messageId: row?.TextMessageID,
        position,
      })}::json, null, null, 12, 0)`.execute(app.database.system);
    }
    // A failed job would be reported here.
    const problems = await app.until(async () => {
      const rows = await app.database.system
        .selectFrom('inbound_media')
        .select(['position', 'problem'])
        .where('message_id', '=', row?.TextMessageID ?? 0)
        .orderBy('position')
        .execute();
      return rows.every(({ problem }) => problem !== null) ? rows : undefined;
    });
    neighbor.close();
    expect(problems.map(({ position }) => position)).toEqual([0, 7, 8]);
    expect(problems[0]?.problem).toBe('not a picture');
    expect(asked).toBe(0);
    expect((await thread())?.texts[0]).toMatchObject({ Message: words, Mms: true, Media: [] });
  });
});

describe('a picture of a broadcast', () => {
  /** As many frames of noise: nothing compresses worse. */
  async function animation(frames: number, size: number): Promise<Buffer> {
    const stills = Array.from({ length: frames }, () => noise(size, size));
    return sharp(await Promise.all(stills), { join: { animated: true } })
      .gif({ effort: 1 })
      .toBuffer();
  }
  const forBroadcast = (bytes: Buffer) => upload('a.gif', bytes, 'image/gif', '?use=broadcast');

  it('may be animated: unchanged if telephones accept it, else smaller', async () => {
    const small = await animation(3, 40);
    const { status, body } = await forBroadcast(small);
    expect([status, body]).toEqual([200, expect.objectContaining({ contentType: 'image/gif' })]);
    const { full, preview } = body as MediaItem;
    const { width, height, pages, delay } = await sharp(small).metadata();
    expect(await sharp((await fetchBytes(full)).bytes).metadata()).toMatchObject({
      width,
      height,
      pages,
      delay,
    });
    // Lists and threads show its first frame.
    expect((await sharp((await fetchBytes(preview)).bytes).metadata()).pages ?? 1).toBe(1);

    const large = await animation(4, 440);
    expect(large.length).toBeGreaterThan(600_000);
    const scaled = (await forBroadcast(large)).body as MediaItem;
    const { bytes } = await fetchBytes(scaled.full);
    expect(bytes.length).toBeLessThanOrEqual(600_000);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'gif', pages: 4 });
  });

  it('is a png if it is a gif without animation, and is refused if broken or another format', async () => {
    const still = await plain().gif().toBuffer();
    expect((await forBroadcast(still)).body).toMatchObject({ contentType: 'image/png' });
    const cut = (await animation(3, 40)).subarray(0, 900);
    const inDisguise = Buffer.concat([Buffer.from('GIF89a'), Buffer.from('<script>')]);
    for (const bytes of [cut, inDisguise, Buffer.from('RIFF....WEBP')]) {
      expect(await forBroadcast(bytes)).toMatchObject({
        status: 422,
        body: { Message: 'Unsupported image format.' },
      });
    }
    // In a conversation neither is allowed.
    expect(await upload('a.gif', still)).toMatchObject({ status: 422, body: { Message: unsupported } });
  });
});
