import { sql } from 'kysely';
import {
  type createApiKey as createDefinition,
  mostApiKeys,
  type revokeApiKey as revokeDefinition,
  type rotateApiKey as rotateDefinition,
  type updateApiKey as updateDefinition,
} from '../../contract/api-keys.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { changesBetween } from '../../contract/event-changes.ts';
import { hasScope, type Scope } from '../../contract/scopes.ts';
import { nowMs } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor } from '../serve.ts';
import { requireKey, requireOwnKey } from './queries.ts';
import { makeKey } from './rules.ts';
import { tellOfChange } from './tell-of-key.ts';

/** A key for a program, which acts as the user who creates it. */
export async function createApiKey(
  trx: Trx,
  config: Config,
  actor: Actor,
  { body }: Input<typeof createDefinition>,
): Promise<{ ApiKeyID: number; Key: string }> {
  refusePast(body.ExpireTimestamp);
  await refuseTooMany(trx, actor);
  const key = makeKey();
  const row = await trx
    .insertInto('api_keys')
    .values({
      account_id: actor.accountId,
      user_id: actor.userId,
      name: body.Name,
      public_id: key.publicId,
      secret_hash: key.secretHash,
      scopes: body.Scopes,
      addresses: networks(body.Addresses),
      expires_at: body.ExpireTimestamp,
    })
    .returning('api_key_id')
    .executeTakeFirstOrThrow();
  const changes = changesBetween({}, body);
  await recordEvents(trx, actor, [{ kind: 'apiKey.created', id: row.api_key_id, changes }]);
  await tellOfChange(trx, config, actor, {
    ...{ userId: actor.userId, name: body.Name, scopes: body.Scopes },
    did: 'made',
  });
  await notify(trx, actor.accountId, [{ type: 'apikeys.changed' }]);
  return { ApiKeyID: row.api_key_id, Key: key.text };
}

/** A change that lets the key do more, or be used in more places, is told like a new key. */
export async function updateApiKey(
  trx: Trx,
  config: Config,
  actor: Actor,
  { params, body }: Input<typeof updateDefinition>,
): Promise<Record<string, never>> {
  const before = await requireOwnKey(trx, actor, params.ApiKeyID);
  const end = before.expires_at?.toISOString() ?? null;
  if (body.ExpireTimestamp !== end) refusePast(body.ExpireTimestamp);
  const after = await trx
    .updateTable('api_keys')
    .set({
      name: body.Name,
      scopes: body.Scopes,
      addresses: networks(body.Addresses),
      expires_at: body.ExpireTimestamp,
    })
    .where('account_id', '=', actor.accountId)
    .where('api_key_id', '=', params.ApiKeyID)
    .returning('addresses')
    .executeTakeFirstOrThrow();
  const changes = changesBetween(
    { Name: before.name, Scopes: before.scopes, Addresses: before.addresses, ExpireTimestamp: end },
    { ...body, Addresses: after.addresses },
  );
  await recordEvents(trx, actor, [{ kind: 'apiKey.updated', id: params.ApiKeyID, changes }]);
  if (isWider(before, { ...after, scopes: body.Scopes })) {
    await tellOfChange(trx, config, actor, {
      ...{ userId: before.user_id, name: body.Name, scopes: body.Scopes, addresses: after.addresses },
      did: 'widened',
    });
  }
  await notify(trx, actor.accountId, [{ type: 'apikeys.changed' }]);
  return {};
}

interface Reach {
  scopes: readonly string[];
  /** None for any address. */
  addresses: readonly string[];
}

function isWider(before: Reach, after: Reach): boolean {
  const isMore = after.scopes.some((scope) => !hasScope(before.scopes, scope as Scope));
  const hasNewPlace = after.addresses.some((address) => !before.addresses.includes(address));
  return isMore || (before.addresses.length > 0 && (after.addresses.length === 0 || hasNewPlace));
}

/**
 * A new secret under the same name. The old one keeps working for some hours, so that programs can be
 * updated.
 */
export async function rotateApiKey(
  trx: Trx,
  config: Config,
  actor: Actor,
  { params, body }: Input<typeof rotateDefinition>,
): Promise<{ ApiKeyID: number; Key: string }> {
  const before = await requireOwnKey(trx, actor, params.ApiKeyID);
  const key = makeKey(before.public_id);
  const hasOverlap = body.OverlapHours > 0;
  await trx
    .updateTable('api_keys')
    .set({
      secret_hash: key.secretHash,
      old_secret_hash: hasOverlap ? before.secret_hash : null,
      old_secret_until: hasOverlap ? sql<Date>`now() + ${body.OverlapHours} * interval '1 hour'` : null,
    })
    .where('account_id', '=', actor.accountId)
    .where('api_key_id', '=', params.ApiKeyID)
    .execute();
  const changes = { OverlapHours: body.OverlapHours };
  await recordEvents(trx, actor, [{ kind: 'apiKey.rotated', id: params.ApiKeyID, changes }]);
  await tellOfChange(trx, config, actor, {
    ...{ userId: before.user_id, name: before.name, scopes: before.scopes },
    did: 'rotated',
  });
  await notify(trx, actor.accountId, [{ type: 'apikeys.changed' }]);
  return { ApiKeyID: params.ApiKeyID, Key: key.text };
}

/** It stops working when this commits, in every process: each call reads the row. */
export async function revokeApiKey(
  trx: Trx,
  config: Config,
  actor: Actor,
  { params }: Input<typeof revokeDefinition>,
): Promise<Record<string, never>> {
  const key = await requireKey(trx, actor, params.ApiKeyID);
  await trx
    .updateTable('api_keys')
    .set({ revoked_at: sql`now()`, old_secret_hash: null, old_secret_until: null })
    .where('account_id', '=', actor.accountId)
    .where('api_key_id', '=', params.ApiKeyID)
    .execute();
  await recordEvents(trx, actor, [
    { kind: 'apiKey.revoked', id: params.ApiKeyID, changes: { Name: key.name } },
  ]);
  await tellOfChange(trx, config, actor, {
    ...{ userId: key.user_id, name: key.name, scopes: key.scopes },
    did: 'revoked',
  });
  await notify(trx, actor.accountId, [{ type: 'apikeys.changed' }]);
  return {};
}

function refusePast(end: string | null): void {
  if (end !== null && Date.parse(end) <= nowMs())
    throw refuseField('ExpireTimestamp', 'Choose a time in the future');
}

/** If two create the last one at once, the second waits for the account's row. */
async function refuseTooMany(trx: Trx, { accountId }: Actor): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('api keys', ${accountId}))`.execute(trx);
  const { count } = await trx
    .selectFrom('api_keys')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (count >= mostApiKeys)
    throw new Refusal('refused', `You have ${mostApiKeys} API keys. Revoke one that you no longer need.`);
}

/** As networks: 203.0.113.7/24 is 203.0.113.0/24, without duplicates. */
function networks(addresses: readonly string[]) {
  return sql<string[]>`(
    select coalesce(array_agg(distinct abbrev(network(a::inet)::inet)), '{}')
    from unnest(${addresses}::text[]) as a)`;
}
