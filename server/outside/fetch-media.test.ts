import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CarrierLine, openCarrierLine } from './carrier-line.ts';
import { createMediaFetcher, type MediaFetcher, MediaRefused } from './fetch-media.ts';
import { type ScriptedCarrier, startScriptedCarrier } from './testing/scripted-carrier.ts';

const picture = Buffer.from('a picture');
let carrierServer: ScriptedCarrier;
let stranger: ScriptedCarrier;
let line: CarrierLine;
let media: MediaFetcher;
/** The other host's own name, which the lookup below knows. */
let strangerUrl: string;

beforeEach(async () => {
  const serve = () => ({ status: 200, body: picture });
  carrierServer = await startScriptedCarrier(serve);
  stranger = await startScriptedCarrier(serve);
  strangerUrl = stranger.url.replace('127.0.0.1', 'pictures.example');
  line = openCarrierLine(carrierServer.url, 'Basic must-not-leak');
  media = createMediaFetcher(line, (_, options, found) => {
    if (options.all) found(null, [{ address: '127.0.0.1', family: 4 }]);
    else found(null, '127.0.0.1', 4);
  });
});

afterEach(async () => {
  await Promise.all([carrierServer.close(), stranger.close()]);
  await Promise.all([line.close(), media.close()]);
});

async function refusal(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  expect(String(error) + JSON.stringify(error)).not.toContain('must-not-leak');
  return error as Error;
}

describe('a picture', () => {
  it('comes from the carrier with its credentials', async () => {
    expect(await media.fetch(`${carrierServer.url}/m/1`, 100)).toEqual(picture);
    expect(carrierServer.requests[0]?.headers.authorization).toBe('Basic must-not-leak');
  });

  it('comes from any other host without them', async () => {
    expect(await media.fetch(`${strangerUrl}/m/1`, 100)).toEqual(picture);
    expect(stranger.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('is fetched after a redirect, without the credentials', async () => {
    carrierServer.answerWith(({ path }) =>
      path === '/m/1'
        ? { status: 307, headers: { location: '/m/2' } }
        : { status: 302, headers: { location: `${strangerUrl}/m/3` } },
    );
    expect(await media.fetch(`${carrierServer.url}/m/1`, 100)).toEqual(picture);
    expect(carrierServer.requests.map(({ path }) => path)).toEqual(['/m/1', '/m/2']);
    expect(stranger.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/m/3', undefined],
    ]);
  });

  it('is redirected five times at most', async () => {
    carrierServer.answerWith(() => ({ status: 302, headers: { location: '/again' } }));
    expect(await refusal(media.fetch(`${carrierServer.url}/m/1`, 100))).toBeInstanceOf(MediaRefused);
    expect(carrierServer.requests).toHaveLength(6);
  });

  it('may have the maximum size and not one byte more', async () => {
    expect(await media.fetch(`${carrierServer.url}/m/1`, picture.length)).toEqual(picture);
    const error = await refusal(media.fetch(`${carrierServer.url}/m/1`, picture.length - 1));
    expect(error).toBeInstanceOf(MediaRefused);
  });

  it('is not downloaded when its declared size is too large', async () => {
    const headers = { 'content-length': String(picture.length) };
    carrierServer.answerWith(() => ({ status: 200, body: picture, headers }));
    expect(await refusal(media.fetch(`${carrierServer.url}/m/1`, 1))).toBeInstanceOf(MediaRefused);
    expect(await media.fetch(`${carrierServer.url}/m/1`, picture.length)).toEqual(picture);
  });

  it('is read to the maximum size only, when its size is not declared', async () => {
    const headers = { 'transfer-encoding': 'chunked' };
    carrierServer.answerWith(() => ({ status: 200, body: Buffer.alloc(5_000_000), headers }));
    expect(await refusal(media.fetch(`${carrierServer.url}/m/1`, 1000))).toBeInstanceOf(MediaRefused);
  });

  it.each([404, 410])('is given up on %i', async (status) => {
    carrierServer.answerWith(() => ({ status }));
    expect(await refusal(media.fetch(`${carrierServer.url}/m/1`, 100))).toBeInstanceOf(MediaRefused);
  });

  it.each([401, 500, 503])('may be retried after %i', async (status) => {
    carrierServer.answerWith(() => ({ status }));
    expect(await refusal(media.fetch(`${carrierServer.url}/m/1`, 100))).not.toBeInstanceOf(MediaRefused);
  });

  it('may be retried when the connection was cut', async () => {
    carrierServer.answerWith(() => 'reset');
    expect(await refusal(media.fetch(`${carrierServer.url}/m/1`, 100))).not.toBeInstanceOf(MediaRefused);
  });
});

describe('no request is made', () => {
  it.each(['file:///etc/passwd', 'ftp://a.example/x', 'data:image/png;base64,AA', 'nonsense'])(
    'to %s',
    async (url) => {
      expect(await refusal(media.fetch(url, 100))).toBeInstanceOf(MediaRefused);
    },
  );

  it.each([
    'http://127.0.0.1',
    'http://[::1]',
    'http://2130706433',
    'http://0x7f.1',
    'http://169.254.169.254',
  ])('into a private network: %s', async (host) => {
    const { port } = new URL(stranger.url);
    expect(await refusal(media.fetch(`${host}:${port}/`, 100))).toBeInstanceOf(MediaRefused);
    expect(stranger.requests).toEqual([]);
  });

  it('into a private network behind a name', async () => {
    const strict = createMediaFetcher(line);
    const url = stranger.url.replace('127.0.0.1', 'localhost');
    expect(await refusal(strict.fetch(url, 100))).toBeInstanceOf(MediaRefused);
    expect(stranger.requests).toEqual([]);
    await strict.close();
  });

  it('into a private network behind a redirect', async () => {
    carrierServer.answerWith(() => ({ status: 302, headers: { location: stranger.url } }));
    expect(await refusal(media.fetch(`${carrierServer.url}/m/1`, 100))).toBeInstanceOf(MediaRefused);
    expect(stranger.requests).toEqual([]);
  });
});
