import { type TemplateFilter, templateSorts } from '../../contract/templates.ts';
import type { ListState } from '../queries/list-search.ts';

/** The spec gives the labels of the first three; the path endings are those of the audio library. */
export const textViews = {
  all: { label: 'All Messages', filter: {} },
  starred: { label: 'Starred', filter: { isfavorite: true } },
  shared: { label: 'Shared', filter: { isshared: true } },
  'never-used': { label: 'Unused', filter: { unused: true } },
} as const satisfies Record<string, { label: string; filter: Partial<TemplateFilter> }>;
export type TextView = keyof typeof textViews;
export const textViewNames = Object.keys(textViews) as TextView[];

/** Undefined for an unknown address. */
export function readTextView(text: string | undefined): TextView | undefined {
  if (text === undefined) return 'all';
  return textViewNames.find((name) => name === text);
}

export type TextSort = (typeof templateSorts)[number];

export function readTextSort(sort: string): TextSort {
  return templateSorts.find((one) => one === sort) ?? 'name';
}

/** The query of a view and a label, for its list and its selection. */
export function textFilter(view: TextView, { q, filter }: Pick<ListState, 'q' | 'filter'>) {
  return {
    ...textViews[view].filter,
    ...(filter === '' ? {} : { label: filter }),
    ...(q === '' ? {} : { q }),
  };
}
