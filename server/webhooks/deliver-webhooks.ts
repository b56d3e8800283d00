/**
 * Posts deliveries that are due. A delivery goes
 *
 *   waiting ──claim, post──▶ delivered (any 2xx)
 *      ▲          │
 *      └── later ─┴──────▶ failed, after three days of growing waits
 *
 * A claim commits before the request and postpones the next try by a minute: a process that dies between the
 * two leaves a delivery that is tried once more. So each arrives at least once, always with the same
 * webhook-id.
 *
 * Every endpoint has its own share of active requests, and one that doesn't respond has a small one with
 * pauses in between: it doesn't delay others. A slow one has a smaller share too, an account has a share for all of
 * its endpoints, and of all that wait, the next is for whoever has the fewest.
 */
import { sql } from 'kysely';
import { nowMs } from '../clock.ts';
import { asSystem, type Database } from '../db.ts';
import type { Log } from '../log.ts';
import { notify } from '../notify.ts';
import type { WebhookAnswer, WebhookPoster } from '../outside/post-webhook.ts';
import { openSecret } from '../seal-secret.ts';
import { mayHear, secretPlace } from './queries.ts';
import { recordAttempts, type Tried } from './record-attempts.ts';
import {
  atOnce,
  atOnceAccount,
  atOnceFailing,
  atOnceSlow,
  leaseSeconds,
  signWebhook,
  slowMs,
} from './rules.ts';

interface Claimed {
  accountId: number;
  deliveryId: number;
  endpointId: number;
  attempt: number;
  roundTries: number;
  key: string;
  body: string;
  url: string;
  secret: Buffer;
  oldSecret: Buffer | null;
}

/** This process's knowledge of an endpoint: its active requests, and whether it is slow. */
interface Known {
  accountId: number;
  endpointId: number;
  many: number;
  /** Average time of its latest responses. */
  meanMs: number;
}

/** Active requests in this process, to all endpoints. */
const mostAtOnce = 1_000;
/** Results that arrive close together are recorded together. */
const gatherMs = 25;
/** Interval at which pages are notified about deliveries. */
const tellMs = 1_000;

export interface DeliveryContext {
  database: Database;
  poster: WebhookPoster;
  log: Log;
  publicUrl: string;
  installation: () => Promise<Buffer>;
}

export interface Deliveries {
  /**
   * Posts due deliveries, until none is left. A call during a run makes it check at once, and waits for the
   * same end.
   */
  run(): Promise<void>;
  stop(): Promise<void>;
}

export function createDeliveries(context: DeliveryContext): Deliveries {
  const { database, poster } = context;
  const known = new Map<string, Known>();
  const changed = new Set<number>();
  let underWay = 0;
  let done: Tried[] = [];
  let wake: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let isStopping = false;
  let isNudged = false;
  let toldAt = 0;

  function count({ accountId, endpointId }: Claimed, by: 1 | -1, tookMs?: number): void {
    const key = `${accountId} ${endpointId}`;
    const { many, meanMs } = known.get(key) ?? { many: 0, meanMs: 0 };
    const now = { many: many + by, meanMs: tookMs === undefined ? meanMs : (3 * meanMs + tookMs) / 4 };
    if (now.many === 0 && now.meanMs < slowMs) known.delete(key);
    else known.set(key, { accountId, endpointId, ...now });
    underWay += by;
  }

  function start(claimed: Claimed, secrets: string[]): void {
    count(claimed, 1);
    const seconds = Math.floor(nowMs() / 1000);
    const signature = signWebhook(secrets, { id: claimed.key, seconds, body: claimed.body });
    const headers = {
      'webhook-id': claimed.key,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signature,
    };
    void poster.post({ url: claimed.url, headers, body: claimed.body }).then((answer: WebhookAnswer) => {
      const { accountId, deliveryId, endpointId, attempt, roundTries } = claimed;
      done.push({ accountId, deliveryId, endpointId, attempt, roundTries, seconds, signature, answer });
      count(claimed, -1, answer.durationMs);
      wake?.();
    });
  }

  async function record(): Promise<void> {
    const results = done;
    done = [];
    if (results.length === 0) return;
    await recordAttempts(context, results);
    for (const { accountId } of results) changed.add(accountId);
  }

  async function tellPages(isEnd: boolean): Promise<void> {
    if (changed.size === 0 || (!isEnd && nowMs() - toldAt < tellMs)) return;
    toldAt = nowMs();
    const accounts = [...changed];
    changed.clear();
    await asSystem(database, async (trx) => {
      for (const accountId of accounts) await notify(trx, accountId, [{ type: 'webhooks.changed' }]);
    });
  }

  /** Until a response has arrived, and some more with it, or another delivery may be due. */
  function untilDone(): Promise<void> {
    return new Promise((resolve) => {
      wake = () => {
        wake = undefined;
        setTimeout(resolve, gatherMs);
      };
      if (done.length > 0 || isNudged) wake();
    });
  }

  async function pump(): Promise<void> {
    const installation = await context.installation();
    for (;;) {
      isNudged = false;
      const room = isStopping ? 0 : mostAtOnce - underWay;
      const claimed = room > 0 ? await claimDue(database, [...known.values()], room) : [];
      for (const each of claimed) {
        const place = secretPlace(each.accountId, each.endpointId);
        const sealed = [each.secret, ...(each.oldSecret === null ? [] : [each.oldSecret])];
        start(
          each,
          sealed.map((secret) => openSecret(installation, place, secret).toString()),
        );
      }
      if (underWay === 0 && done.length === 0) {
        await tellPages(true);
        // A delivery may have become due since the claim. Nothing may come between this look and the end of the run.
        if (isNudged) continue;
        running = undefined;
        return;
      }
      await untilDone();
      await record();
      await tellPages(false);
    }
  }

  return {
    run() {
      isNudged = true;
      wake?.();
      if (running === undefined) {
        const own = pump().finally(() => {
          if (running === own) running = undefined;
        });
        running = own;
      }
      return running;
    },
    async stop() {
      isStopping = true;
      // Active requests are aborted: those deliveries are tried again after their lease.
      await poster.close();
      await running?.catch(() => undefined);
    },
  };
}

