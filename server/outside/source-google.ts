/** Google Contacts by the People API. */
import { z } from 'zod';
import {
  type ContactSource,
  type SourceChanges,
  type SourceContact,
  sourceProblems,
  wholeSource,
} from './contact-source.ts';
import type { SourceLine } from './source-line.ts';
import { askWithToken } from './source-oauth.ts';

export const googleScope =
  'https://www.googleapis.com/auth/contacts.readonly https://www.googleapis.com/auth/userinfo.email';

const person = z.object({
  resourceName: z.string(),
  metadata: z.object({ deleted: z.boolean().optional() }).optional(),
  names: z
    .array(
      z.object({
        givenName: z.string().optional(),
        familyName: z.string().optional(),
        displayName: z.string().optional(),
      }),
    )
    .optional(),
  phoneNumbers: z.array(z.object({ value: z.string().optional(), type: z.string().optional() })).optional(),
  memberships: z
    .array(
      z.object({ contactGroupMembership: z.object({ contactGroupResourceName: z.string() }).optional() }),
    )
    .optional(),
});
const connections = z.object({
  connections: z.array(person).optional(),
  nextPageToken: z.string().optional(),
  nextSyncToken: z.string().optional(),
});
const contactGroups = z.object({
  contactGroups: z
    .array(
      z.object({
        resourceName: z.string(),
        name: z.string(),
        groupType: z.string().optional(),
        memberCount: z.number().optional(),
      }),
    )
    .optional(),
  nextPageToken: z.string().optional(),
});
const me = z.object({ emailAddresses: z.array(z.object({ value: z.string() })).optional() });

const pageSize = '1000';
const name = 'Google';
const myContacts = 'contactGroups/myContacts';

export function createGoogleSource(
  line: SourceLine,
  baseUrl: string,
  token: (isStale?: boolean) => Promise<string>,
): ContactSource {
  async function get<T>(path: string, query: Record<string, string>, shape: z.ZodType<T>) {
    const address = `${baseUrl}/v1/${path}?${new URLSearchParams(query)}`;
    const { status, body } = await askWithToken(line, { name, token }, address);
    if (status >= 400) return { status, body: undefined };
    const read = shape.safeParse(body);
    if (!read.success) throw sourceProblems.odd(name);
    return { status, body: read.data };
  }

  async function readPeople(mark: string | null): Promise<SourceChanges | undefined> {
    const contacts: SourceContact[] = [];
    const gone: string[] = [];
    let pageToken = '';
    for (;;) {
      const { status, body } = await get(
        'people/me/connections',
        {
          ...{ personFields: 'names,phoneNumbers,memberships,metadata', pageSize, requestSyncToken: 'true' },
          ...(pageToken === '' ? {} : { pageToken }),
          ...(mark === null ? {} : { syncToken: mark }),
        },
        connections,
      );
      // A mark is valid for a week.
      if (mark !== null && (status === 400 || status === 410)) return undefined;
      if (body === undefined) throw sourceProblems.odd(name);
      for (const each of body.connections ?? []) {
        if (each.metadata?.deleted) gone.push(each.resourceName);
        else contacts.push(contactOf(each));
      }
      if (body.nextPageToken === undefined) {
        return { isWhole: mark === null, contacts, gone, mark: body.nextSyncToken ?? null };
      }
      pageToken = body.nextPageToken;
    }
  }

  return wholeSource({
    async check() {
      const { body } = await get('people/me', { personFields: 'emailAddresses' }, me);
      return body?.emailAddresses?.[0]?.value ?? 'Google Contacts';
    },
    async groups() {
      const all: z.output<typeof contactGroups>['contactGroups'] = [];
      let pageToken = '';
      do {
        const query = { pageSize, ...(pageToken === '' ? {} : { pageToken }) };
        const { body } = await get('contactGroups', query, contactGroups);
        if (body === undefined) throw sourceProblems.odd(name);
        all.push(...(body.contactGroups ?? []));
        pageToken = body.nextPageToken ?? '';
      } while (pageToken !== '');
      const own = all.filter(({ groupType }) => groupType === 'USER_CONTACT_GROUP');
      const mine = all.find(({ resourceName }) => resourceName === myContacts);
      return [
        { key: myContacts, name: 'My contacts', type: '', count: mine?.memberCount ?? null },
        ...own.map(({ resourceName, name: groupName, memberCount }) => ({
          ...{ key: resourceName, name: groupName, type: '', count: memberCount ?? 0 },
        })),
      ];
    },
    async changesSince(mark) {
      const changed = mark === null ? undefined : await readPeople(mark);
      const all = changed ?? (await readPeople(null));
      if (all === undefined) throw sourceProblems.odd(name);
      return all;
    },
  });
}

function contactOf({
  resourceName,
  names,
  phoneNumbers,
  memberships,
}: z.output<typeof person>): SourceContact {
  const [first] = names ?? [];
  const phones = (phoneNumbers ?? []).filter(({ type }) => !/fax|pager/i.test(type ?? ''));
  const isMobile = ({ type }: { type?: string | undefined }) => /mobile|iphone/i.test(type ?? '');
  return {
    key: resourceName,
    firstName: first?.givenName ?? (first?.familyName === undefined ? (first?.displayName ?? '') : ''),
    lastName: first?.familyName ?? '',
    phones: [...phones.filter(isMobile), ...phones.filter((each) => !isMobile(each))].flatMap(
      ({ value }) => value ?? [],
    ),
    groups: (memberships ?? []).flatMap(
      ({ contactGroupMembership }) => contactGroupMembership?.contactGroupResourceName ?? [],
    ),
  };
}
