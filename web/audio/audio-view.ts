import type { AudioFilter, AudioType } from '../../contract/audio.ts';
import { audioSorts, audioTypes } from '../../contract/audio.ts';
import type { ListState } from '../queries/list-search.ts';
import { say } from '../ui/say.ts';

/** Views by their path endings, which the spec gives. */
export const audioViews = {
  all: { label: say('All', 'recordings'), filter: {} },
  starred: { label: 'Starred', filter: { isfavorite: true } },
  shared: { label: 'Shared', filter: { isshared: true } },
  'never-used': { label: 'Unused', filter: { unused: true } },
} as const satisfies Record<string, { label: string; filter: Partial<AudioFilter> }>;
export type AudioView = keyof typeof audioViews;
export const viewNames = Object.keys(audioViews) as AudioView[];

/** Undefined for an unknown address. */
export function readView(text: string | undefined): AudioView | undefined {
  if (text === undefined) return 'all';
  return viewNames.find((name) => name === text);
}

export function readType(filter: string): AudioType | undefined {
  return audioTypes.find((type) => type === filter);
}

export type AudioSort = (typeof audioSorts)[number];

export function readSort(sort: string): AudioSort {
  return audioSorts.find((one) => one === sort) ?? 'name';
}

/** The query of a view, for its list and its selection. */
export function filterOf(view: AudioView, { q, filter }: Pick<ListState, 'q' | 'filter'>) {
  const type = readType(filter);
  return { ...audioViews[view].filter, ...(q === '' ? {} : { q }), ...(type ? { type } : {}) };
}
