import type { ConsentEvent } from '../../../contract/consents.ts';

/**
 * The event that holds for a channel, of a phone's ledger with the latest first. A `none` takes back the last
 * declaration of a user that still stands; what others said before it holds again.
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
