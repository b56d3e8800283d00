// A bucket that speaks S3's protocol, as much of it as Muster uses: put, get (also a range), head, delete and list, in path style, with every
// signature checked. Its files are in memory. Bucket names choose the behavior: `no-rights` refuses everybody, `missing`
// does not exist, `read-only` takes nothing, and `no-removal` lets nobody delete.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './http.ts';

const accessKey = 'sandbox-s3-key';
const secretKey = 'sandbox-s3-secret';

export class Buckets {
  readonly files = new Map<string, Buffer>();
  readonly writtenAt = new Map<string, Date>();
}

export function isS3Path(path: string): boolean {
  return path.startsWith('/s3/');
}

export async function serveS3(
  buckets: Buckets,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const bucket = path.split('/')[2] ?? '';
  const body = request.method === 'PUT' ? await readBody(request) : Buffer.alloc(0);
  const fail = (status: number, code: string) => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`;
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(request.method === 'HEAD' ? undefined : xml);
  };
  if (!isSigned(request, path)) return fail(403, 'SignatureDoesNotMatch');
  if (bucket === 'no-rights') return fail(403, 'AccessDenied');
  if (bucket === 'missing') return fail(404, 'NoSuchBucket');
  if (request.method === 'PUT') {
    const hash = createHash('sha256').update(body).digest('hex');
    if (request.headers['x-amz-content-sha256'] !== hash) return fail(400, 'XAmzContentSHA256Mismatch');
    if (bucket === 'read-only') return fail(403, 'AccessDenied');
    buckets.files.set(path, body);
    buckets.writtenAt.set(path, new Date());
    response.writeHead(200).end();
    return;
  }
  const query = new URL(request.url ?? '/', 'http://sandbox').searchParams;
  if (request.method === 'GET' && query.get('list-type') === '2') {
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(listFiles(buckets, path, query));
    return;
  }
  if (request.method === 'DELETE') {
    if (bucket === 'read-only' || bucket === 'no-removal') return fail(403, 'AccessDenied');
    buckets.files.delete(path);
    response.writeHead(204).end();
    return;
  }
  const file = buckets.files.get(path);
  if (request.method !== 'GET' && request.method !== 'HEAD') return fail(405, 'MethodNotAllowed');
  if (file === undefined) return fail(404, 'NoSuchKey');
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (from !== undefined && Number(from) >= file.length) return fail(416, 'InvalidRange');
  const part = from === undefined ? file : file.subarray(Number(from), Number(to) + 1);
  response.writeHead(from === undefined ? 200 : 206, {
    'content-length': part.length,
    ...(from === undefined
      ? {}
      : { 'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${file.length}` }),
  });
  response.end(request.method === 'HEAD' ? undefined : part);
}

/** Two at a time, so that whoever lists must ask for more. */
const mostListed = 2;

function listFiles(buckets: Buckets, path: string, query: URLSearchParams): string {
  const root = `${path.replace(/\/$/, '')}/`;
  const after = query.get('continuation-token') ?? '';
  const names = [...buckets.files.keys()]
    .filter((name) => name.startsWith(root + (query.get('prefix') ?? '')))
    .map((name) => name.slice(root.length))
    .sort()
    .filter((name) => name > after);
  const shown = names.slice(0, mostListed);
  const entries = shown.map(
    (name) =>
      `<Contents><Key>${name}</Key><LastModified>${buckets.writtenAt.get(root + name)?.toISOString()}</LastModified>` +
      `<Size>${buckets.files.get(root + name)?.length}</Size></Contents>`,
  );
  const more =
    names.length > shown.length ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : '';
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>${entries.join('')}${more}</ListBucketResult>`;
}

/** Computes the signature again (AWS Signature Version 4) and compares. Requests older than 15 minutes are refused. */
function isSigned(request: IncomingMessage, path: string): boolean {
  const header = request.headers.authorization ?? '';
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    );
  if (found === null) return false;
  const [, key = '', day = '', region = '', names = '', signature = ''] = found;
  const date = String(request.headers['x-amz-date'] ?? '');
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  const isFresh = Math.abs(Date.now() - at) < 15 * 60_000;
  if (key !== accessKey || !isFresh || !names.split(';').includes('host')) return false;
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const query = [...new URL(request.url ?? '/', 'http://sandbox').searchParams]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .sort()
    .join('&');
  const canonical = `${request.method}\n${path}\n${query}\n${headers.join('')}\n${names}\n${request.headers['x-amz-content-sha256']}`;
  const hash = createHash('sha256').update(canonical).digest('hex');
  const toSign = `AWS4-HMAC-SHA256\n${date}\n${day}/${region}/s3/aws4_request\n${hash}`;
  let secret: Buffer = Buffer.from(`AWS4${secretKey}`);
  for (const step of [day, region, 's3', 'aws4_request', toSign])
    secret = createHmac('sha256', secret).update(step).digest();
  return timingSafeEqual(secret, Buffer.from(signature, 'hex'));
}
