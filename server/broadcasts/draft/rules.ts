import type { SelectionOfIds } from '../../../contract/selection.ts';
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

/** "Parents" for a whole group, "3 contacts" for some. */
export function countedName(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** "Parents" where all of a group were selected, else how many. */
export function selectionName(
  { query, selection }: { query: { q: string }; selection: SelectionOfIds },
  listName: string,
): string {
  if (selection.Type === 'Selected') return countedName(selection.Items.length, 'contact');
  return query.q === '' ? listName : `${listName}: “${query.q}”`;
}
