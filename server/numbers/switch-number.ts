import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import { requireLiveNumber } from './require-live-number.ts';

/** The operator's words, with the column, the field of the API, and what each state means. */
const switches = {
  blocked: {
    column: 'is_blocked',
    change: (is_blocked: boolean) => ({ is_blocked }),
    field: 'IsBlocked',
    on: 'blocked: nothing goes out from it',
    off: 'not blocked',
  },
  broadcasts: {
    column: 'can_create_broadcast',
    change: (can_create_broadcast: boolean) => ({ can_create_broadcast }),
    field: 'CanCreateBroadcast',
    on: 'may send broadcasts',
    off: 'may not send broadcasts',
  },
  texts: {
    column: 'can_text',
    change: (can_text: boolean) => ({ can_text }),
    field: 'CanText',
    on: 'may text',
    off: 'may not text',
  },
} as const;

/** Shows what a text number may do, or switches one of it. `refuse` gives the operator a message instead. */
export async function switchNumber(
  trx: Trx,
  [phone = '', what, word]: readonly string[],
  refuse: (sentence: string) => Error,
): Promise<string[]> {
  const number = await requireLiveNumber(trx, phone, refuse);
  const describe = (which: keyof typeof switches, isOn: boolean) =>
    `${number.name || phone}: ${switches[which][isOn ? 'on' : 'off']}.`;
  if (what === undefined)
    return (['blocked', 'broadcasts', 'texts'] as const).map((which) =>
      describe(which, number[switches[which].column]),
    );
  if (!Object.hasOwn(switches, what)) throw refuse(`Say ${Object.keys(switches).join(', ')}, not "${what}".`);
  const which = what as keyof typeof switches;
  if (word !== 'on' && word !== 'off') throw refuse(`Say on or off, not "${word ?? ''}".`);
  const isOn = word === 'on';
  const { column, change, field } = switches[which];
  if (number[column] === isOn) return [describe(which, isOn)];
  await trx
    .updateTable('text_numbers')
    .set(change(isOn))
    .where('account_id', '=', number.account_id)
    .where('text_number_id', '=', number.text_number_id)
    .execute();
  await recordEvents(trx, { accountId: number.account_id, isOperator: true }, [
    {
      kind: 'textNumber.updated',
      ids: [number.text_number_id],
      changes: { [field]: [!isOn, isOn] },
    },
  ]);
  await notify(trx, number.account_id, [{ type: 'textnumbers.changed' }]);
  return [describe(which, isOn)];
}
