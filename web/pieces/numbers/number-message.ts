import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { ApiError, shownMessage } from '../../api.ts';

/** The server's own sentence about a number that can't be had, unless it doesn't know the reason. */
export function numberMessage(error: unknown): string {
  const isKnown = error instanceof ApiError && error.body.ErrorType !== 'Unknown';
  return (isKnown && error.body.Message) || shownMessage(error, errorCatalog.unregisteredLocalNumber);
}