/**
 * Claims due deliveries: for each endpoint and each account as many as their limits allow, and first for the endpoints
 * with the fewest active requests.
 */
async function claimDue(database: Database, known: Known[], most: number): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    -- The endpoints with waiting deliveries, one index probe each.
    with recursive named as (
      (select account_id, endpoint_id from webhook_deliveries where state = 'waiting'
        order by account_id, endpoint_id limit 1)
      union all
      select next.account_id, next.endpoint_id from named cross join lateral (
        select d.account_id, d.endpoint_id from webhook_deliveries d
        where d.state = 'waiting' and (d.account_id, d.endpoint_id) > (named.account_id, named.endpoint_id)
        order by d.account_id, d.endpoint_id limit 1) next
    ),
    known as materialized (
      select * from unnest(
        ${known.map(({ accountId }) => accountId)}::bigint[], ${known.map(({ endpointId }) => endpointId)}::bigint[],
        ${known.map(({ many }) => many)}::int[],
        ${known.map(({ meanMs }) => (meanMs < slowMs ? atOnce : atOnceSlow))}::int[])
        as b(account_id, endpoint_id, many, share)
    ),
    -- Each in its place in its endpoint's queue, active requests included. They aren't locked yet: only those that
    -- are claimed are.
    queued as materialized (
      select named.account_id, d.delivery_id, coalesce(b.many, 0) + d.place as place
      from named
      join webhook_endpoints w on w.account_id = named.account_id and w.endpoint_id = named.endpoint_id
      left join known b on b.account_id = named.account_id and b.endpoint_id = named.endpoint_id
      cross join lateral (
        select delivery_id, row_number() over (order by next_try_at, delivery_id) as place from (
          select delivery_id, next_try_at from webhook_deliveries d
          where d.account_id = w.account_id and d.endpoint_id = w.endpoint_id and d.state = 'waiting'
            and d.next_try_at <= now() and d.give_up_at > now()
          order by d.next_try_at, d.delivery_id
          limit greatest(case when w.failing_since is null then coalesce(b.share, ${atOnce}::int)
            else ${atOnceFailing}::int end - coalesce(b.many, 0), 0)) first_ones) d
      where w.is_enabled and w.deleted_at is null and ${mayHear} and coalesce(w.resting_until <= now(), true)
    ),
    allowed as (
      select q.account_id, q.delivery_id, q.place, coalesce(a.many, 0) +
        row_number() over (partition by q.account_id order by q.place, q.delivery_id) as place_in_account
      from queued q
      left join (select account_id, sum(many) as many from known group by account_id) a
        on a.account_id = q.account_id
    ),
    due as materialized (
      select d.account_id, d.delivery_id
      from (
        select account_id, delivery_id from allowed where place_in_account <= ${atOnceAccount}
        order by place, place_in_account limit ${most}) chosen
      join webhook_deliveries d on d.account_id = chosen.account_id and d.delivery_id = chosen.delivery_id
      where d.state = 'waiting' and d.next_try_at <= now()
      for update of d skip locked
    )
    update webhook_deliveries d
    set next_try_at = now() + ${leaseSeconds} * interval '1 second', tries = d.tries + 1, round_tries = d.round_tries + 1
    from due join webhook_endpoints w on w.account_id = due.account_id
    where d.account_id = due.account_id and d.delivery_id = due.delivery_id and w.endpoint_id = d.endpoint_id
    returning d.account_id as "accountId", d.delivery_id as "deliveryId", d.endpoint_id as "endpointId",
      d.tries as attempt, d.round_tries as "roundTries", d.message_key as key, d.body, w.url, w.secret,
      case when w.old_secret_until > now() then w.old_secret end as "oldSecret"`.execute(database.system);
  return rows;
}
