import type { TextNumber } from '../../contract/numbers.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';

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
