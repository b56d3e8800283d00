import { isInternational } from '../../contract/reference/countries.ts';
import { findZoneByIana, isOffsetFlagged } from '../../contract/time/zones.ts';

/** For somebody in the US or Canada who chooses a zone far from both. */
export function zoneWarning(zone: string, countryId: number): string | undefined {
  const found = findZoneByIana(zone);
  if (!found || isInternational(countryId) || !isOffsetFlagged(found.userOffset)) return undefined;
  return 'It’s not a zone of the US or Canada: check that it’s the right one.';
}
