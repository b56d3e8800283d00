/** An organization's directory by LDAP: OpenLDAP, Active Directory and others. */
import { Client, type Entry, InvalidCredentialsError, ResultCodeError } from 'ldapts';
import {
  type ContactSource,
  type SourceContact,
  SourceError,
  sourceProblems,
  wholeSource,
} from './contact-source.ts';
import { lookupPublic } from './private-address.ts';
import { plainSourceError, type SourceLine } from './source-line.ts';

export interface LdapLogin {
  ServerUrl: string;
  UserName: string;
  Password: string;
  BaseDN: string;
}

/** Directories return at most a thousand at a time. */
const pageSize = 500;
const groupClasses = ['groupOfNames', 'groupOfUniqueNames', 'posixGroup', 'group'];
const isGroup = `(|${groupClasses.map((name) => `(objectClass=${name})`).join('')})`;
const isPerson = '(|(objectClass=person)(objectClass=inetOrgPerson)(objectClass=user))';
const isUnit = '(objectClass=organizationalUnit)';

export function createLdapSource(line: SourceLine, login: LdapLogin): ContactSource {
  const url = URL.parse(
    /^ldaps?:\/\//i.test(login.ServerUrl) ? login.ServerUrl : `ldaps://${login.ServerUrl}`,
  );
  const port = url?.port || (url?.protocol === 'ldap:' ? '389' : '636');
  const host = `${url?.hostname}:${port}`;

  async function bound<T>(run: (client: Client) => Promise<T>): Promise<T> {
    if (url === null || !/^ldaps?:$/.test(url.protocol))
      throw new SourceError('odd', 'The address is not written correctly.');
    line.requireReachable(new URL(`${url.protocol}//${host}`), 'ldaps://');
    const client = new Client({
      url: `${url.protocol}//${host}`,
      timeout: 30_000,
      connectTimeout: 5_000,
      strictDN: false,
      ...(line.isAllowed(host) ? {} : { tlsOptions: { lookup: lookupPublic } as never }),
    });
    try {
      await client.bind(login.UserName, login.Password);
      return await run(client);
    } catch (error) {
      if (error instanceof InvalidCredentialsError) throw sourceProblems.login(host);
      if (error instanceof ResultCodeError)
        throw error.code === 32
          ? new SourceError('odd', `${host} has nothing at ${login.BaseDN}. Is the search base right?`)
          : sourceProblems.odd(host);
      throw plainSourceError(error, host);
    } finally {
      await client.unbind().catch(() => undefined);
    }
  }

  const search = async (client: Client, filter: string, attributes: string[]) =>
    (await client.search(login.BaseDN, { scope: 'sub', filter, attributes, paged: { pageSize } }))
      .searchEntries;

  async function readGroups(client: Client) {
    const groups = await search(client, isGroup, ['cn', 'member', 'uniqueMember', 'memberUid']);
    const units = await search(client, isUnit, ['ou']);
    return { groups, units };
  }

  async function readAll(client: Client): Promise<SourceContact[]> {
    const { groups, units } = await readGroups(client);
    const groupsOf = new Map<string, string[]>();
    for (const entry of groups) {
      const members = [...all(entry, 'member'), ...all(entry, 'uniqueMember')].map(plainDn);
      for (const member of [...members, ...all(entry, 'memberUid')])
        groupsOf.set(member, [...(groupsOf.get(member) ?? []), `group:${plainDn(entry.dn)}`]);
    }
    const groupDns = new Set(groups.map(({ dn }) => plainDn(dn)));
    const unitDns = new Set(units.map(({ dn }) => plainDn(dn)));
    const people = await search(client, isPerson, [
      ...['cn', 'givenName', 'sn', 'displayName', 'uid', 'entryUUID', 'objectGUID'],
      ...['mobile', 'telephoneNumber', 'homePhone', 'objectClass', 'memberOf'],
    ]);
    // A filter with "not" finds nobody in a directory that doesn't know the class.
    const isComputer = (entry: Entry) => all(entry, 'objectClass').some((name) => /^computer$/i.test(name));
    return people
      .filter((entry) => !isComputer(entry))
      .map((entry) => {
        const dn = plainDn(entry.dn);
        const named = groupsOf.get(dn) ?? [];
        // Active Directory returns only 1,500 members of a group, and all groups of everybody.
        const memberOf = all(entry, 'memberOf').map(plainDn);
        const byOwn = memberOf.flatMap((group) => (groupDns.has(group) ? `group:${group}` : []));
        const byUid = all(entry, 'uid').flatMap((uid) => groupsOf.get(uid) ?? []);
        return {
          // A person who is moved or renamed keeps their UUID.
          key: one(entry, 'entryUUID') || idOf(entry.objectGUID) || dn,
          ...namesOf(entry),
          phones: [...all(entry, 'mobile'), ...all(entry, 'telephoneNumber'), ...all(entry, 'homePhone')],
          groups: [
            everyone,
            ...new Set([...named, ...byUid, ...byOwn]),
            ...unitsAbove(dn, unitDns).map((unit) => `unit:${unit}`),
          ],
        };
      });
  }

  return wholeSource({
    check: () =>
      bound(async (client) => {
        await client.search(login.BaseDN, { scope: 'base', attributes: ['1.1'] });
        return `${login.BaseDN} at ${host}`;
      }),
    groupTypes: async () => [
      { key: 'group', name: 'Groups' },
      { key: 'unit', name: 'Organizational units' },
    ],
    groups: () =>
      bound(async (client) => {
        const { groups, units } = await readGroups(client);
        return [
          { key: everyone, name: 'Everyone in the directory', type: 'unit', count: null },
          ...groups.map((entry) => ({
            key: `group:${plainDn(entry.dn)}`,
            name: one(entry, 'cn') || entry.dn,
            type: 'group',
            count: isCut(entry)
              ? null
              : all(entry, 'member').length +
                all(entry, 'uniqueMember').length +
                all(entry, 'memberUid').length,
          })),
          ...units.map((entry) => ({
            ...{
              key: `unit:${plainDn(entry.dn)}`,
              name: one(entry, 'ou') || entry.dn,
              type: 'unit',
              count: null,
            },
          })),
        ];
      }),
    changesSince: () =>
      bound(async (client) => ({ isWhole: true, contacts: await readAll(client), gone: [], mark: null })),
  });
}

