/**
 * The queue of pushes: row ──claim──▶ leased ──▶ gone (sent, refused, or its browser no longer exists), or
 * later, five times at most. A push is a hint: one that is sent twice after a crash is shown once, and the
 * page itself has the current state.
 */
import { sql } from 'kysely';
import type { PushNotice } from '../../contract/notifications.ts';
import { formatE164 } from '../../contract/phone/format-phone.ts';
import { usesNumber } from '../access/queries.ts';
import { joinPerson } from '../conversations/queries.ts';
import type { Database } from '../db.ts';
import { inLanguage } from '../in-language.ts';
import { type PushOutcome, type PushService, pushMs } from '../outside/push.ts';
import { isSignedIn } from './queries.ts';
import { pushLeaseSeconds, pushTries } from './rules.ts';

type PushProvider = 'WebPush' | 'Firebase';
export type PushServices = Partial<Record<PushProvider, PushService>>;

interface ClaimedPush {
  account_id: number;
  push_token_id: number;
  conversation_id: number;
  message_id: number;
  provider: PushProvider;
  token: string;
  /** Still relevant: unread, readable by the user, signed in, not muted. */
  is_wanted: boolean;
  name: string;
  phone: string;
  body: string;
  unread: number;
  language_id: number;
}

const atOnce = 16;
/** Longer than this, and a phone cuts it off anyway. */
const mostCharacters = 240;

/** Sends up to `size` notifications that are due; returns how many rows were processed. */
export async function sendPushes(
  database: Database,
  openServices: () => Promise<PushServices>,
  size: number,
): Promise<number> {
  const claimed = await claimPushes(database, size);
  if (claimed.length === 0) return 0;
  const services = await openServices();
  const results: { push: ClaimedPush; outcome: PushOutcome }[] = [];
  let next = 0;
  async function lane(): Promise<void> {
    for (let push = claimed[next++]; push !== undefined; push = claimed[next++]) {
      results.push({ push, outcome: push.is_wanted ? await bring(services, push) : 'refused' });
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, claimed.length) }, lane));
  await record(database, results);
  return claimed.length;
}

async function bring(services: PushServices, push: ClaimedPush): Promise<PushOutcome> {
  const notice: PushNotice = {
    ConversationID: push.conversation_id,
    Title: push.name || formatE164(push.phone),
    Body: [...(push.body || inLanguage(push.language_id)('Picture'))].slice(0, mostCharacters).join(''),
    UnreadCount: push.unread,
  };
  const service = services[push.provider];
  // A provider that is no longer configured.
  if (service === undefined) return 'gone';
  return service.send(push.token, notice, `c${push.conversation_id}`);
}

/** At most this many: the slowest of them are sent before the lease expires. */
export const mostPushes = Math.floor((atOnce * pushLeaseSeconds * 1000) / pushMs / 2);

/** Due rows with their contents, as they are now and not when they were written. */
async function claimPushes(database: Database, size: number): Promise<ClaimedPush[]> {
  const { rows } = await sql<ClaimedPush>`
    with due as materialized (
      select account_id, push_token_id, conversation_id from push_queue
      where send_at <= now() and (lease_until is null or lease_until < now())
      order by send_at limit ${Math.min(size, mostPushes)}
      for update skip locked
    ),
    leased as (
      update push_queue q
      set lease_until = now() + ${pushLeaseSeconds} * interval '1 second', attempts = q.attempts + 1
      from due d
      where q.account_id = d.account_id and q.push_token_id = d.push_token_id and q.conversation_id = d.conversation_id
      returning q.account_id, q.push_token_id, q.conversation_id, q.message_id
    ),
    reader as (
      select distinct u.account_id, u.user_id, u.role
      from leased l
      join push_tokens p on p.account_id = l.account_id and p.push_token_id = l.push_token_id
      join users u on u.account_id = p.account_id and u.user_id = p.user_id
    ),
    -- Unread texts at all numbers that the reader may use: the figure on the application's icon.
    unread as (
      select r.account_id, r.user_id, coalesce(sum(part.unread), 0)::int as unread
      from reader r
      left join (
        select account_id, text_number_id, unread from conversation_counts
        union all
        select account_id, text_number_id, unread from conversation_count_changes
      ) part on part.account_id = r.account_id and ${usesNumber(sql`part.text_number_id`, sql`r`)}
      group by 1, 2
    )
    select l.account_id, l.push_token_id, l.conversation_id, l.message_id, p.provider, p.token, coalesce(c.phone, '') as phone,
      coalesce(m.body, '') as body,
      coalesce(trim(person.first_name || ' ' || person.last_name), '') as name, n.unread, u.language_id,
      c.conversation_id is not null and u.is_active and not u.browser_notifications_do_not_disturb and ${isSignedIn}
        and c.unread_count > 0 and c.place = 0
        and ${usesNumber(sql`c.text_number_id`)} as is_wanted
    from leased l
    join push_tokens p on p.account_id = l.account_id and p.push_token_id = l.push_token_id
    join users u on u.account_id = p.account_id and u.user_id = p.user_id
    join unread n on n.account_id = u.account_id and n.user_id = u.user_id
    left join conversations c on c.account_id = l.account_id and c.conversation_id = l.conversation_id
    left join messages m on m.account_id = l.account_id and m.message_id = l.message_id
    ${joinPerson}`.execute(database.system);
  return rows;
}

/**
 * Deletes rows, postpones others, and deletes browsers that are gone with all of their waiting rows: one
 * statement.
 */
async function record(
  database: Database,
  results: { push: ClaimedPush; outcome: PushOutcome }[],
): Promise<void> {
  const column = <T>(pick: (push: ClaimedPush, outcome: PushOutcome) => T) =>
    results.map(({ push, outcome }) => pick(push, outcome));
  await sql`
    with result as materialized (
      select * from unnest(
        ${column((p) => p.account_id)}::bigint[], ${column((p) => p.push_token_id)}::bigint[],
        ${column((p) => p.conversation_id)}::bigint[], ${column((p) => p.message_id)}::bigint[],
        ${column((_, outcome) => outcome === 'gone')}::boolean[],
        ${column((_, outcome) => (typeof outcome === 'object' ? Math.round(outcome.laterMs) : null))}::integer[]
      ) as r(account_id, push_token_id, conversation_id, message_id, is_gone, later_ms)
    ),
    forgotten as (
      -- Also deletes their rows in the queue.
      delete from push_tokens p using (select distinct account_id, push_token_id from result where is_gone) g
      where p.account_id = g.account_id and p.push_token_id = g.push_token_id
    ),
    ended as (
      delete from push_queue q using result r
      where q.account_id = r.account_id and q.push_token_id = r.push_token_id and q.conversation_id = r.conversation_id
        and not r.is_gone
        -- A later text has arrived meanwhile: it still has to be sent.
        and q.message_id = r.message_id and (r.later_ms is null or q.attempts >= ${pushTries})
    )
    update push_queue q
    set lease_until = null, send_at = now() + coalesce(r.later_ms, 0) * interval '1 millisecond'
    from result r
    where q.account_id = r.account_id and q.push_token_id = r.push_token_id and q.conversation_id = r.conversation_id
      and not r.is_gone
      and not (q.message_id = r.message_id and (r.later_ms is null or q.attempts >= ${pushTries}))`.execute(
    database.system,
  );
}
