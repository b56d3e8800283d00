import { type RawBuilder, sql } from 'kysely';
import { type BroadcastType, placesCalls, sendsTexts } from '../../contract/money/units.ts';

/** True if the recipient `r` gets something: a text, or a call if the broadcast calls. */
export function isReached(type: BroadcastType): RawBuilder<boolean> {
  if (!placesCalls(type)) return sql`r.problem is null`;
  return sendsTexts(type)
    ? sql`(r.problem is null or r.call_state = 'called')`
    : sql`r.call_state is not distinct from 'called'`;
}
