import { sql } from 'kysely';
import type { Event } from '../../contract/events.ts';
import { normalizePhone } from '../../contract/phone/normalize-phone.ts';
import { isCourtesy } from '../../contract/text/courtesy.ts';
import { recognizeInbound } from '../../contract/text/inbound-word.ts';
import { againAfterDeadlock } from '../again-after-deadlock.ts';
import { lockCredits } from '../billing/lock-credits.ts';
import { recordAnswers } from '../broadcasts/drips/record-answers.ts';
import { recordReplies } from '../broadcasts/results/record-replies.ts';
import { recordStops } from '../broadcasts/results/record-stops.ts';
import { now } from '../clock.ts';
import { joinPhones } from '../contacts/groups/join-phones.ts';
import { lockContactsOf } from '../contacts/lock-contacts.ts';
import { receiveTexts } from '../conversations/texts/receive-texts.ts';
import type { Database, Trx } from '../db.ts';
import { fetchPicturesLater } from '../media/fetch-pictures-later.ts';
import { armNotices } from '../notifications/arm-notices.ts';
import { notify } from '../notify.ts';
import { prepared } from '../prepared.ts';
import { recordEvents } from '../record-events.ts';
import { answerTexts, type Plan, planAnswers } from '../replies/answer-texts.ts';
import {
  type ArrivedText,
  broadcastDays,
  broadcastTexts,
  countReceived,
  type FreshText,
  insertInbound,
  type StoredText,
} from '../texts/insert-inbound.ts';
import { applyWords } from './apply-words.ts';
import { findCopies } from './find-copies.ts';

/** A text in its conversation, with the automatic reply it asks for. */
type ReceivedText = ArrivedText & FreshText & Plan & { conversationId: number };

/**
 * Puts stored inbound texts into the ledger and their conversations, and sends automatic replies. Takes up to
 * `size` at a time in one transaction with a fixed number of statements. The same text twice is one row and
 * gets one reply, also when two carriers deliver it: `tellOfTwice` gets the number of duplicates. Returns how
 * many were processed.
 *
 * Rows are locked in the common order: contacts, the day's counts, conversations, a broadcast's recipients,
 * credits, consents.
 */
export async function applyInbound(
  database: Database,
  size: number,
  /** With a single carrier nothing comes twice. */
  {
    tellOfTwice,
    hasOneCarrier = false,
  }: { tellOfTwice?: (texts: number) => void; hasOneCarrier?: boolean } = {},
): Promise<number> {
  const { taken, twice } = await againAfterDeadlock(() => applyStored(database, size, hasOneCarrier));
  tellOfTwice?.(twice);
  return taken;
}

async function applyStored(
  database: Database,
  size: number,
  hasOneCarrier: boolean,
): Promise<{ taken: number; twice: number }> {
  return database.system.transaction().execute(async (trx) => {
    const stored = await takeStored(trx, size);
    if (stored.length === 0) return { taken: 0, twice: 0 };
    const addressed = await addressTexts(trx, stored);
    const copies = hasOneCarrier ? new Set<number>() : await findCopies(trx, addressed);
    const arrived = await planAnswers(
      trx,
      addressed.filter(({ inbound_id }) => !copies.has(inbound_id)),
      now(),
    );
    await lockContactsOf(
      trx,
      arrived.filter(isJoining).map((text) => text.accountId),
    );
    const fresh = await insertInbound(trx, arrived);
    await countReceived(trx, fresh);
    const received = await recordReplies(trx, await putIntoConversations(trx, fresh), now());
    await recordStops(
      trx,
      received.filter(({ word }) => word === 'stop'),
      { days: broadcastDays, texts: broadcastTexts },
    );
    await recordAnswers(trx, received);
    const paying = received.filter(({ answer, word }) => word === 'stop' || (answer?.credits ?? 0) > 0);
    const available = await lockCredits(
      trx,
      paying.map((text) => text.accountId),
    );
    const heard = await applyWords(trx, received);
    const joining = received.filter(isJoining);
    await joinPhones(
      trx,
      joining.map(({ accountId, phone, keyword }) => ({
        accountId,
        phone,
        groupId: keyword?.groupId ?? null,
      })),
    );
    const answered = await answerTexts(
      trx,
      received.flatMap(({ answer, ...text }) =>
        answer === undefined || heard.repeatedIds.has(text.messageId) ? [] : [{ ...text, answer }],
      ),
      available,
    );
    await recordReceived(trx, received);
    await fetchPicturesLater(trx, received);
    await armNotices(
      trx,
      received.filter(({ word }) => word !== 'stop'),
    );
    const changed = new Set([...heard.accountIds, ...joining.map((text) => text.accountId)]);
    await tellPages(trx, received, { changed, answered });
    await sql`${prepared} delete from carrier_inbound
      where inbound_id = any(${addressed.map((text) => text.inbound_id)}::bigint[])`.execute(trx);
    return { taken: stored.length, twice: copies.size };
  });
}

