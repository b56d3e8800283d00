import { sql } from 'kysely';
import type { Event } from '../../contract/events.ts';
import { normalisePhone } from '../../contract/phone/normalise-phone.ts';
import { type InboundWord, recogniseInbound } from '../../contract/text/inbound-word.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { type ConsentChange, recordConsents } from '../consents/record-consents.ts';
import { receiveTexts } from '../conversations/receive-texts.ts';
import type { Database, Trx } from '../db.ts';
import { fetchJob } from '../media/fetch-inbound-media.ts';
import { notify } from '../notify.ts';

interface Stored {
  inbound_id: number;
  inbound_key: string;
  aggregator_id: number;
  from_phone: string;
  to_phone: string;
  body: string;
  media: { contentType: string; url: string }[];
  occurred_at: Date;
}

interface Arrived extends Stored {
  accountId: number;
  textNumberId: number;
  phone: string;
  word: InboundWord | undefined;
}

/**
 * Puts stored inbound texts into the ledger and their conversations, up to `size` at a time: one
 * transaction, a handful of statements whatever the number. The same text twice is one row.
 * Returns how many were taken.
 */
export async function applyInbound(database: Database, size: number): Promise<number> {
  return database.system.transaction().execute(async (trx) => {
    const stored = await takeStored(trx, size);
    if (stored.length === 0) return 0;
    const arrived = await addressTexts(trx, stored);
    const fresh = await insertTexts(trx, arrived);
    const conversations = await receiveTexts(
      trx,
      fresh.map((text) => ({
        accountId: text.accountId,
        textNumberId: text.textNumberId,
        phone: text.phone,
        messageId: text.messageId,
        at: text.occurred_at,
        word: text.word,
      })),
    );
    const heard = await applyWords(trx, fresh);
    await fetchPicturesLater(trx, fresh);
    await countReceived(trx, fresh);
    for (const [accountId, changed] of Map.groupBy(conversations, (row) => row.accountId)) {
      const events: Event[] = changed.map((row) => ({
        type: 'conversation.changed',
        ConversationID: row.conversationId,
      }));
      if (heard.has(accountId)) events.push({ type: 'contacts.changed' });
      await notify(trx, accountId, events);
    }
    await trx
      .deleteFrom('carrier_inbound')
      .where('inbound_id', 'in', arrived.map((text) => text.inbound_id).concat(-1))
      .execute();
    return stored.length;
  });
}

