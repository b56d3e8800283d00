import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { CallDefinition, CallInput } from '../../contract/call.ts';
import { genericMessage, type Noun } from '../api.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useCallQuery } from './calls.ts';
import { type ListState, readListSearch } from './list-search.ts';

/** What may be remembered from one visit to the next: never the page or the search. */
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
    // Storage is full or refused: the list works, it just forgets.
  }
}

/** What differs from the defaults, for the address. */
export function listSearch(state: ListState, defaults: ListState): Partial<ListState> {
  const names = Object.keys(defaults) as (keyof ListState)[];
  return Object.fromEntries(
    names.filter((name) => state[name] !== defaults[name]).map((name) => [name, state[name]]),
  );
}

export interface ListStateOptions {
  defaults?: Partial<ListState>;
  /** A name under which page size, sort and filter are remembered in this browser. */
  remember?: string;
}

/** The state of a server-side list in the address, and how to change it. A change of anything but the page starts at page one. */
export function useListState({ defaults: given = {}, remember }: ListStateOptions = {}) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  // Screens write their defaults inline: the same values in a new object are the same defaults.
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
          // What is remembered must be said when it goes back to the default, or it would come back.
          ...listSearch(next, { ...defaults, ...recalled }),
        })) as never,
      });
    },
    [state, defaults, recalled, remember, navigate],
  );
  return { state, change };
}

/**
 * A server-side list: the address says what is shown, the previous page stays while the next one loads,
 * and a list that fails goes back to what it last showed and says so.
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
    // Where nothing was shown yet the page says it, in the place of what is missing.
    if (!query.isError || !before) return;
    showSnackbar(message);
    if (JSON.stringify(before) !== JSON.stringify(state)) change(before, { replace: true });
  }, [query.isError, message, state, change]);
  return { ...query, state, change };
}
