import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type { Added } from '../../contract/draft-recipients.ts';
import { Refusal } from '../../contract/errors.ts';
import {
  type integrationContactsToDraft as contactsDefinition,
  type integrationGroupsToDraft as groupsDefinition,
  integrationLimits,
} from '../../contract/integrations.ts';
import { refuseUnless } from '../access/refuse-unless.ts';
import { lockDraft } from '../broadcasts/draft/queries.ts';
import { addRecipients } from '../broadcasts/recipients/add-recipients.ts';
import { asAccount } from '../db.ts';
import { countryOf } from '../imports/queries.ts';
import type { SourceContact } from '../outside/contact-source.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { askSource, requireSourceGroup } from './browse-source.ts';
import type { Sources } from './open-source.ts';
import { requireContactEntry } from './queries.ts';
import { foreignIdOf } from './rules.ts';
import { tidyPerson } from './tidy-person.ts';

/** Everybody in some groups, as the other system currently has them. */
export async function groupsToDraft(
  app: App,
  sources: Sources,
  actor: Actor,
  { params, body }: Input<typeof groupsDefinition>,
): Promise<Added> {
  refuseUnless(actor, 'seeAllContacts');
  const of = { accountId: actor.accountId, integrationId: params.IntegrationID };
  const listed = new Set(body.Selection.Items.map(({ GroupID }) => GroupID));
  const found = await askSource(app, sources, of, async (source) => {
    const groups = (await source.groups()).filter(
      ({ key }) => listed.has(foreignIdOf(key)) === (body.Selection.Type === 'Selected'),
    );
    if (groups.length === 0) throw new Refusal('refused', 'Please select at least one group.');
    const people = new Map<string, SourceContact>();
    for (const { key } of groups)
      for (const contact of await everybodyIn((page) => source.contacts(key, page), ''))
        people.set(contact.key, contact);
    return { people: [...people.values()], names: groups.map(({ name }) => name) };
  });
  const [first = '', ...others] = found.names;
  const name = others.length === 0 ? first : `${first} and ${others.length} more`;
  return addToDraft(app, actor, { ...params, name, people: found.people });
}

/** Some people of a group, or all matches of a search. */
export async function contactsToDraft(
  app: App,
  sources: Sources,
  actor: Actor,
  { params, query, body }: Input<typeof contactsDefinition>,
): Promise<Added> {
  refuseUnless(actor, 'seeAllContacts');
  const of = { accountId: actor.accountId, integrationId: params.IntegrationID };
  const listed = new Set(body.Selection.Items.map(({ ContactID }) => ContactID));
  const found = await askSource(app, sources, of, async (source) => {
    const group = await requireSourceGroup(source, params.Group);
    const all = await everybodyIn((page) => source.contacts(group.key, page), query.q);
    const people = all.filter(
      ({ key }) => listed.has(foreignIdOf(key)) === (body.Selection.Type === 'Selected'),
    );
    return { people, name: group.name };
  });
  if (found.people.length === 0) throw new Refusal('refused', 'Please select at least one contact.');
  return addToDraft(app, actor, { ...params, ...found });
}

async function everybodyIn(
  ask: (page: {
    page: number;
    size: number;
    search: string;
  }) => Promise<{ contacts: SourceContact[]; total: number }>,
  search: string,
): Promise<SourceContact[]> {
  const { contacts, total } = await ask({ page: 1, size: integrationLimits.toDraft, search });
  if (total > integrationLimits.toDraft)
    throw new Refusal(
      'refused',
      `At most ${integrationLimits.toDraft.toLocaleString('en-US')} people can be added at once. Keep the group in contacts, and add it from there.`,
    );
  return contacts;
}

interface Addition {
  IntegrationID: number;
  DraftBroadcastID: number;
  name: string;
  people: SourceContact[];
}

async function addToDraft(
  { database, config }: App,
  actor: Actor,
  { IntegrationID, DraftBroadcastID, name, people }: Addition,
): Promise<Added> {
  const { accountId } = actor;
  const entry = requireContactEntry(config, IntegrationID);
  return asAccount(database, accountId, async (trx) => {
    const { broadcast_id } = await lockDraft(trx, actor, DraftBroadcastID);
    const countryId = await countryOf(trx, accountId);
    // Existing contacts are recognized, so that their custom fields can be merged.
    const { rows } = await sql<{ key: string; personId: number }>`
      select k.source_key as key, k.person_id as "personId" from integration_people k
      join contacts c on c.account_id = k.account_id and c.person_id = k.person_id and c.deleted_at is null
      where k.account_id = ${accountId} and k.integration_id = ${IntegrationID}
        and k.source_key = any(${people.map(({ key }) => key)}::text[])`.execute(trx);
    const known = new Map(rows.map(({ key, personId }) => [key, personId]));
    const given = people.map((contact) => {
      const tidy = tidyPerson(contact, countryId);
      return {
        personId: known.get(contact.key),
        firstName: tidy?.firstName ?? contact.firstName.slice(0, 50),
        lastName: tidy?.lastName ?? contact.lastName.slice(0, 50),
        phone: tidy?.phone1 ?? null,
        typed: contact.phones[0]?.slice(0, 60) ?? '',
      };
    });
    const source = { kind: 'integration' as const, people: given, name: `${name} (${entry.name})` };
    const added = await addRecipients(trx, actor, broadcast_id, source);
    await recordEvents(trx, actor, [{ kind: 'draft.changed', id: DraftBroadcastID }]);
    return added;
  });
}
