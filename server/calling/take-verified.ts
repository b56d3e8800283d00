import { asAccount, type Database } from '../db.ts';
import { notify } from '../notify.ts';
import type { CallNews } from '../outside/calls.ts';

/** In the URL to which the provider reports how a verification ended. */
export interface CallerIdKey {
  accountId: number;
  verifyKey: string;
}

export const writeCallerIdKey = ({ accountId, verifyKey }: CallerIdKey) => `v${accountId}-${verifyKey}`;

function readCallerIdKey(text: string): CallerIdKey | undefined {
  const [, account = '', verifyKey = ''] =
    /^v(\d{1,15})-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(text) ?? [];
  return account === '' ? undefined : { accountId: Number(account), verifyKey };
}

/** The code was typed: verified for the organization that began it, and for no other. */
export async function takeVerified(
  database: Database,
  { key: text, phone, isVerified }: Extract<CallNews, { kind: 'callerId' }>,
): Promise<void> {
  const key = readCallerIdKey(text);
  if (key === undefined || !isVerified) return;
  await asAccount(database, key.accountId, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('caller_ids')
      .set({ status: 'Verified', code: '', verify_key: null, verified_at: new Date() })
      .where('account_id', '=', key.accountId)
      .where('verify_key', '=', key.verifyKey)
      .where('phone', '=', phone)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await notify(trx, key.accountId, [{ type: 'settings.changed' }]);
  });
}
