import { sql } from 'kysely';
import { eventKinds } from '../../contract/event-kinds.ts';
import { hasScope, type Scope } from '../../contract/scopes.ts';
import {
  typesOfKind,
  type WebhookData,
  type WebhookShape,
  type WebhookType,
  webhookBody,
  webhookEvents,
  webhookKinds,
} from '../../contract/webhook-events.ts';
import { type HookEvent, hookScopes } from '../../contract/zapier.ts';
import type { OpenedLink } from '../broadcasts/links/tell-opened.ts';
import type { KeptConsent } from '../consents/record-consents.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import { type KeptEvent, readEvents } from '../read-events.ts';
import { deleteHooksOfKeys } from './create-endpoint.ts';
import { mayHear } from './queries.ts';
import { findOpened, findPeople, keyOf, type RowShape, writeData } from './write-data.ts';

/** Events of one turn. Each may represent thousands of texts or contacts: a turn ends after this many, too. */
const eventsAtOnce = 200;
const idsAtOnce = 5_000;

interface Listener {
  accountId: number;
  endpointId: number;
  eventTypes: string[];
  createdAt: Date;
}

/** An item to report: one event, for everybody who subscribed to it. */
interface Told {
  accountId: number;
  key: string;
  type: WebhookType;
  at: Date;
  data: object;
}

/**
 * Reads the events since the last turn and writes a delivery for each subscribed endpoint. Reading and
 * writing commit together: an event becomes a delivery exactly once, whatever is killed when. Returns how
 * many events were read.
 */
export async function fanOutEvents(database: Database): Promise<number> {
  return asSystem(database, fanOut);
}

export async function fanOut(trx: Trx): Promise<number> {
  const events = await readEvents(trx, 'webhooks', eventsAtOnce, { skipLocked: true, mostIds: idsAtOnce });
  const revoked = events.filter(({ kind }) => kind === 'apiKey.revoked');
  for (const [accountId, some] of Map.groupBy(revoked, (event) => event.accountId))
    await deleteHooksOfKeys(trx, accountId, some.flatMap(idsOf));
  const known = events.filter(({ kind }) => webhookKinds.includes(kind));
  const listeners = await findListeners(trx, [...new Set(known.map(({ accountId }) => accountId))]);
  const heard = known.filter((event) => wantedTypes(event, listeners).length > 0);
  const told = await tell(trx, heard, listeners);
  await insertDeliveries(trx, told, listeners);
  return events.length;
}

type Listeners = Map<number, Listener[]>;

async function findListeners(trx: Trx, accountIds: number[]): Promise<Listeners> {
  if (accountIds.length === 0) return new Map();
  const { rows } = await sql<Listener & { scopes: string[] | null }>`
    select w.account_id as "accountId", w.endpoint_id as "endpointId", w.event_types as "eventTypes",
      w.created_at as "createdAt", (
        select scopes from api_keys k where k.account_id = w.account_id and k.api_key_id = w.api_key_id) as scopes
    from webhook_endpoints w
    where w.account_id = any(${accountIds}::bigint[]) and w.is_enabled and w.deleted_at is null and ${mayHear}`.execute(
    trx,
  );
  const listeners = rows.map(({ scopes, eventTypes, ...listener }) => {
    return {
      ...listener,
      eventTypes: eventTypes.filter((type) => scopes === null || isReadBy(scopes, type)),
    };
  });
  return Map.groupBy(listeners, ({ accountId }) => accountId);
}

/** A key whose scopes were narrowed since it subscribed gets fewer events. */
function isReadBy(scopes: readonly string[], type: string): boolean {
  const needed = hookScopes[type as HookEvent] as Scope | undefined;
  return needed !== undefined && hasScope(scopes, needed);
}

/** The types of this event that anybody in its account has subscribed to. */
function wantedTypes({ kind, accountId }: KeptEvent, listeners: Listeners): WebhookType[] {
  const wanted = listeners.get(accountId) ?? [];
  return typesOfKind(kind).filter((type) => wanted.some(({ eventTypes }) => eventTypes.includes(type)));
}

async function tell(trx: Trx, events: KeptEvent[], listeners: Listeners): Promise<Told[]> {
  const pairs = events.flatMap((event) => wantedTypes(event, listeners).map((type) => ({ event, type })));
  const byShape = Map.groupBy(pairs, ({ type }): WebhookShape => webhookEvents[type].shape);
  const told: Told[] = [];
  for (const [shape, some] of byShape) {
    if (shape === 'consent') told.push(...(await tellConsents(trx, some)));
    else if (shape === 'link') told.push(...(await tellOpened(trx, some)));
    else if (shape === 'several') told.push(...some.map(tellSeveral));
    else if (shape === 'sync') told.push(...some.map(tellSync));
    else if (shape === 'thing') told.push(...some.flatMap(tellThings));
    else told.push(...(await tellRows(trx, shape, some)));
  }
  return told;
}

interface Pair {
  event: KeptEvent;
  type: WebhookType;
}

const idsOf = ({ id, ids }: KeptEvent): number[] => ids ?? (id === null ? [] : [id]);

