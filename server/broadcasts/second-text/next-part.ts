/**
 * A broadcast with two texts is fed in two parts:
 *   trying    each text to its share of the people, zone by zone, the two in turn
 *   waiting   nobody is fed until second_texts.decide_at
 *   decided   second_texts.winner to everybody who has got neither
 * All of it happens in the feed's own transactions, with the broadcast's row locked, so a killed worker
 * leaves either the state before or the state after.
 */
import { type RawBuilder, sql } from 'kysely';
import { isInternational } from '../../../contract/reference/countries.ts';
import { hourMs } from '../../../contract/time/wall-clock.ts';
import { weighText } from '../../texts/create-texts.ts';
import type { DueBroadcast } from '../feed/find-due.ts';
import type { FeedState } from '../feed/next-feed.ts';
import { isTriedOn, type TextPlace } from './rules.ts';

/** One of the two texts in a zone. */
interface Lane {
  zone: string;
  place: TextPlace;
  total: number;
  fed: number;
  cursor: number;
}

/** The feed's data about the second text. */
export interface DueSecondText {
  body: string;
  sent_body: string;
  sent_prefix: string;
  first_segments: number;
  second_segments: number;
  share: number;
  decide_by: 'replies' | 'clicks';
  hours: number;
  /** The end of the waiting period; null while the first part is being sent. */
  decide_at_ms: number | null;
  winner: TextPlace | null;
  lanes: Lane[];
}

/** For the feed's query on `b`: the second text as JSON, or null. */
export const secondTextColumn: RawBuilder<unknown> = sql`(
  select json_build_object('body', t.body, 'sent_body', t.sent_body, 'sent_prefix', t.sent_prefix,
    'first_segments', t.first_segments, 'second_segments', t.second_segments, 'share', t.share,
    'decide_by', t.decide_by, 'hours', t.hours, 'winner', t.winner,
    'decide_at_ms', (extract(epoch from t.decide_at) * 1000)::float8, 'lanes', (
      select coalesce(json_agg(json_build_object('zone', l.zone, 'place', l.place, 'total', l.total, 'fed', l.fed,
        'cursor', l.cursor) order by l.zone, l.place), '[]')
      from second_text_zones l
      where t.winner is null and l.account_id = t.account_id and l.broadcast_id = t.broadcast_id))
  from second_texts t where t.account_id = b.account_id and t.broadcast_id = b.broadcast_id) as second`;

/** The state that decides the next feeding, counting only those who get one of the two texts first. */
export function triedState({ state, second }: DueBroadcast): FeedState {
  const lanes = second?.lanes ?? [];
  const zones = [...new Set(lanes.map(({ zone }) => zone))].map((zone) => ({
    zone,
    left: lanes.filter((lane) => lane.zone === zone).reduce((sum, { total, fed }) => sum + total - fed, 0),
  }));
  return { ...state, zones };
}

/** The text that more people of a zone still have to get, so that the two alternate. */
export function nextLane({ second }: DueBroadcast, zone: string): Lane | undefined {
  const [lane] = (second?.lanes ?? [])
    .filter((one) => one.zone === zone && one.fed < one.total)
    .toSorted((a, b) => b.total - b.fed - (a.total - a.fed) || a.place - b.place);
  return lane;
}

/** The end of the waiting period, counted from now. */
export function decideAtMs({ at_ms, second }: DueBroadcast): number {
  return at_ms + (second?.hours ?? 0) * hourMs;
}

/** The broadcast with one of its two texts in place of its own. */
export function withText(due: DueBroadcast, place: TextPlace): DueBroadcast {
  const { second } = due;
  if (second === null) return due;
  // Personalized texts are weighed one by one (segmentsOf).
  const own = place === 1 ? second.first_segments : second.second_segments;
  const segments = due.is_personalized ? due.segments : own;
  const credits_each = due.credits_each === 0 ? 0 : segments;
  if (place === 1) return { ...due, segments, credits_each };
  const { body, sent_body, sent_prefix } = second;
  return { ...due, body, sent_body, sent_prefix, segments, credits_each };
}

/** The recipients of a slice, as a condition on recipients `r`. */
export interface Taken {
  /** The recipient after whom it continues. */
  cursor: number;
  who: RawBuilder<unknown>;
  /** In the first part, which text it is. */
  lane?: Lane;
}

/** The next people of a zone: all of them, those of one of the two texts, or those who have got neither. */
export function takenOf(due: DueBroadcast, zone: string, lane: Lane | undefined): Taken {
  if (lane !== undefined && due.second !== null) {
    return { cursor: lane.cursor, who: isTriedOn(lane.place, due.second.share), lane };
  }
  const cursor = due.zones.find((one) => one.zone === zone)?.cursor ?? 0;
  return { cursor, who: due.second === null ? sql`true` : sql`r.message_id is null` };
}

/** The cost of a personalized text of the two. The reserved amount is for the longer one. */
export function segmentsOf(due: DueBroadcast, message: string, reserved: number): number {
  const by = { international: isInternational(due.country_id), takesCredits: false, flatRateStatus: null };
  const { segments } = weighText(
    { message, hasMedia: due.media_ids.length > 0, keepCharacters: due.keep_characters },
    by,
  );
  return Math.min(segments, reserved);
}
