import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import {
  type CallResultCategory,
  callResultCategories,
  type detailFilters,
  type TextResultCategory,
} from '../../contract/broadcast-results.ts';
import type { CallResultCode } from '../../contract/delivery/call-result.ts';
import { type ResultCategory, statusesOf } from '../../contract/delivery/result-category.ts';
import type { TextStatusCode } from '../../contract/delivery/text-status.ts';
import { placesCalls, sendsTexts } from '../../contract/money/units.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import type { Trx } from '../db.ts';
import { digitsToFind, likeText } from '../search-text.ts';
import { selectedRows } from '../selection.ts';
import type { Actor } from '../serve.ts';
import { textsOf } from '../texts/choose-table.ts';
import { isReached } from './is-reached.ts';
import { requireBroadcast, type SeenBroadcast } from './results/read-broadcast.ts';

type Condition = RawBuilder<unknown>;

/** The rows in a tab of the results, and the search within it. */
export type DetailFilter = z.output<typeof detailFilters> & { q: string };

/** The categories of a slice in each tab of texts. Incomplete also has the recipients without a text yet. */
export const categoriesOfTab = {
  Delivered: ['delivered'],
  Read: ['read'],
  Failed: ['failed'],
  Invalid: ['invalid'],
  OptedOut: ['opted_out'],
  Incomplete: ['waiting', 'sent', 'canceled'],
  NotReplied: ['sent', 'delivered', 'read'],
} as const satisfies Partial<Record<TextResultCategory, readonly ResultCategory[]>>;
export type TabOfTexts = keyof typeof categoriesOfTab;

/** The text states of a tab. */
export function statusesOfTab(tab: TabOfTexts): TextStatusCode[] {
  return categoriesOfTab[tab].flatMap(statusesOf);
}

/** Recipients of a broadcast in a tab, as a condition on its recipients `r`. */
export function detailsShown(broadcast: SeenBroadcast, filter: DetailFilter): Condition {
  const { accountId, broadcastId } = broadcast;
  const conditions = [
    sql`r.account_id = ${accountId} and r.broadcast_id = ${broadcastId}`,
    ...(filter.callresultcategory === undefined && filter.surveyresult === undefined
      ? [tabCondition(filter.textresultcategory, broadcast)]
      : []),
    ...callConditions(filter),
    ...searchConditions(filter.q),
  ];
  if (filter.textsurveyresponse !== undefined) conditions.push(answered(filter.textsurveyresponse));
  return sql.join(conditions, sql` and `);
}

/** Recipients with this survey answer, as a condition on `r`. */
export function answered(answer: NonNullable<DetailFilter['textsurveyresponse']>): Condition {
  return answer === 'Any' ? sql`r.survey_answer is not null` : sql`r.survey_answer = ${answer}`;
}

/** The results in each tab of calls. Incomplete also has the recipients without a call yet. */
const resultsOfTab = {
  LiveAnswer: ['live_answer'],
  Voicemail: ['voicemail'],
  BusyNoAnswer: ['busy', 'no_answer'],
  Invalid: ['invalid', 'message_rejected', 'do_not_call'],
  Incomplete: ['not_yet_called', 'call_failed', 'canceled', 'expired'],
} as const satisfies Record<CallResultCategory, readonly CallResultCode[]>;

/**
 * The tab of a call with this result. A person who was busy or didn't answer is incomplete until the last
 * attempt.
 */
export function categoryOfCall(result: string, isOver: boolean): CallResultCategory {
  const found = callResultCategories.find((one) => resultsOfTab[one].some((code) => code === result));
  return found === undefined || (found === 'BusyNoAnswer' && !isOver) ? 'Incomplete' : found;
}

