/** Outlook contacts by Microsoft Graph: folders and categories. */
import { z } from 'zod';
import { type ContactSource, type SourceContact, sourceProblems, wholeSource } from './contact-source.ts';
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
});
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ value: z.array(item), '@odata.nextLink': z.string().optional() });
const folder = z.object({ id: z.string(), displayName: z.string() });
const me = z.object({ userPrincipalName: z.string().nullish(), mail: z.string().nullish() });

const name = 'Microsoft';
const defaultFolder = 'folder:';
const fields = 'id,givenName,surname,displayName,mobilePhone,homePhones,businessPhones,categories';

export function createMicrosoftSource(
  line: SourceLine,
  baseUrl: string,
  token: (isStale?: boolean) => Promise<string>,
): ContactSource {
  async function get<T>(address: string, shape: z.ZodType<T>): Promise<T> {
    // Its lists say where their next page is: never with our token to another host.
    if (!address.startsWith(`${baseUrl}/`)) throw sourceProblems.odd(name);
    const { status, body } = await askWithToken(line, { name, token }, address);
    const read = shape.safeParse(body);
    if (status >= 400 || !read.success) throw sourceProblems.odd(name);
    return read.data;
  }

  async function all<Item extends z.ZodType>(path: string, item: Item): Promise<z.output<Item>[]> {
    const items: z.output<Item>[] = [];
    let address: string | undefined = `${baseUrl}/${path}`;
    while (address !== undefined) {
      const page: { value: z.output<Item>[]; '@odata.nextLink'?: string | undefined } = await get(
        address,
        listOf(item),
      );
      items.push(...page.value);
      address = page['@odata.nextLink'];
    }
    return items;
  }

  async function readAll(): Promise<{ folders: z.output<typeof folder>[]; people: SourceContact[] }> {
    const folders = await all('me/contactFolders?$top=100&$select=id,displayName', folder);
    const people: SourceContact[] = [];
    for (const [key, path] of [
      [defaultFolder, 'me/contacts'],
      ...folders.map(({ id }) => [`folder:${id}`, `me/contactFolders/${encodeURIComponent(id)}/contacts`]),
    ] as [string, string][]) {
      for (const each of await all(`${path}?$top=500&$select=${fields}`, contact))
        people.push(contactOf(each, key));
    }
    return { folders, people };
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
      const { folders, people } = await readAll();
      const many = (key: string) => people.filter(({ groups }) => groups.includes(key)).length;
      const categories = [...new Set(people.flatMap(({ groups }) => groups))].filter((key) =>
        key.startsWith('category:'),
      );
      return [
        { key: defaultFolder, name: 'Contacts', type: 'folder' },
        ...folders.map(({ id, displayName }) => ({ key: `folder:${id}`, name: displayName, type: 'folder' })),
        ...categories.sort().map((key) => ({ key, name: key.slice('category:'.length), type: 'category' })),
      ].map((group) => ({ ...group, count: many(group.key) }));
    },
    changesSince: async () => ({ isWhole: true, contacts: (await readAll()).people, gone: [], mark: null }),
  });
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
