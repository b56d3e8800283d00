import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { signHeaders } from './sign-s3.ts';

/** The examples that AWS publishes: "Signature Calculations for the Authorization Header". */
const keys = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const at = new Date('2013-05-24T00:00:00Z');
const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt');
const nothing = createHash('sha256').update('').digest('hex');

it('signs headers as AWS does', () => {
  const get = { method: 'GET', url, bodyHash: nothing, headers: { range: 'bytes=0-9' } } as const;
  expect(signHeaders(get, keys, at).authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
  const list = {
    method: 'GET',
    url: new URL('https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J'),
    bodyHash: nothing,
  } as const;
  expect(signHeaders(list, keys, at).authorization).toMatch(
    /Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7$/,
  );
});
