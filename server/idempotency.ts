import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { CallDefinition } from '../contract/call.ts';
import { Refusal } from '../contract/errors.ts';
import type { Actor } from './access/load-actor.ts';
import { asAccount, type Database, type Trx } from './db.ts';

/**
 * One effect and one reply for an Idempotency-Key. Pages send one with the calls that accept it; a program
 * with an API key may send one with every call that changes something. Rows are deleted after three days
 * (sweep-old-rows.ts).
 */
export interface RepeatableRequest {
  callName: string;
  key: string;
  /** The parts that identify a request: params, query and body. */
  content: readonly unknown[];
}

export function idempotencyKey(
  { takesIdempotencyKey, method }: CallDefinition,
  { apiKeyId }: Actor,
  request: FastifyRequest,
): string | undefined {
  const isTaken = apiKeyId === undefined ? takesIdempotencyKey : method !== 'GET';
  const key = isTaken ? request.headers['idempotency-key'] : undefined;
  if (key === undefined) return undefined;
  const text = String(key);
  if (text.length < 1 || text.length > 200) {
    throw new Refusal('invalid', 'Idempotency-Key must be between 1 and 200 characters');
  }
  return text;
}

/**
 * For work in one transaction: the key's row commits with the effect. A page's second request with it waits
 * at the unique index until the first one ends; a program's is refused while the first one runs, so that it
 * blocks nothing.
 */
export async function once(
  trx: Trx,
  actor: Actor,
  request: RepeatableRequest,
  carryOut: () => Promise<unknown>,
): Promise<unknown> {
  if (actor.apiKeyId !== undefined) await refuseWhileRunning(trx, actor, request.key);
  const first = await claim(trx, actor, request);
  if (first !== undefined) return first.reply;
  const reply = await carryOut();
  await keepReply(trx, actor, request.key, reply);
  return reply;
}

/**
 * For work outside a transaction (files, other companies' services): the key's row exists before the work
 * begins. If the work was refused, nothing happened and the key can be used again. If it was interrupted, its
 * effect is unknown: the key stays in use, and a repeated request is told to check.
 */
export async function onceOutside(
  database: Database,
  actor: Actor,
  request: RepeatableRequest,
  carryOut: () => Promise<unknown>,
): Promise<unknown> {
  const inAccount = <T>(work: (trx: Trx) => Promise<T>) => asAccount(database, actor.accountId, work);
  const first = await inAccount((trx) => claim(trx, actor, request));
  if (first !== undefined) {
    if (first.reply === null) throw new Refusal('repeatRunning');
    return first.reply;
  }
  try {
    const reply = await carryOut();
    await inAccount((trx) => keepReply(trx, actor, request.key, reply));
    return reply;
  } catch (error) {
    if (error instanceof Refusal) await inAccount((trx) => release(trx, actor, request.key));
    throw error;
  }
}

async function refuseWhileRunning(trx: Trx, { accountId, apiKeyId }: Actor, key: string): Promise<void> {
  const { rows } = await sql<{ isMine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`repeat ${apiKeyId} ${key}`}, ${accountId})) as "isMine"`.execute(
    trx,
  );
  if (!rows[0]?.isMine) throw new Refusal('repeatRunning');
}

/** Claims the key, or returns the reply of the request that claimed it. */
async function claim(
  trx: Trx,
  actor: Actor,
  { callName, key, content }: RepeatableRequest,
): Promise<{ reply: unknown } | undefined> {
  const hash = hashOf([callName, ...content]);
  const mine = await trx
    .insertInto('idempotency_keys')
    .values({
      ...{ account_id: actor.accountId, user_id: actor.userId, api_key_id: actor.apiKeyId ?? 0 },
      ...{ idempotency_key: key, call: callName, request_hash: hash },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('idempotency_key')
    .executeTakeFirst();
  if (mine !== undefined) return undefined;
  const first = await trx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'reply'])
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .where('idempotency_key', '=', key)
    .where('api_key_id', '=', actor.apiKeyId ?? 0)
    .executeTakeFirstOrThrow();
  if (!hash.equals(first.request_hash))
    throw new Refusal(actor.apiKeyId === undefined ? 'keyReused' : 'keyBodyDiffers');
  return { reply: first.reply };
}

/** Files are hashed as bytes, everything else as JSON. */
function hashOf(content: readonly unknown[]): Buffer {
  const hash = createHash('sha256');
  const plain = content.map((part) => {
    if (!Buffer.isBuffer(part)) return part ?? null;
    return createHash('sha256').update(part).digest('hex');
  });
  return hash.update(JSON.stringify(plain)).digest();
}

async function keepReply(
  trx: Trx,
  { accountId, userId, apiKeyId }: Actor,
  key: string,
  reply: unknown,
): Promise<void> {
  await sql`update idempotency_keys set reply = ${JSON.stringify(reply)}::jsonb
    where account_id = ${accountId} and user_id = ${userId} and idempotency_key = ${key}
      and api_key_id = ${apiKeyId ?? 0}`.execute(trx);
}

async function release(trx: Trx, { accountId, userId, apiKeyId }: Actor, key: string): Promise<void> {
  await sql`delete from idempotency_keys
    where account_id = ${accountId} and user_id = ${userId} and idempotency_key = ${key}
      and api_key_id = ${apiKeyId ?? 0}`.execute(trx);
}
