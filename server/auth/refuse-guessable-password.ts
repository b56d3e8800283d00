import { readFileSync } from 'node:fs';
import { refuseField } from '../../contract/errors.ts';
import { guessablePinCode } from '../../contract/forms/user-dialog.ts';

/** Only the passwords that the form lets through are in the file; its head has the license. */
const [, list = ''] = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split(/\n\n/, 2);
const common = new Set(list.split('\n'));

/** Applies wherever somebody chooses a password: a common one is guessed in the first hundred tries. */
export function refuseGuessablePassword(field: string, password: string): void {
  if (common.has(password.toLowerCase()))
    throw refuseField(field, 'Many people use this password, so it is easy to guess. Choose another one.');
}

/** The same goes for one that others know because it is the person's own email, phone or username. */
export function refuseOwnDetails(
  field: string,
  password: string,
  user: { email: string; phone: string; user_name: string },
): void {
  const { email: Email, phone: Phone, user_name: UserName } = user;
  const problem = guessablePinCode(password, { Email, Phone, UserName }, 'Password');
  if (problem !== undefined) throw refuseField(field, problem);
}
