import type { QueryClient } from '@tanstack/react-query';
import { getFile, listFiles } from '../../contract/addresses/imports.gen.ts';
import type { FileUpload } from '../../contract/imports.ts';
import type { Noun } from '../api.ts';
import { callKey, useCallQuery } from '../queries/calls.ts';
import { useConnection } from '../realtime.ts';

export const files: Noun = { one: 'file', many: 'files' };

/** While the socket reports changes, polling only covers a lost event. */
const LIVE_POLL_MS = 5_000;
const POLL_MS = 1_000;

/** A file, kept fresh while it is read or imported: by the socket, or by polling every second without one. */
export function useFile(fileId: number) {
  const isLive = useConnection() === 'live';
  const input = { params: { FileID: fileId } };
  const known = useCallQuery(getFile, input, { staleTime: 0 });
  const isUnderWay = known.data?.Status === 'InProgress';
  useCallQuery(getFile, input, {
    enabled: isUnderWay,
    ...(isUnderWay ? { refetchInterval: isLive ? LIVE_POLL_MS : POLL_MS } : {}),
  });
  return known;
}

/** Shows the reply of a call at once; a fetch that began before the call would show old data. */
export async function keepFile(client: QueryClient, file: FileUpload): Promise<void> {
  const queryKey = callKey(getFile, { params: { FileID: file.FileID } });
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, file);
  void client.invalidateQueries({ queryKey: [listFiles.path] });
}
