import { type RawBuilder, sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { mostDeliveriesCounted } from '../../contract/forms/webhook.ts';
import type { Webhook, WebhookDelivery } from '../../contract/webhooks.ts';
import type { Trx } from '../db.ts';
import { openSecret } from '../seal-secret.ts';

/** The purpose that an endpoint's secret is sealed for. */
export function secretPlace(accountId: number, endpointId: number): string {
  return `webhook:${accountId}:${endpointId}`;
}

/**
 * True if anything may be posted to the endpoint `w`: its account has API access, and the key that subscribed it, if
 * one did, still works. A key is only valid with its user, who must be allowed to have webhooks.
 */
export const mayHear: RawBuilder<boolean> = sql`(
  exists (select from accounts a where a.account_id = w.account_id and a.is_api_authorized)
  and (w.api_key_id is null or exists (
    select from api_keys k join users u on u.account_id = k.account_id and u.user_id = k.user_id
    where k.account_id = w.account_id and k.api_key_id = w.api_key_id and k.revoked_at is null
      and coalesce(k.expires_at > now(), true) and u.is_active and u.role in ('owner', 'admin'))))`;

type Row = Omit<Webhook, 'SecretEnd'> & { accountId: number; secret: Buffer };

const columns = sql`
  w.account_id as "accountId", w.endpoint_id as "WebhookID", w.url as "Url", w.description as "Description",
  w.event_types as "EventTypes", w.is_enabled and ${mayHear} as "IsEnabled",
  case when w.is_enabled and not ${mayHear} then 'key' else w.off_reason end as "OffReason", w.made_by as "MadeBy",
  w.failing_since as "FailingSince", w.secret, w.created_at as "CreateTimestamp",
  case when w.old_secret_until > now() then w.old_secret_until end as "OldSecretUntil",
  d.delivered as "Delivered", d.failed as "Failed", d.waiting as "Waiting"`;

/** The account's endpoints in the pages' format, newest last; with an id, that one. */
export async function readWebhooks(
  trx: Trx,
  { accountId, endpointId, installation }: { accountId: number; endpointId?: number; installation: Buffer },
): Promise<Webhook[]> {
  const { rows } = await sql<Row>`
    select ${columns}
    from webhook_endpoints w cross join lateral (
      select count(*) filter (where state = 'delivered')::int as delivered,
        count(*) filter (where state = 'failed')::int as failed, count(*) filter (where state = 'waiting')::int as waiting
      from (
        select state, created_at from webhook_deliveries l
        where l.account_id = w.account_id and l.endpoint_id = w.endpoint_id
        order by delivery_id desc limit ${mostDeliveriesCounted}) latest
      where created_at > now() - interval '7 days') d
    where w.account_id = ${accountId} and w.deleted_at is null
      ${endpointId === undefined ? sql`` : sql`and w.endpoint_id = ${endpointId}`}
    order by w.endpoint_id`.execute(trx);
  return rows.map(({ secret, accountId: of, ...row }) => ({
    ...row,
    SecretEnd: openSecret(installation, secretPlace(of, row.WebhookID), secret)
      .toString()
      .replace(/=+$/, '')
      .slice(-4),
  }));
}

/** An existing endpoint; for a change, it is locked until the transaction ends. */
export async function requireEndpoint(
  trx: Trx,
  accountId: number,
  endpointId: number,
  use: 'read' | 'change' = 'change',
) {
  const found = await trx
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId)
    .where('deleted_at', 'is', null)
    .$if(use === 'change', (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (found === undefined) throw new Refusal('notFound');
  return found;
}

const deliveryColumns = sql`
  delivery_id as "DeliveryID", event_type as "EventType", message_key as "MessageID", state as "State", tries as "Tries",
  last_status as "LastStatus", last_ms as "LastDuration", created_at as "CreateTimestamp",
  case when state = 'waiting' then next_try_at end as "NextTryTimestamp"`;

interface DeliveryPage {
  accountId: number;
  endpointId: number;
  state?: WebhookDelivery['State'] | undefined;
  before?: number | undefined;
  size: number;
}

export async function readDeliveries(
  trx: Trx,
  { accountId, endpointId, state, before, size }: DeliveryPage,
): Promise<{ Items: WebhookDelivery[]; Next: string | null }> {
  const { rows } = await sql<WebhookDelivery>`
    select ${deliveryColumns} from webhook_deliveries
    where account_id = ${accountId} and endpoint_id = ${endpointId}
      ${state === undefined ? sql`` : sql`and state = ${state}`}
      ${before === undefined ? sql`` : sql`and delivery_id < ${before}`}
    order by delivery_id desc limit ${size + 1}`.execute(trx);
  const Items = rows.slice(0, size);
  return { Items, Next: rows.length > size ? String(Items.at(-1)?.DeliveryID) : null };
}

/** Number of deliveries in each state. The list shows all stored ones, so all of them are counted. */
export async function countDeliveries(
  trx: Trx,
  accountId: number,
  endpointId: number,
): Promise<{ All: number; Failed: number; Waiting: number }> {
  const upTo = (condition: RawBuilder<unknown>) => sql`(
    select count(*)::int from (
      select from webhook_deliveries
      where account_id = ${accountId} and endpoint_id = ${endpointId} and ${condition}
      limit ${mostDeliveriesCounted}) counted)`;
  const { rows } = await sql<{ All: number; Failed: number; Waiting: number }>`
    select ${upTo(sql`true`)} as "All", ${upTo(sql`state = 'failed'`)} as "Failed",
      ${upTo(sql`state = 'waiting'`)} as "Waiting"`.execute(trx);
  return rows[0] ?? { All: 0, Failed: 0, Waiting: 0 };
}

interface AttemptRow {
  Attempt: number;
  Timestamp: Date;
  SignedAt: number;
  Signature: string;
  Duration: number;
  Status: number | null;
  ContentType: string;
  Reply: string;
  Error: string;
}

export async function readDelivery(
  trx: Trx,
  { accountId, endpointId, deliveryId }: { accountId: number; endpointId: number; deliveryId: number },
) {
  const { rows } = await sql<WebhookDelivery & { Body: string }>`
    select ${deliveryColumns}, body as "Body" from webhook_deliveries
    where account_id = ${accountId} and endpoint_id = ${endpointId} and delivery_id = ${deliveryId}`.execute(
    trx,
  );
  const [found] = rows;
  if (found === undefined) throw new Refusal('notFound');
  const { rows: attempts } = await sql<AttemptRow>`
    select attempt as "Attempt", tried_at as "Timestamp", floor(extract(epoch from tried_at))::bigint as "SignedAt",
      signature as "Signature", duration_ms as "Duration", status as "Status", content_type as "ContentType",
      reply as "Reply", error as "Error"
    from webhook_attempts where account_id = ${accountId} and delivery_id = ${deliveryId}
    order by attempt desc limit 100`.execute(trx);
  return { ...found, Attempts: attempts };
}

/** True if anything waits for webhooks: an unread event, or a delivery that is due or late. */
export const isWebhookWork: RawBuilder<unknown> = sql`(
  exists (
    select from events e, event_readers r
    where r.reader = 'webhooks' and (e.epoch, e.xact_id, e.event_id) > (r.epoch, r.xact_id, r.event_id)
      and (e.epoch < current_event_epoch() or e.xact_id < pg_snapshot_xmin(pg_current_snapshot())))
  or exists (select from webhook_deliveries where state = 'waiting' and next_try_at <= now())
  or exists (select from webhook_deliveries where state = 'waiting' and give_up_at <= now()))`;
