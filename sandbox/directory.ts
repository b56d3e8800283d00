/**
 * An LDAP directory (RFC 4511) with the people of the address book: bind with a name and a password, search with a
 * filter, page by page. It is only read.
 */
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { AddressBook } from './address-book.ts';
import { BadBer, type Element, elementsOf, numberOf, tags, takeElement, write, writeNumber } from './ber.ts';

const base = 'dc=harlowcreek,dc=example';
const login = { name: `cn=muster,${base}`, password: 'harlow-creek' };
const [peopleUnit, groupUnit] = [`ou=People,${base}`, `ou=Groups,${base}`];

const operations = {
  ...{ bind: 0x60, bound: 0x61, unbind: 0x42, search: 0x63, entry: 0x64, found: 0x65 },
  ...{ abandon: 0x50, extended: 0x77, extendedDone: 0x78 },
};
const results = {
  ...{ ok: 0, protocolError: 2, noSuchObject: 32, invalidCredentials: 49 },
  ...{ insufficientAccess: 50, unavailable: 52, unwilling: 53 },
};
const pagedResults = '1.2.840.113556.1.4.319';

interface Entry {
  dn: string;
  values: Record<string, string[]>;
}

/** Every message of LDAP is a sequence; no method of HTTP begins with that byte. */
export function isLdap(first: Buffer | undefined): first is Buffer {
  return first?.[0] === tags.sequence;
}

type Reply = (tag: number, parts: Buffer[], control?: Buffer) => void;

/** Takes over a connection whose first bytes have been read already. */
export function serveDirectory(book: AddressBook, socket: Socket, first: Buffer): void {
  let came: Buffer = Buffer.alloc(0);
  let isBound = false;
  const take = (piece: Buffer) => {
    came = Buffer.concat([came, piece]);
    try {
      for (let taken = takeElement(came); taken !== undefined; taken = takeElement(came)) {
        came = taken.rest;
        answer(elementsOf(taken.element.content));
      }
    } catch (error) {
      if (!(error instanceof BadBer)) throw error;
      socket.destroy();
    }
  };
  const answer = ([id, operation, controls]: Element[]) => {
    if (id === undefined || operation === undefined) throw new BadBer('no message');
    const reply: Reply = (tag, parts, control) => {
      const message = [writeNumber(tags.integer, numberOf(id)), write(tag, ...parts)];
      socket.write(
        write(tags.sequence, ...message, ...(control === undefined ? [] : [write(0xa0, control)])),
      );
    };
    if (operation.tag === operations.unbind) socket.end();
    else if (operation.tag === operations.bind) {
      const code = book.isDown ? results.unavailable : checkBind(operation);
      isBound = code === results.ok;
      reply(operations.bound, result(code));
    } else if (operation.tag === operations.search) {
      if (isBound) search(book, operation, controls, reply);
      else reply(operations.found, result(results.insufficientAccess));
    } else if (operation.tag === operations.extended) {
      // StartTLS among them.
      reply(operations.extendedDone, result(results.protocolError));
    } else if (operation.tag !== operations.abandon) throw new BadBer('the directory is only read');
  };
  for (const event of ['data', 'error']) socket.removeAllListeners(event);
  socket.on('error', () => socket.destroy());
  socket.on('data', take);
  take(first);
}

function search(book: AddressBook, { content }: Element, controls: Element | undefined, reply: Reply) {
  const [at, scope, , , , , filter, attributes] = elementsOf(content);
  if (at === undefined || scope === undefined || filter === undefined || attributes === undefined)
    throw new BadBer('no search');
  const [from, depth] = [at.content.toString().toLowerCase(), numberOf(scope)];
  const entries = entriesOf(book);
  if (!entries.some(({ dn }) => dn.toLowerCase() === from))
    return reply(operations.found, result(results.noSuchObject));
  const wanted = elementsOf(attributes.content).map((each) => each.content.toString().toLowerCase());
  const found = entries.filter(({ dn, values }) => isWithin(dn, from, depth) && matches(filter, values));
  const page = readPage(controls);
  const shown = page === undefined ? found : found.slice(page.first, page.first + page.size);
  for (const { dn, values } of shown) {
    const given = Object.entries(values).filter(
      ([name]) => wanted.length === 0 || wanted.includes('*') || wanted.includes(baseOf(name)),
    );
    const written = given.map(([name, all]) =>
      write(
        tags.sequence,
        write(tags.octets, name),
        write(tags.set, ...all.map((value) => write(tags.octets, value))),
      ),
    );
    reply(operations.entry, [write(tags.octets, dn), write(tags.sequence, ...written)]);
  }
  if (page === undefined) return reply(operations.found, result(results.ok));
  const next = page.first + page.size;
  const cookie = next < found.length ? String(next) : '';
  const value = write(tags.sequence, writeNumber(tags.integer, 0), write(tags.octets, cookie));
  const control = write(tags.sequence, write(tags.octets, pagedResults), write(tags.octets, value));
  reply(operations.found, result(results.ok), control);
}

