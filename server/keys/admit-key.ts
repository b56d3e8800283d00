import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { type Actor, actorColumns, toActor } from '../access/load-actor.ts';
import { networkOf } from '../auth/rules.ts';
import type { Config } from '../config.ts';
import { asSystem, type Database } from '../db.ts';
import { prepared } from '../prepared.ts';
import { KeyCheck } from './check-keys.ts';
import { CallLimit, type CallsLeft } from './limit-calls.ts';
import { comparableAddress, readKey } from './rules.ts';
import { tellOfWrongAddress } from './tell-of-key.ts';

/**
 * Limit for unknown keys, by network, before they are looked up together: enough for a program with an old
 * key, too few to be a burden. Valid keys from the same network still get through.
 */
const wrongKeysPerMinute = 60;

interface Gate {
  calls: CallLimit;
  wrongKeys: CallLimit;
  check: KeyCheck;
}

/** The counts of a process, for as long as its database is open. */
const gates = new WeakMap<Database, Gate>();

function gateOf(database: Database, config: Config): Gate {
  const known = gates.get(database);
  if (known !== undefined) return known;
  const gate = {
    calls: new CallLimit(config.API_CALLS_PER_MINUTE),
    wrongKeys: new CallLimit(wrongKeysPerMinute),
    check: new KeyCheck(database),
  };
  gates.set(database, gate);
  return gate;
}

export interface KeyActor extends Actor {
  apiKeyId: number;
  scopes: readonly string[];
}

/**
 * The user of a request's API key, or why it is refused. Each call reads the key's row, so a revoked key
 * works nowhere once that is committed. A mistyped key and a key that is over its limit cost no query; a
 * flood of invalid ones costs one at a time, however many they are.
 */
export async function admitKey(
  { database, config }: { database: Database; config: Config },
  request: FastifyRequest,
  reply: FastifyReply,
  address: string,
): Promise<KeyActor> {
  const { calls, wrongKeys, check } = gateOf(database, config);
  const given = readGiven(request, reply);
  const network = networkOf(address);
  const over = calls.whenOver(given.secretHash.toString('base64'));
  if (over !== undefined) throw refuseFlood(reply, over);
  const flood = wrongKeys.whenOver(network);
  if (flood !== undefined && !(await check.isKnown(given))) throw refuseFlood(reply, flood);

  const found = await findKey(database, given, address);
  if (found === undefined) {
    wrongKeys.take(network);
    throw refuseKey(reply, new Refusal('apiKeyUnknown'));
  }
  const { key, row } = found;
  if (key.isExpired) throw refuseKey(reply, new Refusal('apiKeyExpired'));
  if (!row.isActive)
    throw refuseKey(
      reply,
      new Refusal('apiKeyUnknown', `This API key acts as ${row.name}, who was deactivated.`),
    );
  if (!row.isApiAuthorized) throw new Refusal('apiSwitchedOff');
  if (key.isElsewhere) {
    await asSystem(database, (trx) => tellOfWrongAddress(trx, config, { ...key, ...row, address }));
    throw new Refusal('apiKeyElsewhere', undefined, { extendedData: { Address: address } });
  }
  const left = calls.take(given.secretHash.toString('base64'));
  tellLimit(reply, left);
  if (left.isOver) throw refuseFlood(reply, left);
  if (key.isStale) await noteUse(database, { ...key, accountId: row.accountId, address });
  return {
    ...toActor(row, { sessionId: 0, address }),
    apiKeyId: key.apiKeyId,
    scopes: key.scopes,
    agent: `API key “${key.keyName}”`,
  };
}

function readGiven(request: FastifyRequest, reply: FastifyReply): { publicId: string; secretHash: Buffer } {
  const [, text] = /^bearer +(\S{1,200}) *$/i.exec(request.headers.authorization ?? '') ?? [];
  if (text === undefined) throw refuseKey(reply, new Refusal('apiKeyMissing'));
  const key = readKey(text);
  if (key === undefined) throw refuseKey(reply, new Refusal('apiKeyMistyped'));
  return key;
}

function refuseKey(reply: FastifyReply, refusal: Refusal): Refusal {
  reply.header('www-authenticate', 'Bearer realm="Muster"');
  return refusal;
}

function refuseFlood(reply: FastifyReply, left: CallsLeft): Refusal {
  tellLimit(reply, left);
  reply.header('retry-after', left.resetSeconds);
  return new Refusal('tooManyCalls', undefined, { extendedData: { RetryAfterSeconds: left.resetSeconds } });
}

function tellLimit(reply: FastifyReply, { limit, remaining, resetSeconds }: CallsLeft): void {
  reply.header('ratelimit-policy', `${limit};w=60`);
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', resetSeconds);
}

async function findKey(database: Database, given: { publicId: string; secretHash: Buffer }, address: string) {
  const from = comparableAddress(address);
  const rows = await database.system
    .selectFrom('api_keys')
    .innerJoin('users', (join) =>
      join
        .onRef('users.account_id', '=', 'api_keys.account_id')
        .onRef('users.user_id', '=', 'api_keys.user_id'),
    )
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .select(actorColumns)
    .select([
      'api_keys.api_key_id as apiKeyId',
      'api_keys.name as keyName',
      'api_keys.secret_hash as secretHash',
      sql<Buffer | null>`case when api_keys.old_secret_until > now() then api_keys.old_secret_hash end`.as(
        'oldSecretHash',
      ),
      'api_keys.scopes',
      sql<boolean>`coalesce(api_keys.expires_at <= now(), false)`.as('isExpired'),
      sql<boolean>`cardinality(api_keys.addresses) > 0
        and not coalesce(${from}::inet <<= any(api_keys.addresses::inet[]), false)`.as('isElsewhere'),
      sql<boolean>`coalesce(api_keys.last_used_at < now() - interval '1 minute', true)`.as('isStale'),
    ])
    .where('api_keys.public_id', '=', given.publicId)
    .where('api_keys.revoked_at', 'is', null)
    .modifyFront(prepared)
    .execute();
  const fits = (hash: Buffer | null) => hash !== null && timingSafeEqual(hash, given.secretHash);
  const found = rows.find(({ secretHash, oldSecretHash }) => fits(secretHash) || fits(oldSecretHash));
  if (found === undefined) return undefined;
  const { apiKeyId, keyName, scopes, isExpired, isElsewhere, isStale, ...row } = found;
  return { key: { apiKeyId, keyName, scopes, isExpired, isElsewhere, isStale }, row };
}

/** At most once a minute, so that calls don't write a row each time. Of two at once, one writes. */
async function noteUse(
  database: Database,
  { accountId, apiKeyId, address }: { accountId: number; apiKeyId: number; address: string },
): Promise<void> {
  await database.system
    .updateTable('api_keys')
    .set({ last_used_at: sql`now()`, last_used_address: address })
    .where('account_id', '=', accountId)
    .where('api_key_id', '=', apiKeyId)
    .where((where) =>
      where.or([
        where('last_used_at', 'is', null),
        where('last_used_at', '<', sql<Date>`now() - interval '1 minute'`),
      ]),
    )
    .execute();
}
