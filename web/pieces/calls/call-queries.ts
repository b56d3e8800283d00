import { listCallerIds, listTransferNumbers } from '../../../contract/addresses/calling.gen.ts';
import type { CallerID, TransferNumber } from '../../../contract/calling.ts';
import { useCallQuery } from '../../queries/calls.ts';

const noCallers: readonly CallerID[] = [];
const noTransfers: readonly TransferNumber[] = [];

/** The numbers that calls can come from. */
export function useCallerIds() {
  const { data, error, refetch, isPending } = useCallQuery(listCallerIds, {}, { staleTime: 60_000 });
  const all = data?.Items ?? noCallers;
  const verified = all.filter(({ Status }) => Status === 'Verified');
  const usual = verified.find(({ IsDefault }) => IsDefault) ?? verified[0];
  return { all, verified, usual, isPending, error, reload: () => void refetch() };
}

/** The numbers that people who press 0 can be connected to. */
export function useTransferNumbers() {
  const { data, error, refetch, isPending } = useCallQuery(listTransferNumbers, {}, { staleTime: 60_000 });
  return { all: data?.Items ?? noTransfers, isPending, error, reload: () => void refetch() };
}
