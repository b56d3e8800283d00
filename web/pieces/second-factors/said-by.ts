import { ApiError, fieldMessages } from '../../api.ts';

/** The server's own sentence, where it has one for people; these calls explain themselves whatever their method. */
export function saidBy(error: unknown, generic: string): string {
  if (!(error instanceof ApiError)) return generic;
  const [atField] = Object.values(fieldMessages(error));
  const { ErrorType, Message } = error.body;
  return atField ?? (ErrorType === 'Display' && Message ? Message : generic);
}
