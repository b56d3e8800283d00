import { callingRefusals } from '../../../contract/calling.ts';
import { emergencyRefusals } from '../../../contract/emergencies.ts';
import { normalizePhone } from '../../../contract/phone/normalize-phone.ts';
import { usableTextNumbers } from '../../access/queries.ts';
import { may } from '../../access/refuse-unless.ts';
import { now } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { ofFreeTrial } from '../../numbers/queries.ts';
import { findTextingProblem } from '../../numbers/rules.ts';
import type { Actor } from '../../serve.ts';
import { findProvider } from '../preflight/reckon-calls.ts';
import { findUsualNumber } from '../recipients/begin-with-people.ts';

/**
 * The channels that an emergency can use, and why a channel can't be used; the message is empty where it can.
 */
export interface Channels {
  textNumberId: number | null;
  textProblem: string;
  /** Digits; undefined where calls are impossible. */
  callerId: string | undefined;
  callProblem: string;
}

export async function findChannels(trx: Trx, actor: Actor): Promise<Channels> {
  return { ...(await findText(trx, actor)), ...(await findCaller(trx, actor)) };
}

async function findText(trx: Trx, actor: Actor): Promise<Pick<Channels, 'textNumberId' | 'textProblem'>> {
  const textNumberId = await findUsualNumber(trx, actor);
  if (textNumberId !== null) return { textNumberId, textProblem: '' };
  const numbers = await usableTextNumbers(trx, actor)
    .select([
      'phone',
      'registration_status',
      'is_blocked',
      'can_text',
      'flat_rate_status',
      'flat_rate_end_at',
    ])
    .select(ofFreeTrial)
    .where('can_create_broadcast', '=', true)
    .orderBy('is_default', 'desc')
    .execute();
  const problem = numbers.map((number) => findTextingProblem(number, now())?.message).find(Boolean);
  return { textNumberId: null, textProblem: problem ?? emergencyRefusals.noTextNumber };
}

/** From the user's own caller ID if calls can be placed from it, otherwise from one of the text numbers. */
async function findCaller(trx: Trx, actor: Actor): Promise<Pick<Channels, 'callerId' | 'callProblem'>> {
  if (!may(actor, 'createVoiceBroadcast'))
    return { callerId: undefined, callProblem: emergencyRefusals.noVoice };
  const { caller_id } = await trx
    .selectFrom('users')
    .select('caller_id')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  const numbers = await usableTextNumbers(trx, actor)
    .select('phone')
    .orderBy('is_default', 'desc')
    .orderBy('phone')
    .execute();
  const candidates = [
    normalizePhone(caller_id, actor.account.CountryID),
    ...numbers.map(({ phone }) => phone),
  ];
  let callProblem: string = emergencyRefusals.noCallerId;
  for (const phone of candidates) {
    const provider = phone === undefined ? undefined : await findProvider(trx, actor, phone);
    if (provider === undefined) continue;
    if (provider.lines > 0) return { callerId: phone, callProblem: '' };
    callProblem = callingRefusals.noProvider;
  }
  return { callerId: undefined, callProblem };
}
