import { zonesOfAreaCode } from '../phone/area-codes.ts';
import { isQuiet, nextAllowedMs } from './quiet-hours.ts';

/**
 * Likely zones of a phone's owner. An area code tells them for the US, Canada and Puerto Rico; a number without one
 * (toll-free, another country) is assumed to be in `fallbackZone`, the account's own zone.
 */
export function zonesOfPhone(e164: string, fallbackZone: string): readonly string[] {
  // Ten digits without the 1 would be a number of Singapore (65 …), not of California (650 …).
  const zones = e164.length === 11 && e164.startsWith('1') ? zonesOfAreaCode(e164.slice(1, 4)) : [];
  return zones.length > 0 ? zones : [fallbackZone];
}

export function isQuietForPhone(e164: string, epochMs: number, fallbackZone: string): boolean {
  return isQuiet(zonesOfPhone(e164, fallbackZone), epochMs);
}

/** Time when the phone may next be called or texted: now, or when its quiet hours end. */
export function nextAllowedForPhoneMs(
  e164: string,
  epochMs: number,
  fallbackZone: string,
): number | undefined {
  return nextAllowedMs(zonesOfPhone(e164, fallbackZone), epochMs);
}
