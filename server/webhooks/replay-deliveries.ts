import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { type WebhookType, webhookBody, webhookSample } from '../../contract/webhook-events.ts';
import type { replayWebhook } from '../../contract/webhooks.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { type EventActor, recordEvents } from '../record-events.ts';
import { requireEndpoint } from './queries.ts';

const isOff = 'This webhook is off. Switch it on first.';

/**
 * A delivery starts over: it is due at once, and has three days again. Its webhook-id stays, so receivers
 * recognize it.
 */
const beginAnew = sql`
  state = 'waiting', round_tries = 0, next_try_at = now(), give_up_at = now() + interval '3 days'`;

export async function replayDelivery(
  trx: Trx,
  actor: EventActor,
  { endpointId, deliveryId }: { endpointId: number; deliveryId: number },
): Promise<{ Count: number }> {
  const { accountId } = actor;
  const endpoint = await requireEndpoint(trx, accountId, endpointId);
  if (!endpoint.is_enabled) throw new Refusal('refused', isOff);
  const { rows } = await sql`
    update webhook_deliveries set ${beginAnew}
    where account_id = ${accountId} and endpoint_id = ${endpointId} and delivery_id = ${deliveryId}
    returning delivery_id`.execute(trx);
  if (rows.length === 0) throw new Refusal('notFound');
  await endRest(trx, accountId, endpointId);
  await recordEvents(trx, actor, [{ kind: 'webhook.replayed', id: endpointId }]);
  await notify(trx, accountId, [{ type: 'webhooks.changed' }]);
  return { Count: 1 };
}

/** Everything in a period, or only what failed in it. Waiting ones are due anyway. */
export async function replayRange(
  trx: Trx,
  actor: EventActor,
  { params, body }: Input<typeof replayWebhook>,
): Promise<{ Count: number }> {
  const { accountId } = actor;
  const endpointId = params.WebhookID;
  const endpoint = await requireEndpoint(trx, accountId, endpointId);
  if (!endpoint.is_enabled) throw new Refusal('refused', isOff);
  if (Date.parse(body.To) <= Date.parse(body.From))
    throw refuseField('To', 'The end has to be after the beginning');
  const { numAffectedRows = 0n } = await sql`
    update webhook_deliveries set ${beginAnew}
    where account_id = ${accountId} and endpoint_id = ${endpointId}
      and created_at >= ${body.From}::timestamptz and created_at < ${body.To}::timestamptz
      and state = any(${body.OnlyFailed ? ['failed'] : ['failed', 'delivered']}::text[])`.execute(trx);
  const Count = Number(numAffectedRows);
  await endRest(trx, accountId, endpointId);
  await recordEvents(trx, actor, [{ kind: 'webhook.replayed', id: endpointId, count: Count }]);
  await notify(trx, accountId, [{ type: 'webhooks.changed' }]);
  return { Count };
}

/** A sample of an event, only for this endpoint. */
export async function sendTest(
  trx: Trx,
  actor: EventActor,
  { endpointId, type }: { endpointId: number; type: WebhookType },
): Promise<{ DeliveryID: number }> {
  const { accountId } = actor;
  const endpoint = await requireEndpoint(trx, accountId, endpointId);
  if (!endpoint.is_enabled) throw new Refusal('refused', isOff);
  const { rows } = await sql<{ deliveryId: number }>`
    insert into webhook_deliveries (account_id, endpoint_id, message_key, event_type, body)
    values (${accountId}, ${endpointId}, 'test_' || replace(gen_random_uuid()::text, '-', ''), ${type},
      ${webhookBody(type, now(), webhookSample(type))})
    returning delivery_id as "deliveryId"`.execute(trx);
  await endRest(trx, accountId, endpointId);
  await notify(trx, accountId, [{ type: 'webhooks.changed' }]);
  return { DeliveryID: rows[0]?.deliveryId ?? 0 };
}

/** A user is watching: a paused endpoint is tried at once. */
async function endRest(trx: Trx, accountId: number, endpointId: number): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set({ resting_until: null, rests: 0 })
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId)
    .where('resting_until', 'is not', null)
    .execute();
}