async function takeStored(trx: Trx, size: number): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select inbound_id, inbound_key, aggregator_id, from_phone, to_phone, body, media, occurred_at
    from carrier_inbound where problem is null
    order by inbound_id limit ${size}
    for update skip locked`.execute(trx);
  return rows;
}

/** Finds the account that each text is for. What is for nobody stays where it is, with the reason. */
async function addressTexts(trx: Trx, stored: Stored[]): Promise<Arrived[]> {
  const numbers = await trx
    .selectFrom('text_numbers')
    .select(['account_id', 'text_number_id', 'phone'])
    .where('phone', 'in', [...new Set(stored.map((text) => normalisePhone(`+${text.to_phone}`) ?? '1'))])
    .where('released_at', 'is', null)
    .execute();
  const byPhone = new Map(numbers.map((row) => [row.phone, row]));
  const arrived: Arrived[] = [];
  const lost: { inboundId: number; problem: string }[] = [];
  for (const text of stored) {
    const number = byPhone.get(normalisePhone(`+${text.to_phone}`) ?? '');
    const phone = normalisePhone(`+${text.from_phone}`);
    if (number === undefined || phone === undefined) {
      const problem =
        number === undefined
          ? 'nobody here has the number it was sent to'
          : 'its sender is not a phone number';
      lost.push({ inboundId: text.inbound_id, problem });
      continue;
    }
    arrived.push({
      ...text,
      accountId: number.account_id,
      textNumberId: number.text_number_id,
      phone,
      word: recogniseInbound(text.body),
    });
  }
  if (lost.length > 0) {
    await sql`
      update carrier_inbound c set problem = t.problem
      from unnest(
        ${lost.map((text) => text.inboundId)}::bigint[], ${lost.map((text) => text.problem)}::text[]
      ) as t(inbound_id, problem)
      where c.inbound_id = t.inbound_id`.execute(trx);
  }
  return arrived;
}

async function insertTexts(trx: Trx, arrived: Arrived[]): Promise<(Arrived & { messageId: number })[]> {
  if (arrived.length === 0) return [];
  const column = <T>(pick: (text: Arrived) => T) => arrived.map(pick);
  const { rows } = await sql<{ inbound_key: string; message_id: number }>`
    insert into messages
      (account_id, text_number_id, phone, is_inbound, status, status_at, origin, body, segments, inbound_key, created_at)
    select t.account_id, t.text_number_id, t.phone, true, 'received', t.at, 'inbound', t.body, 1, t.key, t.at
    from unnest(
      ${column((t) => t.accountId)}::bigint[], ${column((t) => t.textNumberId)}::bigint[], ${column((t) => t.phone)}::text[],
      ${column((t) => t.body)}::text[], ${column((t) => t.inbound_key)}::text[], ${column((t) => t.occurred_at)}::timestamptz[]
    ) with ordinality as t(account_id, text_number_id, phone, body, key, at, place)
    order by t.place
    on conflict (account_id, inbound_key) where inbound_key is not null do nothing
    returning inbound_key, message_id`.execute(trx);
  const ids = new Map(rows.map((row) => [row.inbound_key, row.message_id]));
  return arrived.flatMap((text) => {
    const messageId = ids.get(text.inbound_key);
    return messageId === undefined ? [] : [{ ...text, messageId }];
  });
}

/**
 * STOP, UNSTOP and JOIN: consent with the text as its proof; what still waits for a phone that has stopped
 * isn't sent. Returns the accounts that it concerns.
 */
async function applyWords(trx: Trx, fresh: (Arrived & { messageId: number })[]): Promise<Set<number>> {
  const changes: ConsentChange[] = fresh
    .filter(({ word }) => word === 'stop' || word === 'unstop' || word === 'join')
    .map((text) => ({
      accountId: text.accountId,
      phone: text.phone,
      state: text.word === 'stop' ? 'out' : 'in',
      at: text.occurred_at,
      source: 'inbound',
      messageId: text.messageId,
    }));
  await recordConsents(trx, changes);
  await takeBackWaiting(
    trx,
    changes.filter((change) => change.state === 'out'),
  );
  return new Set(changes.map((change) => change.accountId));
}

/** Texts that no worker holds to those of these phones that are out now leave the outbox as Opted Out, and their credits return. */
async function takeBackWaiting(trx: Trx, phones: { accountId: number; phone: string }[]): Promise<void> {
  if (phones.length === 0) return;
  const { rows } = await sql<{ account_id: number; credits: number }>`
    with gone as (
      delete from outbox o
      using unnest(${phones.map((p) => p.accountId)}::bigint[], ${phones.map((p) => p.phone)}::text[]) as p(account_id, phone)
      where o.account_id = p.account_id and o.phone = p.phone and o.lease_id is null and not o.in_doubt
        and not o.ignores_opt_out
        -- START may have come after STOP, in this batch or before a STOP that was late.
        and exists (select from phone_consents c
          where c.account_id = o.account_id and c.phone = o.phone and c.text_state = 'out')
      returning o.account_id, o.message_id
    ),
    marked as (
      update messages m set status = 'opted_out', status_at = now()
      from gone where m.account_id = gone.account_id and m.message_id = gone.message_id and m.status = 'waiting'
      returning m.account_id, m.credits
    )
    select account_id, sum(credits)::int as credits from marked group by account_id order by account_id`.execute(
    trx,
  );
  await moveCredits(
    trx,
    rows.map((row) => ({
      accountId: row.account_id,
      kind: 'release',
      credits: row.credits,
      note: 'Opted out before it was sent',
    })),
  );
}

async function fetchPicturesLater(trx: Trx, fresh: (Arrived & { messageId: number })[]): Promise<void> {
  const pictures = fresh.flatMap((text) =>
    text.media.map(({ url }, position) => ({ ...text, position, url })),
  );
  if (pictures.length === 0) return;
  const column = <T>(pick: (picture: (typeof pictures)[number]) => T) => pictures.map(pick);
  await sql`
    with picture as (
      insert into inbound_media (account_id, message_id, position, aggregator_id, url)
      select * from unnest(
        ${column((p) => p.accountId)}::bigint[], ${column((p) => p.messageId)}::bigint[], ${column((p) => p.position)}::smallint[],
        ${column((p) => p.aggregator_id)}::smallint[], ${column((p) => p.url)}::text[])
      returning account_id, message_id, position
    )
    select ${fetchJob} from picture`.execute(trx);
}

async function countReceived(trx: Trx, fresh: Arrived[]): Promise<void> {
  if (fresh.length === 0) return;
  const column = <T>(pick: (text: Arrived) => T) => fresh.map(pick);
  await sql`
    insert into daily_texts as d (account_id, day, text_number_id, received)
    select t.account_id, (t.at at time zone a.time_zone)::date, t.text_number_id, count(*)
    from unnest(
      ${column((t) => t.accountId)}::bigint[], ${column((t) => t.textNumberId)}::bigint[],
      ${column((t) => t.occurred_at)}::timestamptz[]) as t(account_id, text_number_id, at)
    join accounts a on a.account_id = t.account_id
    group by 1, 2, 3
    order by 1, 2, 3
    on conflict (account_id, day, text_number_id) do update set received = d.received + excluded.received`.execute(
    trx,
  );
}
