/**
 * Outlook contacts by Microsoft Graph: folders and categories. Changes are read by its delta query, folder by
 * folder.
 */
import { z } from 'zod';
import {
  type ContactSource,
  countGroups,
  type SourceChanges,
  type SourceContact,
  sourceProblems,
  wholeSource,
} from './contact-source.ts';
import type { SourceLine } from './source-line.ts';
import { askWithToken } from './source-oauth.ts';

export const microsoftScope = 'offline_access User.Read Contacts.Read';

const contact = z.object({
  id: z.string(),
  givenName: z.string().nullish(),
  surname: z.string().nullish(),
  displayName: z.string().nullish(),
  mobilePhone: z.string().nullish(),
  homePhones: z.array(z.string()).nullish(),
  businessPhones: z.array(z.string()).nullish(),
  categories: z.array(z.string()).nullish(),
  '@removed': z.unknown().optional(),
});
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    value: z.array(item),
    '@odata.nextLink': z.string().optional(),
    '@odata.deltaLink': z.string().optional(),
  });
const folder = z.object({ id: z.string(), displayName: z.string() });
const inFolder = z.object({ parentFolderId: z.string() });
const me = z.object({ userPrincipalName: z.string().nullish(), mail: z.string().nullish() });
/** The URL for the changes of each folder, by the folder's key. */
const marks = z.record(z.string(), z.string());

const name = 'Microsoft';
const defaultFolder = 'folder:';
const fields = [
  ...(['givenName', 'surname', 'displayName', 'mobilePhone', 'homePhones', 'businessPhones'] as const),
  'categories' as const,
];
const selected = `$select=id,${fields.join(',')}`;

interface Folder {
  key: string;
  name: string;
  /** Undefined for the default folder while it is empty: its changes can't be queried. */
  id: string | undefined;
}

