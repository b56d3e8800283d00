import { findZoneByIana } from '../../../contract/time/zones.ts';

/** The usual names of an area code's zones: "Eastern Time", "Central Time and Mountain Time". */
export function zoneLabel(zone: string): string {
  const labels = new Set(zone.split(',').map((iana) => findZoneByIana(iana)?.label ?? placeOf(iana)));
  return new Intl.ListFormat('en-US').format([...labels]);
}

/** "America/Indiana/Indianapolis" is not in the list of zone names: its city is. */
function placeOf(iana: string): string {
  return `${(iana.split('/').at(-1) ?? iana).replaceAll('_', ' ')} Time`;
}
