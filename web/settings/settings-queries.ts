import { listLists } from '../../contract/addresses/contacts.gen.ts';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { pageSizes } from '../../contract/reference/paging.ts';
import { useCallQuery } from '../queries/calls.ts';

/** All text numbers the user may use: to name them and to choose from. */
export function useAllNumbers(): readonly TextNumber[] {
  const query = { pagesize: pageSizes.textNumbersInNotifications };
  return useCallQuery(listTextNumbers, { query }).data?.Items ?? noNumbers;
}
const noNumbers: readonly TextNumber[] = [];

/** Groups that people can be added to: no segments, and not Everyone, Unfiled or Deleted. */
export function useGroupChoices() {
  const { data } = useCallQuery(listLists, { query: { pagesize: pageSizes.groups } });
  return (data?.Items ?? []).filter(({ ListID, Segment }) => ListID > 0 && Segment === null);
}
