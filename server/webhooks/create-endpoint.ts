import { sql, type Updateable } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { changesBetween } from '../../contract/event-changes.ts';
import type { WebhookType } from '../../contract/webhook-events.ts';
import type { updateWebhook as update } from '../../contract/webhooks.ts';
import { now, nowMs } from '../clock.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { refusalOfUrl } from '../outside/post-webhook.ts';
import { type EventActor, recordEvents } from '../record-events.ts';
import type { DB } from '../schema.types.ts';
import { openSecret, sealSecret } from '../seal-secret.ts';
import { requireEndpoint, secretPlace } from './queries.ts';
import { mostEndpoints, newSecret, oldSecretHours } from './rules.ts';

export interface NewEndpoint {
  url: string;
  description: string;
  eventTypes: readonly WebhookType[];
  madeBy: 'page' | 'zapier';
}

/**
 * The dependencies of verbs outside the transaction: the installation's secret, and the hosts that the
 * operator allows.
 */
export interface EndpointTools {
  installation: Buffer;
  allowedHosts: readonly string[];
}

/** Adds an endpoint. Pages and programs that subscribe by themselves (REST hooks) use the same verb. */
export async function createEndpoint(
  trx: Trx,
  actor: EventActor & { userId: number },
  { installation, allowedHosts }: EndpointTools,
  endpoint: NewEndpoint,
): Promise<{ endpointId: number; secret: string }> {
  const refusal = refusalOfUrl(allowedHosts, endpoint.url);
  if (refusal !== undefined) throw refuseField(endpoint.madeBy === 'zapier' ? 'TargetUrl' : 'Url', refusal);
  const { accountId } = actor;
  // Two at once: the second waits, and counts the first.
  await sql`select pg_advisory_xact_lock(hashtextextended('webhook_endpoints', ${accountId}))`.execute(trx);
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from webhook_endpoints
    where account_id = ${accountId} and deleted_at is null`.execute(trx);
  if ((rows[0]?.many ?? 0) >= mostEndpoints)
    throw new Refusal('refused', `An organization has at most ${mostEndpoints} webhooks. Delete one first.`);
  const { endpoint_id: endpointId } = await trx
    .insertInto('webhook_endpoints')
    .values({
      account_id: accountId,
      url: endpoint.url,
      description: endpoint.description,
      event_types: [...endpoint.eventTypes],
      made_by: endpoint.madeBy,
      user_id: actor.userId,
      api_key_id: actor.apiKeyId ?? null,
      secret: Buffer.alloc(0),
    })
    .returning('endpoint_id')
    .executeTakeFirstOrThrow();
  const secret = newSecret();
  const sealed = sealSecret(installation, secretPlace(accountId, endpointId), secret);
  await setEndpoint(trx, { accountId, endpointId }, { secret: sealed });
  const changes = { Url: endpoint.url, EventTypes: [...endpoint.eventTypes] };
  await recordEvents(trx, actor, [{ kind: 'webhook.created', id: endpointId, changes }]);
  await notify(trx, accountId, [{ type: 'webhooks.changed' }]);
  return { endpointId, secret };
}

/** Removes an endpoint at once: nothing more is posted to it. Its deliveries are deleted at night. */
export async function deleteEndpoint(trx: Trx, actor: EventActor, endpointId: number): Promise<void> {
  const { accountId } = actor;
  const before = await requireEndpoint(trx, accountId, endpointId);
  await setEndpoint(trx, { accountId, endpointId }, { is_enabled: false, deleted_at: now() });
  await recordEvents(trx, actor, [{ kind: 'webhook.deleted', id: endpointId, changes: { Url: before.url } }]);
  await notify(trx, accountId, [{ type: 'webhooks.changed' }]);
}

/**
 * The hooks that these keys subscribed are removed with them: the owner of a stolen key gets nothing more.
 */
export async function deleteHooksOfKeys(trx: Trx, accountId: number, apiKeyIds: number[]): Promise<void> {
  const { rows } = await sql<{ endpointId: number }>`
    select endpoint_id as "endpointId" from webhook_endpoints
    where account_id = ${accountId} and api_key_id = any(${apiKeyIds}::bigint[]) and deleted_at is null
    order by endpoint_id for no key update`.execute(trx);
  for (const { endpointId } of rows) await deleteEndpoint(trx, { accountId }, endpointId);
}

export async function updateEndpoint(
  trx: Trx,
  actor: EventActor,
  { allowedHosts }: Pick<EndpointTools, 'allowedHosts'>,
  { params, body }: Input<typeof update>,
): Promise<void> {
  const { accountId } = actor;
  const key = { accountId, endpointId: params.WebhookID };
  const before = await requireEndpoint(trx, accountId, key.endpointId);
  const refusal = refusalOfUrl(allowedHosts, body.Url);
  if (refusal !== undefined) throw refuseField('Url', refusal);
  const isStarted = body.IsEnabled && !before.is_enabled;
  const isStopped = !body.IsEnabled && before.is_enabled;
  await setEndpoint(trx, key, {
    url: body.Url,
    description: body.Description,
    event_types: [...body.EventTypes],
    is_enabled: body.IsEnabled,
    // Another address, or on again: it starts over, without the errors of the old one.
    ...(isStarted || before.url !== body.Url
      ? { off_reason: '', failing_since: null, rests: 0, resting_until: null }
      : {}),
    ...(isStopped ? { off_reason: 'hand' } : {}),
    updated_at: now(),
  });
  const changes = changesBetween(
    {
      Url: before.url,
      Description: before.description,
      EventTypes: before.event_types,
      IsEnabled: before.is_enabled,
    },
    { ...body },
  );
  await recordEvents(trx, actor, [{ kind: 'webhook.updated', id: key.endpointId, changes }]);
  await notify(trx, accountId, [{ type: 'webhooks.changed' }]);
}

export async function showSecret(
  trx: Trx,
  actor: EventActor,
  { installation }: Pick<EndpointTools, 'installation'>,
  endpointId: number,
): Promise<string> {
  const { secret } = await requireEndpoint(trx, actor.accountId, endpointId);
  return openSecret(installation, secretPlace(actor.accountId, endpointId), secret).toString();
}

/** A new secret. The old one also signs for a day, so that receivers can change at their own pace. */
export async function rotateSecret(
  trx: Trx,
  actor: EventActor,
  { installation }: Pick<EndpointTools, 'installation'>,
  endpointId: number,
): Promise<{ Secret: string; OldSecretUntil: Date }> {
  const { accountId } = actor;
  const before = await requireEndpoint(trx, accountId, endpointId);
  const Secret = newSecret();
  const OldSecretUntil = new Date(nowMs() + oldSecretHours * 3_600_000);
  await setEndpoint(
    trx,
    { accountId, endpointId },
    {
      secret: sealSecret(installation, secretPlace(accountId, endpointId), Secret),
      old_secret: before.secret,
      old_secret_until: OldSecretUntil,
    },
  );
  await notify(trx, accountId, [{ type: 'webhooks.changed' }]);
  return { Secret, OldSecretUntil };
}

async function setEndpoint(
  trx: Trx,
  { accountId, endpointId }: { accountId: number; endpointId: number },
  values: Updateable<DB['webhook_endpoints']>,
): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set(values)
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId)
    .execute();
}
