import { createSign, generateKeyPairSync } from 'node:crypto';

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const sha256WithRsa = sequence(Buffer.from('06092a864886f70d01010b0500', 'hex'));
const commonName = Buffer.from('0603550403', 'hex');

/** A key of its own with a certificate that it signed itself, in PEM. */
export function makeCertificate(name: string, bits = 2048): { privateKey: string; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const who = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));
  const time = (text: string) => der(0x17, Buffer.from(text));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    sha256WithRsa,
    who,
    sequence(time('200101000000Z'), time('491231235959Z')),
    who,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('sha256').update(content).sign(privateKey);
  const whole = sequence(content, sha256WithRsa, der(0x03, Buffer.from([0]), signature)).toString('base64');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${whole}\n-----END CERTIFICATE-----`,
  };
}
