import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { CallDefinition, CallInput } from '../../contract/call.ts';
import { genericMessage, type Noun } from '../api.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useCallQuery } from './calls.ts';
import { type ListState, readListSearch } from './list-search.ts';

/** Remembered between visits: never the page or the search. */
const remembered = ['pagesize', 'sort', 'filter'] as const;
const storageKey = (name: string) => `muster-list-${name}`;

export function recallList(name: string): Partial<ListState> {
  try {
    const {
      page: _page,
      q: _q,
      ...kept
    } = readListSearch(JSON.parse(localStorage.getItem(storageKey(name)) ?? '{}'));
    return kept;
  } catch {
    return {};
  }
}

function rememberList(name: string, state: ListState): void {
  try {
    localStorage.setItem(
      storageKey(name),
      JSON.stringify(Object.fromEntries(remembered.map((key) => [key, state[key]]))),
    );
  } catch {
    // Without storage, the list works but forgets.
  }
}

/** Values that differ from the defaults, for the address. */
export function listSearch(state: ListState, defaults: ListState): Partial<ListState> {
  const names = Object.keys(defaults) as (keyof ListState)[];
  return Object.fromEntries(
    names.filter((name) => state[name] !== defaults[name]).map((name) => [name, state[name]]),
  );
}

export interface ListStateOptions {
  defaults?: Partial<ListState>;
  /** The key under which this browser remembers page size, sort and filter. */
  remember?: string;
}

/** The state of a server-side list in the address. Any change except of the page returns to page one. */
export function useListState({ defaults: given = {}, remember }: ListStateOptions = {}) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  // Screens define their defaults inline, so a new object with the same values must not count as a change.
  const asText = JSON.stringify({ page: 1, pagesize: 10, sort: '', filter: '', q: '', ...given });
  const defaults = useMemo<ListState>(() => JSON.parse(asText), [asText]);
  const recalled = useMemo(() => (remember ? recallList(remember) : {}), [remember]);
  const inAddress = JSON.stringify(readListSearch(search));
  const state = useMemo<ListState>(
    () => ({ ...defaults, ...recalled, ...JSON.parse(inAddress) }),
    [defaults, recalled, inAddress],
  );
  const change = useCallback(
    (by: Partial<ListState>, how: { replace?: boolean } = {}) => {
      const next = { ...state, page: 1, ...by };
      if (remember) rememberList(remember, next);
      const listNames = Object.keys(defaults);
      void navigate({
        to: '.',
        replace: how.replace ?? false,
        search: ((before: Record<string, unknown>) => ({
          ...Object.fromEntries(Object.entries(before).filter(([name]) => !listNames.includes(name))),
          // A remembered value that returns to its default must be in the address, or the old one would come back.
          ...listSearch(next, { ...defaults, ...recalled }),
        })) as never,
      });
    },
    [state, defaults, recalled, remember, navigate],
  );
  return { state, change };
}

/**
 * A server-side list. The address defines it, the previous page stays while the next one loads, and a list that fails
 * returns to its last state with an error message.
 */
export function useList<C extends CallDefinition>(
  call: C,
  options: ListStateOptions & { noun: Noun; toInput: (state: ListState) => CallInput<C> },
) {
  const { state, change } = useListState(options);
  const query = useCallQuery(call, options.toInput(state), { keepPrevious: true });
  const good = useRef<ListState>(undefined);
  const message = genericMessage('getting', options.noun);
  useEffect(() => {
    if (query.isSuccess && !query.isPlaceholderData) good.current = state;
  }, [query.isSuccess, query.isPlaceholderData, state]);
  useEffect(() => {
    const before = good.current;
    // If nothing was shown yet, the page itself shows the error.
    if (!query.isError || !before) return;
    showSnackbar(message);
    if (JSON.stringify(before) !== JSON.stringify(state)) change(before, { replace: true });
  }, [query.isError, message, state, change]);
  return { ...query, state, change };
}
