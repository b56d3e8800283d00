import {
  infiniteQueryOptions,
  queryOptions,
  type UseMutationOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type { CallDefinition, CallInput, Reply } from '../../contract/call.ts';
import { ApiError, type CallOptions, callApi, newIdempotencyKey } from '../api.ts';

type Parts = { params?: Record<string, unknown>; query?: Record<string, unknown> };
type Optional<C extends CallDefinition> =
  object extends CallInput<C> ? [input?: CallInput<C>] : [input: CallInput<C>];

/** Path, params, query: a prefix selects all queries of a path or of one item. */
export function callKey(
  call: CallDefinition,
  input: unknown = {},
): [string, Record<string, unknown>, Record<string, unknown>] {
  const { params = {}, query = {} } = input as Parts;
  return [call.path, params, query];
}

async function replyOf<C extends CallDefinition>(
  call: C,
  input: CallInput<C>,
  options: CallOptions,
): Promise<Reply<C>> {
  // The cast only connects a generic input to the generic argument tuple; callers are type-checked.
  const refuse = { ...options, missing: 'refuse' as const };
  return (callApi as (call: C, input: CallInput<C>, options: CallOptions) => Promise<Reply<C>>)(
    call,
    input,
    refuse,
  );
}

/** For loaders, prefetching and setQueryData: the same query as useCallQuery. */
export function callQuery<C extends CallDefinition>(call: C, ...[input]: Optional<C>) {
  return queryOptions({
    queryKey: callKey(call, input),
    queryFn: ({ signal }) => replyOf(call, (input ?? {}) as CallInput<C>, { signal }),
  });
}

export interface QueryChoice {
  enabled?: boolean;
  staleTime?: number;
  refetchInterval?: number;
  /** Keeps the previous data while another page, filter or search loads. */
  keepPrevious?: boolean;
}

/** A GET call as a query. A 404 is an error here: see isNotFound in api.ts. */
export function useCallQuery<C extends CallDefinition>(
  call: C,
  input: CallInput<C>,
  choice: QueryChoice = {},
) {
  const { keepPrevious, ...rest } = choice;
  return useQuery<Reply<C>, Error>({
    queryKey: callKey(call, input),
    queryFn: ({ signal }) => replyOf(call, input, { signal }),
    ...(keepPrevious ? { placeholderData: (previous: Reply<C> | undefined) => previous as never } : {}),
    ...rest,
  });
}

interface NextPage {
  Items: unknown[];
  Next: string | null;
}

/** A paged list with Next: `data.pages[n].Items`, fetchNextPage, hasNextPage. */
export function callPages<C extends CallDefinition>(call: C, input: CallInput<C>) {
  return infiniteQueryOptions({
    queryKey: [...callKey(call, input), 'pages'] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) => {
      const { query = {}, ...rest } = input as Parts;
      const page = pageParam === undefined ? query : { ...query, next: pageParam };
      return replyOf(call, { ...rest, query: page } as unknown as CallInput<C>, { signal });
    },
    getNextPageParam: (last) => (last as NextPage).Next ?? undefined,
  });
}

export function useCallPages<C extends CallDefinition>(
  call: C,
  input: CallInput<C>,
  choice: { enabled?: boolean } = {},
) {
  return useInfiniteQuery({ ...callPages(call, input), ...choice });
}

/** A mutation's variables: the call's input and, for uploads, the file. */
export type CallVariables<C extends CallDefinition> = CallInput<C> & {
  file?: Blob | null;
  /** Set by screens with a manual retry: the key of the first try. */
  idempotencyKey?: string;
};

/**
 * A call that changes something. Calls with an Idempotency-Key retry after a network failure with the same key, so that
 * a weak connection never sends twice.
 */
export function useCall<C extends CallDefinition>(
  call: C,
  options: Omit<UseMutationOptions<Reply<C>, Error, CallVariables<C>>, 'mutationFn' | 'retry'> = {},
) {
  return useMutation<Reply<C>, Error, CallVariables<C>>({
    ...options,
    mutationFn: (variables) => {
      const { file, idempotencyKey, ...input } = variables;
      return replyOf(call, input as unknown as CallInput<C>, {
        file,
        idempotencyKey: idempotencyKey ?? keyOf(variables),
      });
    },
    retry: (failures, error) => {
      const unreachable = !(error instanceof ApiError) || error.status === 502 || error.status === 503;
      return call.takesIdempotencyKey === true && unreachable && failures < 2;
    },
    retryDelay: (failures) => 500 * 2 ** failures,
  });
}

/** One action is one variables object: retries of a mutation share it, a new press gets a new one. */
const keys = new WeakMap<object, string>();
function keyOf(variables: object): string {
  const known = keys.get(variables);
  if (known) return known;
  const key = newIdempotencyKey();
  keys.set(variables, key);
  return key;
}
