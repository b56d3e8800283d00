import { allZones, findZoneByIana } from '../../contract/time/zones.ts';
import { zoneWarning } from '../ui/zone-warning.ts';

/** The zones that people choose from, those of their country first; the saved one is always among them. */
export function zoneChoices(countryId: number, saved: string): { value: string; label: string }[] {
  const isNear = (ids: readonly number[]) => ids.includes(countryId);
  const sorted = [
    ...allZones.filter(({ countryIds }) => isNear(countryIds)),
    ...allZones.filter(({ countryIds }) => !isNear(countryIds)),
  ].map(({ iana, label }) => ({ value: iana, label }));
  if (saved === '' || sorted.some(({ value }) => value === saved)) return sorted;
  return [{ value: saved, label: saved.replaceAll('_', ' ') }, ...sorted];
}

/** Says in words whether a zone changes its clocks, and whether it may be a mistake. */
export function daylightWords(zone: string, countryId: number): string | undefined {
  const found = findZoneByIana(zone);
  if (!found) return undefined;
  const words = found.observesDaylightSavings ? 'Observes daylight saving time.' : 'No daylight saving time.';
  const warning = zoneWarning(zone, countryId);
  return warning === undefined ? words : `${words} ${warning}`;
}
