import { allZones, findZoneByIana } from '../../contract/time/zones.ts';

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

/** Whether a zone changes its clocks, in words. */
export function daylightWords(zone: string): string | undefined {
  const found = findZoneByIana(zone);
  if (!found) return undefined;
  return found.observesDaylightSavings ? 'Observes daylight saving time.' : 'No daylight saving time.';
}