function callConditions({ callresultcategory: tab, surveyresult: key }: DetailFilter): Condition[] {
  const ofCall = (condition: Condition) => sql`exists (select from calls k where k.account_id = r.account_id
    and k.broadcast_id = r.broadcast_id and k.recipient_id = r.recipient_id and k.purpose = 'broadcast' and ${condition})`;
  const conditions: Condition[] = [];
  if (tab !== undefined) conditions.push(sql`r.call_state = 'called'`);
  if (tab === 'Transfers') conditions.push(ofCall(sql`k.transferred_at is not null`));
  else if (tab === 'NotCompleted') {
    conditions.push(sql`not ${ofCall(sql`k.result in ('live_answer', 'voicemail')`)}`);
  } else if (tab === 'Incomplete') {
    const { Incomplete, BusyNoAnswer } = resultsOfTab;
    conditions.push(
      sql`not ${ofCall(sql`k.result <> all(${[...Incomplete]}::text[])
      and (k.is_over or k.result <> all(${[...BusyNoAnswer]}::text[]))`)}`,
    );
  } else if (tab === 'BusyNoAnswer') {
    conditions.push(ofCall(sql`k.result = any(${[...resultsOfTab[tab]]}::text[]) and k.is_over`));
  } else if (tab !== undefined && tab !== 'All') {
    conditions.push(ofCall(sql`k.result = any(${[...resultsOfTab[tab]]}::text[])`));
  }
  if (key !== undefined) {
    conditions.push(ofCall(key === 'Any' ? sql`k.survey_key is not null` : sql`k.survey_key = ${key}`));
  }
  return conditions;
}

function tabCondition(
  tab: DetailFilter['textresultcategory'],
  broadcast: Pick<SeenBroadcast, 'broadcastType' | 'isArchived'>,
): Condition {
  const type = broadcast.broadcastType;
  if (tab === undefined) return isReached(type);
  if (tab === 'All') return sendsTexts(type) ? sql`r.problem is null` : sql`false`;
  if (tab === 'LeftOut') return placesCalls(type) ? sql`not ${isReached(type)}` : sql`r.problem is not null`;
  if (tab === 'Replied') return sql`r.problem is null and r.replied_at is not null`;
  if (tab === 'NotOptedOut') {
    return sql`r.problem is null and not exists (select from phone_consents c
      where c.account_id = r.account_id and c.phone = r.phone and c.text_state = 'out')`;
  }
  const isOfTab = sql`exists (select from ${textsOf(broadcast)} m where m.account_id = r.account_id
    and m.message_id = r.message_id and m.status = any(${statusesOfTab(tab)}::text[]))`;
  if (tab === 'Incomplete') return sql`r.problem is null and (r.message_id is null or ${isOfTab})`;
  if (tab === 'NotReplied') return sql`r.problem is null and r.replied_at is null and ${isOfTab}`;
  if (tab === 'OptedOut') return sql`r.problem is null and (r.stopped_at is not null or ${isOfTab})`;
  return sql`r.problem is null and ${isOfTab}`;
}

/**
 * With at least this many digits, a number is searched from its beginning, by the index; fewer digits match
 * anywhere.
 */
const indexedDigits = 7;
/** Names have no more words. */
const mostWords = 6;

/** Digits match a part of the phone; otherwise every word has to be in the name. */
function searchConditions(q: string): Condition[] {
  if (q === '') return [];
  const digits = digitsToFind(q);
  if (isByPhone(q)) {
    // With the country's 1 in front, and unchanged. As ranges: under row level security `like` can't use an
    // index.
    const begins = (first: string) => sql`(r.phone >= ${first} and r.phone < ${`${first}:`})`;
    return [sql`(${begins(`1${digits}`)} or ${begins(digits)})`];
  }
  if (digits !== '') return [sql`strpos(coalesce(r.phone, r.typed_phone), ${digits}) > 0`];
  const words = [...new Set(q.split(/\s+/))].slice(0, mostWords);
  return [
    sql`lower(r.first_name || ' ' || r.last_name) like all(${words.map((word) => likeText(word))}::text[])`,
  ];
}

/** True if a search has enough digits of a phone for an index to find it. */
export function isByPhone(q: string): boolean {
  return digitsToFind(q).length >= indexedDigits;
}

/** Selected recipients of a broadcast, in a form that can be saved and queried again. */
export interface SelectedDetails {
  filter: DetailFilter;
  selection: SelectionOfIds;
  /** Without people who have opted out since. */
  isWithoutOptedOut?: boolean;
}

/** Selected recipients of a broadcast that this actor may see, as a condition on `r`. */
export async function detailsSelected(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  { filter, selection, isWithoutOptedOut = false }: SelectedDetails,
): Promise<Condition> {
  const broadcast = await requireBroadcast(trx, actor, broadcastId);
  const chosen = selectedRows(sql`r.recipient_id`, selection, sql`(${detailsShown(broadcast, filter)})`);
  return isWithoutOptedOut ? sql`${chosen} and ${tabCondition('NotOptedOut', broadcast)}` : chosen;
}
