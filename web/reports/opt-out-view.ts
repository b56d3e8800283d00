import { optOutFilters } from '../../contract/consents.ts';
import type { ListState } from '../queries/list-search.ts';
import { say } from '../ui/say.ts';

export type OptOutFilter = (typeof optOutFilters)[number];

export const optOutFilterNames: Record<OptOutFilter, string> = {
  all: say('All'),
  voice: say('Voice'),
  text: 'Text',
  both: say('Both'),
};

/** The filter in the address; unknown ones mean all. */
export function optOutQuery({ filter, q }: Pick<ListState, 'filter' | 'q'>): {
  filter: OptOutFilter;
  q: string;
} {
  return { filter: optOutFilters.find((one) => one === filter) ?? 'all', q: q.trim().slice(0, 200) };
}

const emptyWords: Record<OptOutFilter, string> = {
  all: 'Nobody has opted out',
  voice: 'Nobody has opted out of calls',
  text: 'Nobody has opted out of texts',
  both: 'Nobody has opted out of both',
};

/** The empty list's title: no opt-outs, or no matches. */
export function emptyTitle({ filter, q }: ReturnType<typeof optOutQuery>): string {
  return q === '' ? emptyWords[filter] : `Nothing found for “${q}”`;
}
