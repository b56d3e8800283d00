/** Address books and directories of real servers, where they are installed: radicale and slapd, from Debian. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../testing/test-sandbox.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { readVcard } from './read-vcard.ts';
import { createCarddavSource } from './source-carddav.ts';
import { createLdapSource } from './source-ldap.ts';
import { openSourceLine } from './source-line.ts';

const radicale = '/usr/bin/radicale';
const slapd = '/usr/sbin/slapd';
const hasRadicale = existsSync(radicale);
const openssl = '/usr/bin/openssl';
const hasSlapd = [slapd, '/usr/sbin/slapadd', openssl].every((path) => existsSync(path));
const because = (has: boolean, name: string) => (has ? '' : ` (${name} is not installed)`);

const started: ChildProcess[] = [];
const folders: string[] = [];

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'muster-source-'));
  folders.push(made);
  return made;
}

async function start(command: string, args: string[], port: number): Promise<void> {
  started.push(spawn(command, args, { stdio: 'ignore' }));
  await waitUntil(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1');
        socket.once('connect', () => {
          socket.destroy();
          resolve(true);
        });
        socket.once('error', () => resolve(false));
      }),
  );
}

const card = (uid: string, lines: string[]) =>
  ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, ...lines, 'END:VCARD', ''].join('\r\n');

describe.skipIf(!hasRadicale)(`CardDAV${because(hasRadicale, 'radicale')}`, () => {
  it('reads the books of radicale, and their changes', async () => {
    const at = await folder();
    const port = await freePort();
    await writeFile(join(at, 'users'), 'office:right\n');
    const config = `[server]\nhosts = 127.0.0.1:${port}\n[auth]\ntype = htpasswd\nhtpasswd_filename = ${at}/users\nhtpasswd_encryption = plain\ndelay = 0\n[storage]\nfilesystem_folder = ${at}/data\n`;
    await writeFile(join(at, 'config'), config);
    await start(radicale, ['--config', join(at, 'config')], port);
    const url = `http://127.0.0.1:${port}`;
    const authorization = `Basic ${Buffer.from('office:right').toString('base64')}`;
    const put = async (path: string, method: string, body: string, type: string) => {
      const answer = await fetch(url + path, {
        method,
        ...(body === '' ? {} : { body }),
        headers: { authorization, 'content-type': type },
      });
      expect(answer.status, `${method} ${path}`).toBeLessThan(300);
    };
    const book =
      '<?xml version="1.0"?><mkcol xmlns="DAV:" xmlns:CR="urn:ietf:params:xml:ns:carddav"><set><prop><resourcetype><collection/><CR:addressbook/></resourcetype><displayname>Choir</displayname></prop></set></mkcol>';
    await put('/office/choir/', 'MKCOL', book, 'application/xml');
    const ada = [
      'N:Lindqvist;Ada;;;',
      'FN:Ada Lindqvist',
      'TEL;TYPE=HOME:423 555 0101',
      'TEL;TYPE=CELL:423-555-0102',
    ];
    await put('/office/choir/a.vcf', 'PUT', card('a', [...ada, 'CATEGORIES:Alto,Board']), 'text/vcard');
    await put(
      '/office/choir/b.vcf',
      'PUT',
      card('b', ['N:Okafor;Ben\\, Jr.;;;', 'FN:Ben', 'TEL:+14235550103']),
      'text/vcard',
    );

    const line = openSourceLine([`127.0.0.1:${port}`]);
    const login = { ServerUrl: url, UserName: 'office', Password: 'right' };
    const source = createCarddavSource(line, login);
    expect(await source.check()).toBe(`office at 127.0.0.1:${port}`);
    expect((await source.groups()).map(({ name, count }) => [name, count])).toEqual([
      ...[
        ['Choir', 2],
        ['Alto', 1],
        ['Board', 1],
      ],
    ]);
    const all = await source.changesSince(null);
    expect(all.contacts.map(({ firstName, lastName, phones }) => [firstName, lastName, phones])).toEqual(
      expect.arrayContaining([
        ['Ada', 'Lindqvist', ['423-555-0102', '423 555 0101']],
        ['Ben, Jr.', 'Okafor', ['+14235550103']],
      ]),
    );
    expect(await source.changesSince(all.mark)).toMatchObject({ isWhole: false, contacts: [], gone: [] });
    await put(
      '/office/choir/c.vcf',
      'PUT',
      card('c', ['N:Tran;Ivy;;;', 'FN:Ivy Tran', 'TEL:+14235550104']),
      'text/vcard',
    );
    await put('/office/choir/other-name.vcf', 'PUT', card('d', ['FN:Dev Patel', 'TEL:+1']), 'text/vcard');
    const came = await source.changesSince(all.mark);
    expect(came.contacts.map(({ key }) => key).sort()).toEqual(['/office/choir/ c', '/office/choir/ d']);
    expect(came.isWhole).toBe(false);
    // A deleted person is named by the card's path, even if that isn't its UID.
    await put('/office/choir/a.vcf', 'DELETE', '', 'text/vcard');
    await put('/office/choir/other-name.vcf', 'DELETE', '', 'text/vcard');
    const left = await source.changesSince(came.mark);
    expect(left).toMatchObject({ isWhole: false, contacts: [] });
    expect(left.gone.sort()).toEqual(['/office/choir/ a', '/office/choir/ d']);
    const expired = (left.mark ?? '').replace(/(sync\/)\w+/, '$1none');
    expect(expired).not.toBe(left.mark);
    const whole = await source.changesSince(expired);
    expect(whole).toMatchObject({ isWhole: true, mark: left.mark });
    expect(whole.contacts).toHaveLength(2);

    const wrong = createCarddavSource(line, { ...login, Password: 'wrong' });
    await expect(wrong.check()).rejects.toMatchObject({ problem: 'login' });
    const guarded = openSourceLine([]);
    await expect(createCarddavSource(guarded, login).check()).rejects.toMatchObject({ problem: 'private' });
    const nobody = await freePort();
    const gone = createCarddavSource(openSourceLine([`127.0.0.1:${nobody}`]), {
      ...login,
      ServerUrl: `http://127.0.0.1:${nobody}`,
    });
    await expect(gone.check()).rejects.toMatchObject({ problem: 'down' });
    await Promise.all([line.close(), guarded.close()]);
  });
});

const directory = `dn: dc=school,dc=example
objectClass: dcObject
objectClass: organization
o: School
dc: school

dn: cn=muster,dc=school,dc=example
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: muster
userPassword: right

dn: ou=Staff,dc=school,dc=example
objectClass: organizationalUnit
ou: Staff

dn: uid=ada,ou=Staff,dc=school,dc=example
objectClass: inetOrgPerson
uid: ada
cn: Ada Lindqvist
givenName: Ada
sn: Lindqvist
mobile: +1 423 555 0102
telephoneNumber: 423 555 0101

dn: uid=ben,ou=Staff,dc=school,dc=example
objectClass: inetOrgPerson
uid: ben
cn: Ben Okafor
sn: Okafor
homePhone: 423 555 0103

dn: cn=Coaches,dc=school,dc=example
objectClass: groupOfNames
cn: Coaches
member: uid=ada,ou=Staff,dc=school,dc=example
`;

describe.skipIf(!hasSlapd)(`LDAP${because(hasSlapd, 'slapd or openssl')}`, () => {
  it('reads people, groups and units of slapd, and rejects a wrong certificate', async () => {
    const at = await folder();
    const [port, safePort] = [await freePort(), await freePort()];
    await mkdir(join(at, 'data'));
    const key = [
      '-keyout',
      join(at, 'key.pem'),
      '-out',
      join(at, 'cert.pem'),
      '-subj',
      '/CN=elsewhere.example',
    ];
    execFileSync(openssl, ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...key], {
      stdio: 'ignore',
    });
    const schemas = ['core', 'cosine', 'inetorgperson'].map(
      (name) => `include /etc/ldap/schema/${name}.schema`,
    );
    const modules = '/usr/lib/ldap';
    await writeFile(
      join(at, 'slapd.conf'),
      [
        ...schemas,
        ...(existsSync(join(modules, 'back_mdb.so')) ? [`modulepath ${modules}`, 'moduleload back_mdb'] : []),
        ...[`TLSCertificateFile ${at}/cert.pem`, `TLSCertificateKeyFile ${at}/key.pem`, `pidfile ${at}/pid`],
        ...[
          'database mdb',
          'suffix "dc=school,dc=example"',
          `directory ${at}/data`,
          'rootdn "cn=root,dc=school,dc=example"',
        ],
        ...[
          'access to attrs=userPassword by anonymous auth by * none',
          'access to * by dn="cn=muster,dc=school,dc=example" read by * none',
          '',
        ],
      ].join('\n'),
    );
    await writeFile(join(at, 'directory.ldif'), directory);
    execFileSync('/usr/sbin/slapadd', ['-f', join(at, 'slapd.conf'), '-l', join(at, 'directory.ldif')], {
      stdio: 'ignore',
    });
    const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${safePort}`;
    await start(slapd, ['-f', join(at, 'slapd.conf'), '-h', urls, '-d', '0'], port);

    const line = openSourceLine([`127.0.0.1:${port}`, `127.0.0.1:${safePort}`]);
    const login = {
      ...{
        ServerUrl: `ldap://127.0.0.1:${port}`,
        UserName: 'cn=muster,dc=school,dc=example',
        Password: 'right',
      },
      BaseDN: 'dc=school,dc=example',
    };
    const source = createLdapSource(line, login);
    expect(await source.check()).toBe(`dc=school,dc=example at 127.0.0.1:${port}`);
    expect((await source.groups()).map(({ name, type, count }) => [name, type, count])).toEqual([
      ...[
        ['Everyone in the directory', 'unit', null],
        ['Coaches', 'group', 1],
        ['Staff', 'unit', null],
      ],
    ]);
    const { contacts } = await source.changesSince(null);
    expect(contacts.map(({ firstName, lastName, phones }) => [firstName, lastName, phones])).toEqual([
      ['Ada', 'Lindqvist', ['+1 423 555 0102', '423 555 0101']],
      ['Ben', 'Okafor', ['423 555 0103']],
    ]);
    expect(contacts[0]?.groups).toEqual([
      'unit:*',
      'group:cn=coaches,dc=school,dc=example',
      'unit:ou=staff,dc=school,dc=example',
    ]);
    expect(contacts[0]?.key).toMatch(/^[\da-f-]{36}$/);

    const problem = (changed: Partial<typeof login>) =>
      createLdapSource(line, { ...login, ...changed }).check();
    await expect(problem({ Password: 'wrong' })).rejects.toMatchObject({ problem: 'login' });
    await expect(problem({ ServerUrl: `ldaps://127.0.0.1:${safePort}` })).rejects.toMatchObject({
      problem: 'certificate',
      message: `The certificate of 127.0.0.1:${safePort} can’t be trusted, so no password was sent.`,
    });
    await expect(problem({ BaseDN: 'dc=elsewhere,dc=example' })).rejects.toThrow('Is the search base right?');
    const guarded = openSourceLine([]);
    await expect(createLdapSource(guarded, login).check()).rejects.toMatchObject({ problem: 'private' });
    await Promise.all([line.close(), guarded.close()]);
  });
});

it('parses vCards of all versions', () => {
  expect(
    readVcard(
      'BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;;\nTEL;FAX:1\nitem1.TEL;CELL:+49 170\nEND:VCARD',
    ),
  ).toEqual({ uid: '', firstName: 'Jörg', lastName: 'Müller', phones: ['+49 170'], categories: [] });
  expect(
    readVcard(
      'BEGIN:VCARD\nVERSION:4.0\nUID:u\nFN:Mary Ann\n  Lee\nTEL;VALUE=uri;TYPE="voice,cell":tel:+1-423-555-0100;ext=5\nEND:VCARD',
    ),
  ).toEqual({
    uid: 'u',
    firstName: 'Mary Ann',
    lastName: 'Lee',
    phones: ['+1-423-555-0100'],
    categories: [],
  });
  expect(readVcard('BEGIN:VCARD\nKIND:group\nFN:Choir\nEND:VCARD')).toBeUndefined();
});