/** One event per account for all texts of the batch, and one for those that changed a phone's consent. */
async function recordReceived(trx: Trx, received: (ArrivedText & FreshText)[]): Promise<void> {
  for (const [accountId, texts] of Map.groupBy(received, (text) => text.accountId)) {
    const consents = texts.filter(({ word }) => word === 'stop' || word === 'unstop' || word === 'join');
    const idsOf = (some: FreshText[]) => some.map(({ messageId }) => messageId);
    await recordEvents(trx, { accountId }, [
      { kind: 'text.received', ids: idsOf(texts) },
      ...(consents.length === 0 ? [] : [{ kind: 'consent.changed' as const, ids: idsOf(consents) }]),
    ]);
  }
}

/** True if its sender becomes a contact: by JOIN or by a keyword. */
function isJoining({ word, keyword, isFromUs }: ArrivedText & Plan): boolean {
  return !isFromUs && (word === 'join' || keyword !== undefined);
}

async function takeStored(trx: Trx, size: number): Promise<StoredText[]> {
  const { rows } = await sql<StoredText>`
    ${prepared} with taken as materialized (
      select inbound_id, inbound_key, aggregator_id, from_phone, to_phone, body, media, occurred_at
      from carrier_inbound where problem is null
      order by inbound_id limit ${size}
      for update skip locked
    )
    select * from taken order by occurred_at, inbound_id`.execute(trx);
  return rows;
}

/** Finds the account of each text. A text for an unknown number stays stored, with the reason. */
async function addressTexts(trx: Trx, stored: StoredText[]): Promise<ArrivedText[]> {
  const read = stored.map((text) => ({
    text,
    to: normalizePhone(`+${text.to_phone}`),
    from: normalizePhone(`+${text.from_phone}`),
  }));
  const phones = new Set(read.flatMap(({ to, from }) => [to, from]).filter((phone) => phone !== undefined));
  // An answer to RCS has the number's agent instead of the number.
  const agents = read.filter(({ to }) => to === undefined).map(({ text }) => text.to_phone);
  const { rows } = await sql<{
    account_id: number;
    text_number_id: number;
    phone: string;
    rcs_agent: string | null;
    zone: string;
  }>`
    ${prepared} select n.account_id, n.text_number_id, n.phone, n.rcs_agent, a.time_zone as zone
    from text_numbers n join accounts a on a.account_id = n.account_id
    where (n.phone = any(${[...phones]}::text[]) ${agents.length === 0 ? sql`` : sql`or n.rcs_agent = any(${agents}::text[])`})
      and n.released_at is null`.execute(trx);
  const ours = new Map(rows.map((row) => [row.phone, row]));
  const byAgent = new Map(rows.map((row) => [row.rcs_agent, row]));
  const arrived: ArrivedText[] = [];
  const lost: { inboundId: number; problem: string }[] = [];
  for (const { text, to, from } of read) {
    const number = to === undefined ? byAgent.get(text.to_phone) : ours.get(to);
    if (number === undefined || from === undefined) {
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
      phone: from,
      at: text.occurred_at,
      zone: number.zone,
      word: recognizeInbound(text.body),
      isFromUs: ours.has(from),
    });
  }
  await keepLost(trx, lost);
  return arrived;
}

async function keepLost(trx: Trx, lost: { inboundId: number; problem: string }[]): Promise<void> {
  if (lost.length === 0) return;
  await sql`
    update carrier_inbound c set problem = t.problem
    from unnest(
      ${lost.map((text) => text.inboundId)}::bigint[], ${lost.map((text) => text.problem)}::text[]
    ) as t(inbound_id, problem)
    where c.inbound_id = t.inbound_id`.execute(trx);
}

async function putIntoConversations(
  trx: Trx,
  fresh: (ArrivedText & FreshText & Plan)[],
): Promise<ReceivedText[]> {
  // A picture has to be looked at, whatever its caption says.
  const conversations = await receiveTexts(
    trx,
    fresh.map((text) => ({ ...text, isCourtesy: text.media.length === 0 && isCourtesy(text.body) })),
  );
  const threadOf = (text: { textNumberId: number; phone: string }) => `${text.textNumberId} ${text.phone}`;
  const ids = new Map(conversations.map((row) => [threadOf(row), row.conversationId]));
  return fresh.map((text) => ({ ...text, conversationId: ids.get(threadOf(text)) ?? 0 }));
}

/** At most this many texts of a batch ring: more would only be noise. */
const mostRings = 50;

/**
 * The changes, by account. Those that a page may ring for are separate, so that neither crowds out the other.
 */
async function tellPages(
  trx: Trx,
  received: ReceivedText[],
  { changed, answered }: { changed: Set<number>; answered: Map<number, number> },
): Promise<void> {
  for (const [accountId, texts] of Map.groupBy(received, (text) => text.accountId)) {
    const latest = new Map(texts.map((text) => [text.conversationId, text]));
    const events: Event[] = [...latest.keys()].map((ConversationID) => ({
      type: 'conversation.changed',
      ConversationID,
    }));
    if (changed.has(accountId)) events.push({ type: 'contacts.changed' });
    if (answered.has(accountId)) events.push({ type: 'credits.changed' });
    await notify(trx, accountId, events);
    await notify(
      trx,
      accountId,
      [...latest.values()]
        .filter(({ word }) => word !== 'stop')
        .slice(-mostRings)
        .map((text) => ({
          type: 'message.received',
          ConversationID: text.conversationId,
          TextNumberID: text.textNumberId,
          TextMessageID: text.messageId,
        })),
    );
  }
}
