import { sql } from 'kysely';
import { againAfterDeadlock } from '../again-after-deadlock.ts';
import { asSystem, type Trx } from '../db.ts';
import { composeMail } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';
import type { WebhookAnswer } from '../outside/post-webhook.ts';
import { recordEvents } from '../record-events.ts';
import type { DeliveryContext } from './deliver-webhooks.ts';
import { failingDays, longestRestSeconds, waitAfter } from './rules.ts';

export interface Tried {
  accountId: number;
  deliveryId: number;
  endpointId: number;
  attempt: number;
  roundTries: number;
  seconds: number;
  signature: string;
  answer: WebhookAnswer;
}

const isSuccess = ({ answer }: Tried): boolean =>
  answer.status !== null && answer.status >= 200 && answer.status < 300;

/**
 * Records the results of requests: each try, the next step of its delivery, and the effect on the endpoint.
 */
export async function recordAttempts(
  { database, log, publicUrl }: DeliveryContext,
  tried: Tried[],
): Promise<void> {
  // Always in the same order, so that two processes can’t deadlock.
  const ordered = tried.toSorted((a, b) => a.accountId - b.accountId || a.deliveryId - b.deliveryId);
  await againAfterDeadlock(() =>
    asSystem(database, async (trx) => {
      await insertAttempts(trx, ordered);
      await moveDeliveries(trx, ordered);
      for (const off of await judgeEndpoints(trx, ordered)) {
        await tellManagers(trx, off, publicUrl);
        log.warn(
          { account: off.accountId, webhook: off.endpointId, reason: off.reason },
          'a webhook was switched off',
        );
      }
    }),
  );
}

async function insertAttempts(trx: Trx, tried: Tried[]): Promise<void> {
  const column = <T>(pick: (each: Tried) => T) => tried.map(pick);
  await sql`
    insert into webhook_attempts
      (account_id, delivery_id, attempt, tried_at, signature, duration_ms, status, content_type, reply, error)
    select account_id, delivery_id, attempt, to_timestamp(seconds), signature, duration_ms, status, content_type, reply, error
    from unnest(
      ${column((t) => t.accountId)}::bigint[], ${column((t) => t.deliveryId)}::bigint[],
      ${column((t) => t.attempt)}::int[], ${column((t) => t.seconds)}::bigint[], ${column((t) => t.signature)}::text[],
      ${column((t) => t.answer.durationMs)}::int[], ${column((t) => t.answer.status)}::int[],
      ${column((t) => t.answer.contentType)}::text[], ${column((t) => t.answer.reply)}::text[],
      ${column((t) => t.answer.error)}::text[]
    ) as t(account_id, delivery_id, attempt, seconds, signature, duration_ms, status, content_type, reply, error)
    on conflict do nothing`.execute(trx);
}

async function moveDeliveries(trx: Trx, tried: Tried[]): Promise<void> {
  const waits = tried.map((each) =>
    isSuccess(each) ? null : (waitAfter(each.roundTries, Math.random()) ?? null),
  );
  const column = <T>(pick: (each: Tried) => T) => tried.map(pick);
  // A replay in the meantime has started a new round: it continues from there.
  await sql`
    update webhook_deliveries d
    set state = case when t.is_success then 'delivered'
        when t.wait_ms is null or now() + t.wait_ms * interval '1 millisecond' > d.give_up_at then 'failed'
        else 'waiting' end,
      next_try_at = now() + coalesce(t.wait_ms, 0) * interval '1 millisecond', last_status = t.status, last_ms = t.ms
    from unnest(
      ${column((t) => t.accountId)}::bigint[], ${column((t) => t.deliveryId)}::bigint[],
      ${column((t) => t.attempt)}::int[], ${column(isSuccess)}::boolean[], ${waits}::int[],
      ${column((t) => t.answer.status)}::int[], ${column((t) => t.answer.durationMs)}::int[]
    ) as t(account_id, delivery_id, attempt, is_success, wait_ms, status, ms)
    where d.account_id = t.account_id and d.delivery_id = t.delivery_id and d.tries = t.attempt
      and d.state = 'waiting' and d.round_tries > 0`.execute(trx);
}

