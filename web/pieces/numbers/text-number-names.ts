import type { TextNumber } from '../../../contract/numbers.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';

type Named = Pick<TextNumber, 'Name' | 'TextPhoneNumber'>;

/** "Main office", or the number of one without a name. */
export function textNumberName({ Name, TextPhoneNumber }: Named): string {
  return Name.trim() || formatPhone(TextPhoneNumber);
}

/** "Main office, (423) 555-0100" */
export function textNumberLine({ Name, TextPhoneNumber }: Named): string {
  const phone = formatPhone(TextPhoneNumber);
  return Name.trim() ? `${Name.trim()}, ${phone}` : phone;
}

/** "Main office and Buses", "Main office and 3 more", "No text number". */
export function namesOf(ids: readonly number[], numbers: readonly TextNumber[]): string {
  const names = numbers.filter(({ TextNumberID }) => ids.includes(TextNumberID)).map(textNumberName);
  // Those of colleagues aren't in the list of somebody who may use only some.
  const others = ids.length - names.length;
  if (ids.length === 0) return 'No text number';
  if (names.length === 0) return others === 1 ? 'Another text number' : `${others} other text numbers`;
  if (ids.length === 2 && others === 0) return `${names[0]} and ${names[1]}`;
  return ids.length === 1 ? (names[0] ?? '') : `${names[0]} and ${ids.length - 1} more`;
}
