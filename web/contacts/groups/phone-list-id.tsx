import { asynchronousMessages } from '../../../contract/fields/asynchronous-checks.ts';
import { phoneListIdField } from '../../../contract/forms/phone-launch.ts';
import type { List } from '../../../contract/lists.ts';
import { useCan } from '../../queries/current-user.ts';
import { TextField } from '../../ui/field.tsx';

/** Reason why a list ID can't be used, before the server says so. */
export function phoneListIdProblem(
  typed: string,
  lists: readonly List[],
  ownId: number | undefined,
): string | undefined {
  const parsed = phoneListIdField.safeParse(typed);
  if (!parsed.success) return parsed.error.issues[0]?.message;
  const isTaken = lists.some(
    ({ ListID, PhoneListID }) => ListID !== ownId && PhoneListID !== '' && PhoneListID === parsed.data,
  );
  return isTaken ? asynchronousMessages.listIdTaken : undefined;
}

interface PhoneListIdProps {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** The digits that stand for a group on the phone. Only for users who can start broadcasts that call. */
export function PhoneListId({ value, error, onChange }: PhoneListIdProps) {
  if (!useCan('createVoiceBroadcast')) return null;
  return (
    <TextField
      label="List ID for phone launch"
      help="Optional. Type these digits to call this group when you start a broadcast by phone."
      inputMode="numeric"
      autoComplete="off"
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
