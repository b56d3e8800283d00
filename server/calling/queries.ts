import { callingRefusals } from '../../contract/calling.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { asynchronousMessages } from '../../contract/fields/asynchronous-checks.ts';
import { normalizePhone } from '../../contract/phone/normalize-phone.ts';
import { validatePhone } from '../../contract/phone/validate-phone.ts';
import { listVerifiedPhones } from '../accounts/fill-in.ts';
import { chooseProvider } from '../calls/choose-provider.ts';
import { getPlace } from '../consents/queries.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';

/**
 * A number from which this actor may call, and its provider: the requested one, their own setting, or any of
 * the account.
 */
export async function requireCaller(
  trx: Trx,
  actor: Actor,
  wanted?: string | null,
  { mustRecord = false }: { mustRecord?: boolean } = {},
): Promise<{ callerId: string; provider: number }> {
  const { countryId, chosen, own } = await readOwnCallers(trx, actor);
  const asked = [normalizePhone(wanted ?? '', countryId), chosen];
  const verified = await trx
    .selectFrom('caller_ids')
    .select('phone')
    .where('account_id', '=', actor.accountId)
    .where('status', '=', 'Verified')
    .execute();
  const callers = [...own, ...verified.map(({ phone }) => ({ phone, aggregator_id: 2 }))];
  const caller =
    asked.map((phone) => callers.find((one) => one.phone === phone)).find((found) => found !== undefined) ??
    callers[0];
  if (caller === undefined) throw new Refusal('refused', callingRefusals.notYours);
  const provider = await chooseProvider(trx, caller.aggregator_id, { mustRecord });
  if (provider === undefined) throw new Refusal('refused', callingRefusals.noProvider);
  return { callerId: caller.phone, provider: provider.provider };
}

/** The account's text numbers, which may always be shown as the caller, and the caller ID of the user's profile. */
export async function readOwnCallers(trx: Trx, actor: Actor) {
  const { countryId } = await getPlace(trx, actor);
  const user = await trx
    .selectFrom('users')
    .select('caller_id')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  const own = await trx
    .selectFrom('text_numbers')
    .select(['phone', 'name', 'aggregator_id'])
    .where('account_id', '=', actor.accountId)
    .where('released_at', 'is', null)
    .orderBy('is_default', 'desc')
    .orderBy('text_number_id')
    .execute();
  // Stored with its country code: read as typed, one of the United States would be another number abroad.
  return { countryId, chosen: user.caller_id === '' ? undefined : user.caller_id, own };
}

/**
 * The given phone, or the one of the user's profile; during a free trial a verified one. Whoever asked not to be called
 * gets no test or code either.
 */
export async function requirePhone(trx: Trx, actor: Actor, given: string): Promise<string> {
  const phone = await readGiven(trx, actor, given);
  const consent = await trx
    .selectFrom('phone_consents')
    .select('voice_state')
    .where('account_id', '=', actor.accountId)
    .where('phone', '=', phone)
    .executeTakeFirst();
  if (consent?.voice_state === 'out') throw refuseField('PhoneNumber', asynchronousMessages.optedOutOfCalls);
  if (actor.account.IsFreeTrial && !(await listVerifiedPhones(trx, actor.accountId)).includes(phone))
    throw refuseField('PhoneNumber', callingRefusals.notVerified);
  return phone;
}

async function readGiven(trx: Trx, actor: Actor, given: string): Promise<string> {
  const { countryId } = await getPlace(trx, actor);
  if (given !== '') {
    const { phone, error } = validatePhone(given, countryId);
    if (phone === undefined) throw refuseField('PhoneNumber', error);
    return phone;
  }
  const user = await trx
    .selectFrom('users')
    .select(['phone', 'notification_phone'])
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  const phone =
    validatePhone(user.phone, countryId).phone ??
    validatePhone(`+${user.notification_phone}`, countryId).phone;
  if (phone === undefined) throw refuseField('PhoneNumber', callingRefusals.noPhone);
  return phone;
}
