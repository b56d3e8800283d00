import { findZoneByIana } from '../../../contract/time/zones.ts';

/** What people call the zones that an area code reaches into: "Eastern Time", "Central Time and Mountain Time". */
export function zoneLabel(zone: string): string {
  const labels = new Set(zone.split(',').map((iana) => findZoneByIana(iana)?.label ?? placeOf(iana)));
  return new Intl.ListFormat('en-US').format([...labels]);
}

/** "America/Indiana/Indianapolis" has no name in the list of zones: its place has one. */
function placeOf(iana: string): string {
  return `${(iana.split('/').at(-1) ?? iana).replaceAll('_', ' ')} Time`;
}