interface SwitchedOff {
  accountId: number;
  endpointId: number;
  url: string;
  reason: 'failing' | 'gone';
}

/**
 * The effect of the tries on their endpoints. One that failed for a week, or responds that it is gone, is
 * turned off.
 */
async function judgeEndpoints(trx: Trx, tried: Tried[]): Promise<SwitchedOff[]> {
  const endpoints = [...Map.groupBy(tried, (each) => `${each.accountId} ${each.endpointId}`).values()].map(
    (some) => ({
      accountId: some[0]?.accountId ?? 0,
      endpointId: some[0]?.endpointId ?? 0,
      isWell: some.some(isSuccess),
      isMute: some.every(({ answer }) => answer.status === null),
      isGone: some.some(({ answer }) => answer.status === 410),
    }),
  );
  endpoints.sort((a, b) => a.accountId - b.accountId || a.endpointId - b.endpointId);
  const { rows } = await sql<SwitchedOff & { isOff: boolean }>`
    with told as materialized (
      select * from unnest(
        ${endpoints.map((e) => e.accountId)}::bigint[], ${endpoints.map((e) => e.endpointId)}::bigint[],
        ${endpoints.map((e) => e.isWell)}::boolean[], ${endpoints.map((e) => e.isMute)}::boolean[],
        ${endpoints.map((e) => e.isGone)}::boolean[]) as t(account_id, endpoint_id, is_well, is_mute, is_gone)
    ),
    -- Most endpoints work and stay so: their rows aren't written.
    judged as (
      select w.account_id, w.endpoint_id, t.is_well, t.is_mute,
        case when t.is_gone and not t.is_well then 'gone'
          when not t.is_well and w.failing_since <= now() - ${failingDays} * interval '1 day' then 'failing'
          else '' end as reason
      from told t
      join webhook_endpoints w on w.account_id = t.account_id and w.endpoint_id = t.endpoint_id
      where w.is_enabled and (not t.is_well or w.failing_since is not null)
      order by w.account_id, w.endpoint_id for no key update of w
    )
    update webhook_endpoints w
    set failing_since = case when j.is_well then null else coalesce(w.failing_since, now()) end,
      rests = case when j.is_mute then least(w.rests + 1, 10) else 0 end,
      resting_until = case when j.is_mute
        then now() + least(power(2, w.rests), ${longestRestSeconds}) * interval '1 second' end,
      is_enabled = j.reason = '', off_reason = j.reason
    from judged j
    where w.account_id = j.account_id and w.endpoint_id = j.endpoint_id
    returning w.account_id as "accountId", w.endpoint_id as "endpointId", w.url, j.reason, j.reason <> '' as "isOff"`.execute(
    trx,
  );
  return rows.filter(({ isOff }) => isOff);
}

/** Owners and admins get a mail about it, and it is in the audit log. */
async function tellManagers(trx: Trx, off: SwitchedOff, publicUrl: string): Promise<void> {
  const { accountId, endpointId, url, reason } = off;
  await recordEvents(trx, { accountId }, [
    { kind: 'webhook.disabled', id: endpointId, changes: { Url: url, Reason: reason } },
  ]);
  const managers = await trx
    .selectFrom('users')
    .select(['user_id', 'email'])
    .where('account_id', '=', accountId)
    .where('role', 'in', ['owner', 'admin'])
    .where('is_active', '=', true)
    .where('email', '<>', '')
    .execute();
  const mail = composeMail({
    subject: 'A webhook was switched off',
    title: 'A webhook was switched off',
    paragraphs: [
      reason === 'gone'
        ? `${url} answered that it is gone for good (410), so Muster no longer posts events to it.`
        : `Nothing has arrived at ${url} for a week, so Muster no longer posts events to it.`,
      'Once the endpoint works again, switch the webhook on. You can then replay what it missed in the last three days before it was switched off.',
    ],
    action: { label: 'Look at the webhook', url: `${publicUrl}/settings/webhooks?webhook=${endpointId}` },
    foot: 'You get this email because you manage a Muster account.',
  });
  await queueMails(
    trx,
    managers.map(({ user_id, email }) => ({
      ...mail,
      accountId,
      userId: user_id,
      kind: 'webhook-off',
      to: email,
    })),
  );
}
