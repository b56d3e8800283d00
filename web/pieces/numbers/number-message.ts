import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { ApiError, shownMessage } from '../../api.ts';

/** Why there is no number: the server's own sentence, as for an area code without any, unless it doesn't know. */
export function numberMessage(error: unknown): string {
  const isKnown = error instanceof ApiError && error.body.ErrorType !== 'Unknown';
  return (isKnown && error.body.Message) || shownMessage(error, errorCatalog.unregisteredLocalNumber);
}