function entriesOf(book: AddressBook): Entry[] {
  const dnOf = (id: string) => `uid=${id},${peopleUnit}`;
  return [
    { dn: base, values: { objectClass: ['dcObject', 'organization'], o: ['Harlow Creek'] } },
    { dn: peopleUnit, values: { objectClass: ['organizationalUnit'], ou: ['People'] } },
    { dn: groupUnit, values: { objectClass: ['organizationalUnit'], ou: ['Groups'] } },
    ...book.people.map(({ id, first, last, phone, groups }) => ({
      dn: dnOf(id),
      values: {
        objectClass: ['person', 'inetOrgPerson'],
        ...{ uid: [id], cn: [`${first} ${last}`], givenName: [first], sn: [last] },
        entryUUID: [uuidOf(id)],
        ...(phone === '' ? {} : { mobile: [phone] }),
        memberOf: groups.map((name) => `cn=${name},${groupUnit}`),
      },
    })),
    ...book.groupNames().map((name) => ({
      dn: `cn=${name},${groupUnit}`,
      values: {
        objectClass: ['groupOfNames'],
        cn: [name],
        ...membersOf(
          book,
          book.people.filter(({ groups }) => groups.includes(name)).map(({ id }) => dnOf(id)),
        ),
      },
    })),
  ];
}

function membersOf({ mostMembers }: AddressBook, members: string[]): Entry['values'] {
  if (members.length <= mostMembers) return { member: members };
  return { member: [], [`member;range=0-${mostMembers - 1}`]: members.slice(0, mostMembers) };
}

/** Without the options behind it. */
function baseOf(attribute: string): string {
  return attribute.toLowerCase().split(';')[0] ?? '';
}

function result(code: number): Buffer[] {
  return [writeNumber(tags.enumerated, code), write(tags.octets), write(tags.octets)];
}

function checkBind({ content }: Element): number {
  const [, name, secret] = elementsOf(content);
  // Only a password, and no bind without one (RFC 4513 5.1.2).
  if (secret?.tag !== 0x80 || secret.content.length === 0) return results.unwilling;
  const isRight =
    name?.content.toString().toLowerCase() === login.name && secret.content.toString() === login.password;
  return isRight ? results.ok : results.invalidCredentials;
}

/** Scopes: 0 the entry itself, 1 those right below it, 2 everything below it, too. */
function isWithin(dn: string, from: string, scope: number): boolean {
  const plain = dn.toLowerCase();
  if (scope === 0) return plain === from;
  if (scope === 1) return plain.slice(plain.indexOf(',') + 1) === from;
  return plain === from || plain.endsWith(`,${from}`);
}

function matches({ tag, content }: Element, values: Entry['values']): boolean {
  const valuesOf = (name: string) =>
    Object.entries(values).find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1] ?? [];
  if (tag === 0xa0) return elementsOf(content).every((each) => matches(each, values));
  if (tag === 0xa1) return elementsOf(content).some((each) => matches(each, values));
  if (tag === 0xa2) return !elementsOf(content).some((each) => matches(each, values));
  if (tag === 0x87)
    return /^objectclass$/i.test(content.toString()) || valuesOf(content.toString()).length > 0;
  if (tag !== 0xa3) throw new BadBer('a filter that the directory does not know');
  const [name, value] = elementsOf(content).map((each) => each.content.toString());
  return valuesOf(name ?? '').some((each) => each.toLowerCase() === value?.toLowerCase());
}

function readPage(controls: Element | undefined): { size: number; first: number } | undefined {
  for (const control of controls === undefined ? [] : elementsOf(controls.content)) {
    const [name, ...rest] = elementsOf(control.content);
    const value = rest.find(({ tag }) => tag === tags.octets);
    if (name?.content.toString() !== pagedResults || value === undefined) continue;
    const [outer] = elementsOf(value.content);
    const [size, cookie] = outer === undefined ? [] : elementsOf(outer.content);
    if (size === undefined) throw new BadBer('no page');
    return { size: Math.max(1, numberOf(size)), first: Number(cookie?.content.toString() ?? 0) };
  }
  return undefined;
}

function uuidOf(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
