import { ApiError, fieldMessages, shownMessage } from '../../api.ts';

/** The server's own sentence about a field or a state, otherwise the generic one. */
export function refusalMessage(error: unknown, generic: string): string {
  const [first] = Object.values(fieldMessages(error));
  if (first) return first;
  const isRefused = error instanceof ApiError && (error.status === 409 || error.status === 422);
  return (isRefused && error.body.Message) || shownMessage(error, generic);
}
