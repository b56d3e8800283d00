import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type {
  listIntegrationContacts as contactsDefinition,
  listIntegrationGroups as groupsDefinition,
  IntegrationContact,
  IntegrationGroup,
  listIntegrationGroupTypes as typesDefinition,
} from '../../contract/integrations.ts';
import { validatePhone } from '../../contract/phone/validate-phone.ts';
import { asAccount } from '../db.ts';
import { countryOf } from '../imports/queries.ts';
import type { ContactSource, SourceContact, SourceGroup } from '../outside/contact-source.ts';
import type { Actor, App } from '../serve.ts';
import { refuseSource, type Sources } from './open-source.ts';
import { readKeptGroups, requireConnection, requireContactEntry } from './queries.ts';
import { foreignIdOf } from './rules.ts';

/** The source of a connected integration. Its errors become messages here. */
export async function askSource<T>(
  { database, config }: Pick<App, 'database' | 'config'>,
  sources: Sources,
  { accountId, integrationId }: { accountId: number; integrationId: number },
  ask: (source: ContactSource) => Promise<T>,
): Promise<T> {
  const { name } = requireContactEntry(config, integrationId);
  await asAccount(database, accountId, (trx) => requireConnection(trx, accountId, integrationId, 'read'));
  const source = await sources.open(accountId, integrationId);
  return ask(source).catch(refuseSource(name));
}

export async function listGroupTypes(
  app: App,
  sources: Sources,
  { accountId }: Actor,
  { params }: Input<typeof typesDefinition>,
) {
  const of = { accountId, integrationId: params.IntegrationID };
  const types = await askSource(app, sources, of, (source) => source.groupTypes());
  return {
    Items: types.map(({ key, name }) => ({ GroupTypeID: key, GroupTypeName: name })),
    Size: types.length,
  };
}

export async function listGroups(
  app: App,
  sources: Sources,
  { accountId }: Actor,
  { params, query }: Input<typeof groupsDefinition>,
): Promise<{ Items: IntegrationGroup[]; Size: number }> {
  const of = { accountId, integrationId: params.IntegrationID };
  const groups = await askSource(app, sources, of, (source) => source.groups());
  const kept = await asAccount(app.database, accountId, (trx) =>
    readKeptGroups(trx, accountId, params.IntegrationID),
  );
  const keptKeys = new Set(kept.map(({ groupKey }) => groupKey));
  const found = groups.filter(({ type }) => query.grouptype === undefined || type === query.grouptype);
  // Pages show the first page, and let go of what they don't show.
  if (found.length > query.pagesize)
    found.sort((a, b) => Number(keptKeys.has(b.key)) - Number(keptKeys.has(a.key)));
  const first = (query.page - 1) * query.pagesize;
  return {
    Items: found.slice(first, first + query.pagesize).map(({ key, name, type, count }) => {
      const list = kept.find(({ groupKey }) => groupKey === key);
      return {
        GroupID: foreignIdOf(key),
        GroupName: name,
        GroupTypeID: type,
        ContactCount: count,
        ListID: list?.listId ?? null,
        ListName: list?.listName ?? '',
      };
    }),
    Size: found.length,
  };
}

export async function requireSourceGroup(source: ContactSource, groupId: string): Promise<SourceGroup> {
  const found = (await source.groups()).find(({ key }) => foreignIdOf(key) === groupId);
  if (found === undefined) throw new Refusal('notFound', 'That group is no longer there.');
  return found;
}

export async function listContacts(
  app: App,
  sources: Sources,
  { accountId }: Actor,
  { params, query }: Input<typeof contactsDefinition>,
): Promise<{ Items: IntegrationContact[]; Size: number }> {
  const of = { accountId, integrationId: params.IntegrationID };
  const { contacts, total } = await askSource(app, sources, of, async (source) => {
    const group = await requireSourceGroup(source, params.Group);
    return source.contacts(group.key, { page: query.page, size: query.pagesize, search: query.q });
  });
  const countryId = await asAccount(app.database, accountId, (trx) => countryOf(trx, accountId));
  return { Items: contacts.map((contact) => shownContact(contact, countryId)), Size: total };
}

function shownContact(contact: SourceContact, countryId: number): IntegrationContact {
  const read = contact.phones.map((phone) => ({ phone, ...validated(phone, countryId) }));
  const best = read.find(({ error }) => error === '') ?? read[0];
  return {
    ContactID: foreignIdOf(contact.key),
    FirstName: contact.firstName,
    LastName: contact.lastName,
    PrimaryPhone: best?.phone ?? '',
    PrimaryPhoneError: best === undefined ? 'No phone number' : best.error,
  };
}

function validated(phone: string, countryId: number): { error: string } {
  return { error: validatePhone(phone, countryId).error ?? '' };
}
