import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import { requireLiveNumber } from './require-live-number.ts';

/** A Messaging Service at Twilio that has an RCS sender. */
const agentPattern = /^MG[0-9a-fA-F]{32}$/;
const twilio = 2;

/**
 * Shows the agent through which a number sends RCS, or sets it. `refuse` gives the operator a message
 * instead.
 */
export async function changeRcsAgent(
  trx: Trx,
  [phone = '', agent]: readonly string[],
  refuse: (sentence: string) => Error,
): Promise<string[]> {
  const number = await requireLiveNumber(trx, phone, refuse);
  const describe = (set: string | null) =>
    `${number.name || phone}: ${set === null ? 'no RCS' : `RCS through ${set}`}.`;
  if (agent === undefined) return [describe(number.rcs_agent)];
  const wanted = agent === '-' ? null : agent;
  if (wanted !== null) {
    if (!agentPattern.test(wanted))
      throw refuse('An agent is a Messaging Service at Twilio: MG and 32 digits.');
    if (number.aggregator_id !== twilio) throw refuse('RCS goes through Twilio: its number must be there.');
    // Answers name only the agent, so it must be clear which number they are for.
    const other = await trx
      .selectFrom('text_numbers')
      .select('phone')
      .where('released_at', 'is', null)
      .where('rcs_agent', '=', wanted)
      .where('phone', '<>', number.phone)
      .executeTakeFirst();
    if (other !== undefined) throw refuse(`+${other.phone} has this agent already.`);
  }
  await trx
    .updateTable('text_numbers')
    .set({ rcs_agent: wanted })
    .where('account_id', '=', number.account_id)
    .where('text_number_id', '=', number.text_number_id)
    .execute();
  await recordEvents(trx, { accountId: number.account_id, isOperator: true }, [
    {
      kind: 'textNumber.updated',
      ids: [number.text_number_id],
      changes: { RcsAgent: [number.rcs_agent, wanted] },
    },
  ]);
  await notify(trx, number.account_id, [{ type: 'textnumbers.changed' }]);
  return [describe(wanted)];
}