const everyone = 'unit:*';

function all(entry: Entry, name: string): string[] {
  const value =
    entry[name] ?? entry[Object.keys(entry).find((key) => key.toLowerCase() === name.toLowerCase()) ?? ''];
  return (Array.isArray(value) ? value : value === undefined ? [] : [value])
    .map((each) => each.toString().trim())
    .filter((text) => text !== '');
}

/** True if the directory shows only the first of a group's members. */
function isCut(entry: Entry): boolean {
  return Object.keys(entry).some((name) => /^member;range=/i.test(name));
}

function one(entry: Entry, name: string): string {
  return all(entry, name)[0] ?? '';
}

function idOf(value: Entry[string] | undefined): string {
  const first = Array.isArray(value) ? value[0] : value;
  if (first === undefined || first.length === 0) return '';
  return (Buffer.isBuffer(first) ? first : Buffer.from(String(first), 'latin1')).toString('hex');
}

/** Names of entries are compared ignoring case and spaces after commas. */
function plainDn(dn: string): string {
  return dn
    .toLowerCase()
    .replace(/\s*([,=])\s*/g, '$1')
    .trim();
}

function namesOf(entry: Entry): { firstName: string; lastName: string } {
  const [firstName, lastName] = [one(entry, 'givenName'), one(entry, 'sn')];
  if (firstName !== '') return { firstName, lastName };
  const whole = one(entry, 'displayName') || one(entry, 'cn');
  if (lastName !== '' && whole.endsWith(` ${lastName}`))
    return { firstName: whole.slice(0, -lastName.length - 1), lastName };
  const at = whole.lastIndexOf(' ');
  return at === -1
    ? { firstName: whole, lastName: '' }
    : { firstName: whole.slice(0, at), lastName: whole.slice(at + 1) };
}

/** `ou=a,ou=b,dc=c` and `ou=b,dc=c` of `cn=d,ou=a,ou=b,dc=c`, if they are units. */
function unitsAbove(dn: string, unitDns: Set<string>): string[] {
  return [...dn.matchAll(/,/g)].map(({ index }) => dn.slice(index + 1)).filter((above) => unitDns.has(above));
}
