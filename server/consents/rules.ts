import type { ConsentEvent } from '../../contract/consents.ts';
import { formatOffset } from '../../contract/time/zone-label.ts';
import { offsetMsAt } from '../../contract/time/zone-offset.ts';
import type { LineType } from '../outside/phone-lookup.ts';

/** Days that a provider's answer about a phone is considered valid: numbers are ported and reassigned. */
export const lookupDays = 90;

/** Each look-up costs the installation money. A clerk who adds people by hand needs a few dozen a day. */
export const lookupsPerUserAndDay = 500;

/**
 * The same for contacts that a user adds or imports, which are looked up in the background. A file of 100,000 takes
 * 20 days instead of costing as much as somebody else's month at once.
 */
export const contactLookupsPerUserAndDay = 5000;

/**
 * A number that can exist and isn't known to be a landline. A number that was never looked up counts as
 * textable.
 */
export function isTextable(line: { isValid: boolean; lineType: LineType | null }): boolean {
  return line.isValid && line.lineType !== 'landline';
}

/** A time in a zone, with its offset from UTC: "2026-09-01 08:00:00 (UTC-04:00)". */
export function zonedTime(at: Date, timeZone: string): string {
  const offsetMs = offsetMsAt(at.getTime(), timeZone);
  const local = new Date(at.getTime() + offsetMs).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 19)} (${formatOffset(offsetMs)})`;
}

/** The ledger's words in a file. */
export const channelWords: Record<ConsentEvent['Channel'], string> = {
  text: 'Texts',
  voice: 'Voice calls',
  both: 'Texts and voice calls',
};
export const stateWords: Record<ConsentEvent['State'], string> = {
  in: 'Opted in',
  out: 'Opted out',
  none: 'Consent change undone',
};
export const sourceWords: Record<ConsentEvent['Source'], string> = {
  inbound: 'Text message from the phone',
  user: 'Declared by a user',
  carrier: 'Reported by the carrier',
  import: 'Imported from a file',
  web: 'Web form',
  call: 'Keypad on a call',
};