async function tellRows(trx: Trx, shape: RowShape, pairs: Pair[]): Promise<Told[]> {
  const things = pairs.flatMap(({ event, type }) =>
    idsOf(event).map((id) => ({ accountId: event.accountId, id, type, event })),
  );
  if (things.length === 0) return [];
  const found = await writeData(trx, shape, things);
  return things.flatMap(({ accountId, id, type, event }) => {
    const data = found.get(keyOf({ accountId, id }));
    return data === undefined
      ? []
      : [{ accountId, type, data, key: `msg_${event.eventId}_${id}`, at: event.at }];
  });
}

async function tellConsents(trx: Trx, pairs: Pair[]): Promise<Told[]> {
  const said = pairs.flatMap(({ event, type }) =>
    ((event.changes?.consents ?? []) as KeptConsent[])
      .map((consent, place) => ({ consent, type, event, place }))
      .filter(({ consent }) => (type === 'contact.opted_out') === (consent.state === 'out')),
  );
  if (said.length === 0) return [];
  const people = await findPeople(
    trx,
    said.map(({ event, consent }) => ({ accountId: event.accountId, phone: consent.phone })),
  );
  return said.map(({ consent, type, event, place }) => ({
    accountId: event.accountId,
    key: `msg_${event.eventId}_${place}`,
    type,
    at: event.at,
    data: {
      PhoneNumber: consent.phone,
      PersonIDs: people.get(`${event.accountId} ${consent.phone}`) ?? [],
      Channel: consent.channel,
      Source: consent.source,
      Timestamp: consent.at,
    },
  }));
}

async function tellOpened(trx: Trx, pairs: Pair[]): Promise<Told[]> {
  const opened = pairs.flatMap(({ event, type }) =>
    ((event.changes?.opens ?? []) as OpenedLink[]).map((open, place) => ({
      ...{ ...open, place, type, event, accountId: event.accountId },
    })),
  );
  if (opened.length === 0) return [];
  const found = await findOpened(trx, opened);
  return opened.flatMap(({ accountId, linkId, recipientId, at, place, type, event }) => {
    const data = found.get(`${accountId} ${linkId} ${recipientId}`);
    const key = `msg_${event.eventId}_${place}`;
    return data === undefined
      ? []
      : [{ accountId, key, type, at: event.at, data: { ...data, OpenTimestamp: at } }];
  });
}

/** Kinds whose id is the list that the change was made in. */
const namesList: readonly string[] = ['contacts.changed', 'contacts.joined', 'contacts.left'];

function tellSeveral({ event: { accountId, eventId, at, kind, count, id }, type }: Pair): Told {
  // For a list that is a group: 0 and negative ones are everyone, the unfiled and the deleted.
  const ofGroup = namesList.includes(kind) && id !== null && id > 0;
  const data = { What: eventKinds[kind], Count: count, ListID: ofGroup ? id : null };
  return { accountId, key: `msg_${eventId}`, type, at, data };
}

function tellSync({ event, type }: Pair): Told {
  const { accountId, eventId, at, kind, userId, id, changes } = event;
  const counted = (field: string) => Number(changes?.[field] ?? 0);
  const data: WebhookData<'sync'> = {
    ...{ ID: id ?? 0, What: eventKinds[kind], UserID: userId },
    SyncID: changes?.SyncID === undefined ? null : Number(changes.SyncID),
    AddedCount: counted('AddedCount'),
    ChangedCount: counted('ChangedCount'),
    LeftCount: counted('LeftCount'),
    SkippedCount: counted('SkippedCount'),
  };
  return { accountId, key: `msg_${eventId}`, type, at, data };
}

function tellThings({ event, type }: Pair): Told[] {
  const { accountId, eventId, at, kind, userId, id, ids } = event;
  const tellOne = (ID: number | null, key: string): Told => {
    return { accountId, key, type, at, data: { ID, What: eventKinds[kind], UserID: userId } };
  };
  return ids === null
    ? [tellOne(id, `msg_${eventId}`)]
    : ids.map((each) => tellOne(each, `msg_${eventId}_${each}`));
}

/** One statement for all. Endpoints get nothing from before they were added. */
async function insertDeliveries(trx: Trx, told: Told[], listeners: Listeners): Promise<void> {
  const rows = told.flatMap(({ accountId, key, type, at, data }) =>
    (listeners.get(accountId) ?? [])
      .filter(({ eventTypes, createdAt }) => eventTypes.includes(type) && createdAt <= at)
      .map(({ endpointId }) => ({ accountId, endpointId, key, type, body: webhookBody(type, at, data) })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into webhook_deliveries (account_id, endpoint_id, message_key, event_type, body)
    select * from unnest(
      ${rows.map((row) => row.accountId)}::bigint[], ${rows.map((row) => row.endpointId)}::bigint[],
      ${rows.map((row) => row.key)}::text[], ${rows.map((row) => row.type)}::text[],
      ${rows.map((row) => row.body)}::text[])
    on conflict (account_id, endpoint_id, message_key) do nothing`.execute(trx);
}