export function createMicrosoftSource(
  line: SourceLine,
  baseUrl: string,
  token: (isStale?: boolean) => Promise<string>,
): ContactSource {
  async function ask(address: string): Promise<{ status: number; body: unknown }> {
    // Its lists contain the URL of their next page: our token is never sent to another host.
    if (!address.startsWith(`${baseUrl}/`)) throw sourceProblems.odd(name);
    return askWithToken(line, { name, token }, address, { prefer: 'odata.maxpagesize=500' });
  }

  async function get<T>(address: string, shape: z.ZodType<T>): Promise<T> {
    const { status, body } = await ask(address);
    const read = shape.safeParse(body);
    if (status >= 400 || !read.success) throw sourceProblems.odd(name);
    return read.data;
  }

  /** All pages of a list, and the URL for future changes. Undefined if changes can't be queried. */
  async function pages<Item extends z.ZodType>(
    first: string,
    item: Item,
  ): Promise<{ items: z.output<Item>[]; deltaLink: string | undefined } | undefined> {
    const items: z.output<Item>[] = [];
    for (let address = first; ; ) {
      const { status, body } = await ask(address);
      if (status >= 400) return undefined;
      const read = listOf(item).safeParse(body);
      if (!read.success) throw sourceProblems.odd(name);
      items.push(...read.data.value);
      const next = read.data['@odata.nextLink'];
      if (next === undefined) return { items, deltaLink: read.data['@odata.deltaLink'] };
      address = next;
    }
  }

  async function all<Item extends z.ZodType>(path: string, item: Item): Promise<z.output<Item>[]> {
    const read = await pages(`${baseUrl}/${path}`, item);
    if (read === undefined) throw sourceProblems.odd(name);
    return read.items;
  }

  async function listFolders(): Promise<Folder[]> {
    const folders = await all('me/contactFolders?$top=100&$select=id,displayName', folder);
    // The default folder isn't among them. Its contacts contain its id.
    const first = await get(`${baseUrl}/me/contacts?$top=1&$select=parentFolderId`, listOf(inFolder));
    return [
      { key: defaultFolder, name: 'Contacts', id: first.value[0]?.parentFolderId },
      ...folders.map(({ id, displayName }) => ({ key: `folder:${id}`, name: displayName, id })),
    ];
  }

  async function readWhole(folders: Folder[]): Promise<SourceChanges> {
    const contacts: SourceContact[] = [];
    const links: Record<string, string> = {};
    for (const { key, id } of folders) {
      const path = id === undefined ? 'me/contacts' : `me/contactFolders/${encodeURIComponent(id)}/contacts`;
      const delta =
        id === undefined ? undefined : await pages(`${baseUrl}/${path}/delta?${selected}`, contact);
      if (delta?.deltaLink !== undefined) links[key] = delta.deltaLink;
      const items = delta?.items ?? (await all(`${path}?$top=500&${selected}`, contact));
      contacts.push(...items.filter(isThere).map((each) => contactOf(each, key)));
    }
    const mark = folders.every(({ key }) => key in links) ? JSON.stringify(links) : null;
    return { isWhole: true, contacts, gone: [], mark };
  }

  /**
   * The changes of each folder. Undefined if it has to be read again: a link has expired, or a folder was
   * added or removed.
   */
  async function readChanges(folders: Folder[], mark: string): Promise<SourceChanges | undefined> {
    const known = readMark(mark);
    const isSame =
      Object.keys(known).length === folders.length && folders.every(({ key }) => known[key] !== undefined);
    if (!isSame) return undefined;
    const contacts: SourceContact[] = [];
    const gone: string[] = [];
    const links: Record<string, string> = {};
    for (const { key } of folders) {
      const delta = await pages(known[key] ?? '', contact);
      if (delta?.deltaLink === undefined) return undefined;
      links[key] = delta.deltaLink;
      for (const each of delta.items) {
        const whole = isThere(each) ? await complete(each) : undefined;
        if (whole === undefined) gone.push(each.id);
        else contacts.push(contactOf(whole, key));
      }
    }
    // A moved contact has left one folder and joined another.
    const here = new Set(contacts.map(({ key }) => key));
    return {
      isWhole: false,
      contacts,
      gone: gone.filter((key) => !here.has(key)),
      mark: JSON.stringify(links),
    };
  }

  /** A change may contain only the changed fields. */
  async function complete(each: z.output<typeof contact>): Promise<z.output<typeof contact> | undefined> {
    if (fields.every((field) => each[field] !== undefined)) return each;
    const { status, body } = await ask(`${baseUrl}/me/contacts/${encodeURIComponent(each.id)}?${selected}`);
    if (status === 404) return undefined;
    const read = contact.safeParse(body);
    if (status >= 400 || !read.success) throw sourceProblems.odd(name);
    return read.data;
  }

  return wholeSource({
    async check() {
      const { userPrincipalName, mail } = await get(`${baseUrl}/me?$select=userPrincipalName,mail`, me);
      return mail || userPrincipalName || 'Outlook contacts';
    },
    groupTypes: async () => [
      { key: 'folder', name: 'Folders' },
      { key: 'category', name: 'Categories' },
    ],
    async groups() {
      const folders = await listFolders();
      const { contacts } = await readWhole(folders);
      const counts = countGroups(contacts);
      const categories = [...new Set(contacts.flatMap(({ groups }) => groups))].filter((key) =>
        key.startsWith('category:'),
      );
      return [
        ...folders.map(({ key, name: folderName }) => ({ key, name: folderName, type: 'folder' })),
        ...categories.sort().map((key) => ({ key, name: key.slice('category:'.length), type: 'category' })),
      ].map((group) => ({ ...group, count: counts.get(group.key) ?? 0 }));
    },
    async changesSince(mark) {
      const folders = await listFolders();
      const changes = mark === null ? undefined : await readChanges(folders, mark);
      return changes ?? (await readWhole(folders));
    },
  });
}

function readMark(mark: string): Record<string, string> {
  try {
    return marks.parse(JSON.parse(mark));
  } catch {
    return {};
  }
}

function isThere(each: z.output<typeof contact>): boolean {
  return each['@removed'] === undefined;
}

function contactOf(each: z.output<typeof contact>, folderKey: string): SourceContact {
  const isNamed = Boolean(each.givenName || each.surname);
  return {
    key: each.id,
    firstName: isNamed ? (each.givenName ?? '') : (each.displayName ?? ''),
    lastName: each.surname ?? '',
    phones: [each.mobilePhone ?? '', ...(each.homePhones ?? []), ...(each.businessPhones ?? [])].filter(
      (phone) => phone !== '',
    ),
    groups: [folderKey, ...(each.categories ?? []).map((category) => `category:${category}`)],
  };
}
