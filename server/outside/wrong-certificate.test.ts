/** A server with an untrusted certificate: created by openssl, if that is installed. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCarddavSource } from './source-carddav.ts';
import { createLdapSource } from './source-ldap.ts';
import { openSourceLine, type SourceLine } from './source-line.ts';

const openssl = '/usr/bin/openssl';
const hasOpenssl = existsSync(openssl);

let host = '';
let line: SourceLine;
let server: Server;
/** All data sent to the server after the TLS handshake. */
let heard = 0;

beforeAll(async () => {
  if (!hasOpenssl) return;
  const { key, cert } = await makeCertificate();
  server = createServer({ key, cert }, (socket) => {
    socket.on('data', (bytes) => {
      heard += bytes.length;
    });
    socket.on('error', () => socket.destroy());
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  line = openSourceLine([host]);
});

afterAll(async () => {
  if (!hasOpenssl) return;
  await line.close();
  server.close();
});

async function makeCertificate(): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=elsewhere.example',
  ];
  execFileSync(openssl, [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const files = { key: await readFile(key), cert: await readFile(cert) };
  await rm(folder, { recursive: true });
  return files;
}

it.each(['ldaps', 'https'])(
  'no password is sent by %s to a server with a wrong certificate',
  async (scheme) => {
    const login = { ServerUrl: `${scheme}://${host}`, UserName: 'office', Password: 'secret' };
    const source =
      scheme === 'ldaps'
        ? createLdapSource(line, { ...login, BaseDN: 'dc=example' })
        : createCarddavSource(line, login);
    await expect(source.check()).rejects.toMatchObject({
      problem: 'certificate',
      message: `The certificate of ${host} can’t be trusted, so no password was sent.`,
    });
    expect(heard).toBe(0);
  },
);
