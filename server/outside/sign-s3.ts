import { createHash, createHmac } from 'node:crypto';

/** The input of the signature (AWS Signature Version 4), for S3 and compatible servers. */
export interface S3Request {
  method: 'DELETE' | 'GET' | 'HEAD' | 'PUT';
  url: URL;
  /** The hash of the body, in hex. */
  bodyHash: string;
  headers?: Readonly<Record<string, string>>;
}

export interface S3Keys {
  accessKey: string;
  secretKey: string;
  region: string;
}

const algorithm = 'AWS4-HMAC-SHA256';

/** The headers that authenticate the request. */
export function signHeaders(request: S3Request, keys: S3Keys, at: Date): Record<string, string> {
  const stamp = stampOf(at);
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.url.host,
    'x-amz-content-sha256': request.bodyHash,
    'x-amz-date': stamp,
  };
  const { signature, names } = sign({ ...request, headers }, keys, stamp);
  const credential = `${keys.accessKey}/${scopeOf(stamp, keys)}`;
  return {
    ...headers,
    authorization: `${algorithm} Credential=${credential},SignedHeaders=${names},Signature=${signature}`,
  };
}

/** 20130524T000000Z. */
function stampOf(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function scopeOf(stamp: string, { region }: S3Keys): string {
  return `${stamp.slice(0, 8)}/${region}/s3/aws4_request`;
}

function sign(
  { method, url, bodyHash, headers }: S3Request & { headers: Readonly<Record<string, string>> },
  keys: S3Keys,
  stamp: string,
): { signature: string; names: string } {
  const sorted = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const names = sorted.map(([name]) => name).join(';');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const canonical = [
    method,
    url.pathname,
    query,
    ...sorted.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    bodyHash,
  ].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const toSign = [algorithm, stamp, scopeOf(stamp, keys), hash].join('\n');
  const day = hmac(`AWS4${keys.secretKey}`, stamp.slice(0, 8));
  const key = hmac(hmac(hmac(day, keys.region), 's3'), 'aws4_request');
  return { signature: hmac(key, toSign).toString('hex'), names };
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** URL encoding there: encodeURIComponent leaves five characters unencoded. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
