import { sql } from 'kysely';
import { type WebhookType, webhookBody, webhookSample } from '../../contract/webhook-events.ts';
import { findUserActor } from '../access/load-actor.ts';
import { getSecret } from '../auth/queries.ts';
import { asSystem, type Database } from '../db.ts';
import { createEndpoint } from '../webhooks/create-endpoint.ts';

const description = 'Bus tracker';
const types: WebhookType[] = [
  ...(['message.received', 'message.failed', 'contact.opted_out', 'contact.created'] as const),
  ...(['broadcast.sent', 'broadcast.completed', 'conversation.updated'] as const),
];
/** Deliveries from before the demo began: how long ago, and their response. */
const before: { type: WebhookType; minutes: number; ms: number; isLost?: true }[] = [
  { type: 'contact.created', minutes: 1_610, ms: 93 },
  { type: 'message.received', minutes: 1_540, ms: 88 },
  { type: 'message.received', minutes: 1_410, ms: 81 },
  { type: 'broadcast.sent', minutes: 310, ms: 110 },
  { type: 'contact.opted_out', minutes: 302, ms: 96 },
  { type: 'message.failed', minutes: 298, ms: 79 },
  { type: 'message.failed', minutes: 297, ms: 102 },
  { type: 'broadcast.completed', minutes: 290, ms: 1_204, isLost: true },
  { type: 'message.received', minutes: 64, ms: 91 },
  { type: 'message.received', minutes: 17, ms: 84 },
];

/**
 * The school district's bus tracker receives webhooks; the sandbox simulates it. It may have another port at
 * the next start, so its address is set again.
 */
export async function setDemoWebhook(database: Database, sandboxUrl: string, isNew: boolean): Promise<void> {
  const url = `${sandboxUrl}/receiver`;
  if (!isNew) {
    await sql`update webhook_endpoints set url = ${url}
      where description = ${description} and url like 'http://127.0.0.1:%/receiver'`.execute(database.system);
    return;
  }
  const installation = await getSecret(database);
  await asSystem(database, async (trx) => {
    const { rows } = await sql<{ accountId: number; userId: number }>`
      select account_id as "accountId", user_id as "userId" from users where user_name = 'demo-owner'`.execute(
      trx,
    );
    const [owner] = rows;
    if (owner === undefined) return;
    await sql`update accounts set is_api_authorized = true where account_id = ${owner.accountId}`.execute(
      trx,
    );
    const actor = await findUserActor(trx, owner.accountId, owner.userId);
    if (actor === undefined) return;
    const allowedHosts = [new URL(sandboxUrl).host];
    const { endpointId } = await createEndpoint(
      trx,
      actor,
      { installation, allowedHosts },
      { url, description, eventTypes: types, madeBy: 'page' },
    );
    for (const [place, one] of before.entries()) {
      const at = new Date(Date.now() - one.minutes * 60_000);
      const status = one.isLost ? 500 : 200;
      const { rows: made } = await sql<{ id: number }>`
        insert into webhook_deliveries (account_id, endpoint_id, message_key, event_type, body, state, tries, round_tries,
          last_status, last_ms, created_at, next_try_at)
        values (${owner.accountId}, ${endpointId}, ${`msg_demo_${place}`}, ${one.type},
          ${webhookBody(one.type, at, webhookSample(one.type))}, ${one.isLost ? 'failed' : 'delivered'}, 1, 1,
          ${status}, ${one.ms}, ${at}, ${at})
        returning delivery_id as id`.execute(trx);
      await sql`
        insert into webhook_attempts
          (account_id, delivery_id, attempt, tried_at, signature, duration_ms, status, content_type, reply)
        values (${owner.accountId}, ${made[0]?.id ?? 0}, 1, ${at}, 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9cVY0xyUOIzQ=',
          ${one.ms}, ${status}, 'text/plain', ${one.isLost ? 'database is locked' : 'ok'})`.execute(trx);
    }
  });
}
