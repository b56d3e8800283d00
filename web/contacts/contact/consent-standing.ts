import type { ConsentEvent } from '../../../contract/consents.ts';

/**
 * The event that is in force for a channel, from a phone's consent ledger, latest first. A `none` revokes the
 * user's last declaration that is still in force; earlier events then apply again.
 */
export function standingEvent(
  events: readonly ConsentEvent[],
  channel: 'text' | 'voice',
): ConsentEvent | undefined {
  let takenBack = 0;
  for (const event of events) {
    if (event.Channel !== channel && event.Channel !== 'both') continue;
    if (event.State === 'none') takenBack += 1;
    else if (event.Source === 'user' && takenBack > 0) takenBack -= 1;
    else return event;
  }
  return undefined;
}
