import { normalizePhone } from '../../contract/phone/normalize-phone.ts';
import type { Trx } from '../db.ts';

/** The text number with this phone, as an operator types it; `refuse` gives the operator a message if there is none. */
export async function requireLiveNumber(trx: Trx, phone: string, refuse: (sentence: string) => Error) {
  const digits = normalizePhone(phone.length === 10 ? phone : `+${phone.replace('+', '')}`);
  const number = await trx
    .selectFrom('text_numbers')
    .selectAll()
    .where('phone', '=', digits ?? '')
    .where('released_at', 'is', null)
    .executeTakeFirst();
  if (number === undefined) throw refuse(`No account has the number "${phone}".`);
  return number;
}
