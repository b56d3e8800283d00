import { consentFilters, contactSorts, specialGroups } from '../../../contract/contacts.ts';
import type { List } from '../../../contract/lists.ts';
import type { ListState } from '../../queries/list-search.ts';
import { countOf, formatCount } from '../../ui/format.ts';

export type ConsentFilter = (typeof consentFilters)[number];
export type ContactSort = (typeof contactSorts)[number];

/** The filter of the list, in addition to its search. */
export interface ContactsFilter {
  consent?: ConsentFilter | undefined;
  problem: boolean;
}

export const consentNames: Record<ConsentFilter, string> = {
  optedin: 'Opted in',
  optedout: 'Opted Out',
  notasked: 'Not asked',
  donotcall: 'Do not call',
};
export const problemName = 'Can’t be texted';

export const pageSizeChoices = [10, 25, 50, 100] as const;

/** Both parts of the filter as the address holds them: "optedout-problem". */
export function readFilter(text: string): ContactsFilter {
  const words = text.split('-');
  return {
    consent: consentFilters.find((consent) => words.includes(consent)),
    problem: words.includes('problem'),
  };
}

export function writeFilter({ consent, problem }: ContactsFilter): string {
  return [...(consent ? [consent] : []), ...(problem ? ['problem'] : [])].join('-');
}

export function sortOf(text: string): ContactSort {
  return contactSorts.find((sort) => sort === text) ?? 'name';
}

/** Only sizes that are offered: an address can hold anything. */
export function pageSizeOf(pagesize: number): number {
  return pageSizeChoices.find((size) => size === pagesize) ?? 25;
}

/** The list, search and filter that a selection refers to. */
export function selectionQueryOf({ q, filter }: Pick<ListState, 'q' | 'filter'>) {
  const { consent, problem } = readFilter(filter);
  return { q, ...(consent ? { consent } : {}), ...(problem ? { problem: true } : {}) };
}

/** "1–25 of 4,318"; "of 50,000+" where they were not counted to the end. */
export function rangeWords(shown: {
  page: number;
  pagesize: number;
  rows: number;
  total: number;
  isMore: boolean;
}): string {
  const { page, pagesize, rows, total, isMore } = shown;
  if (rows === 0) return '0 of 0';
  const first = (page - 1) * pagesize + 1;
  return `${formatCount(first)}–${formatCount(first + rows - 1)} of ${formatCount(total)}${isMore ? '+' : ''}`;
}

/** "4,318 people in 11 groups" */
export function bookWords(lists: readonly List[]): string {
  const everyone = lists.find(({ ListID }) => ListID === specialGroups.everyone)?.RosterCount ?? 0;
  const groups = lists.filter((list) => isGroup(list)).length;
  return `${countOf(everyone, 'person', 'people')} in ${countOf(groups, 'group', 'groups')}`;
}

/** "62 people", of a segment "62 people fit its conditions". */
export function listWords({
  ListID,
  RosterCount,
  Segment,
}: Pick<List, 'ListID' | 'RosterCount' | 'Segment'>): string {
  if (ListID === specialGroups.unfiled) return `${countOf(RosterCount, 'person', 'people')} not in any group`;
  if (ListID === specialGroups.deleted) return `${countOf(RosterCount, 'person', 'people')} you can restore`;
  if (Segment !== null)
    return countOf(RosterCount, 'person matches its conditions', 'people match its conditions');
  return countOf(RosterCount, 'person', 'people');
}

/** A group that people can be added to: not a segment, and not one of those that always exist. */
export function isGroup({ ListID, Segment }: Pick<List, 'ListID' | 'Segment'>): boolean {
  return ListID > 0 && Segment === null;
}
