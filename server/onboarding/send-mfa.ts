import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { sendMfa as sendDefinition, verifyMfa as verifyDefinition } from '../../contract/onboarding.ts';
import { wirePhone } from '../../contract/phone/normalize-phone.ts';
import { isTollFree } from '../../contract/phone/toll-free.ts';
import { validatePhone } from '../../contract/phone/validate-phone.ts';
import { addVerifiedPhone, fillInUser } from '../accounts/fill-in.ts';
import { getInstallationAccount } from '../accounts/installation-account.ts';
import { type Allowance, countAttempt } from '../auth/limit-attempts.ts';
import { getSecret } from '../auth/queries.ts';
import { networkOf } from '../auth/rules.ts';
import type { Config } from '../config.ts';
import { validatePhoneNumber } from '../consents/look-up-phones.ts';
import { asAccount, asSystem, type Trx } from '../db.ts';
import { inLanguage } from '../in-language.ts';
import { notify } from '../notify.ts';
import { type CodeNumber, keepCodeNumber } from '../numbers/keep-code-number.ts';
import { carrierNames } from '../outside/carrier.ts';
import type { PhoneLookup } from '../outside/phone-lookup.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { createTexts, weighText } from '../texts/create-texts.ts';

/**
 * Ten codes a day are more than anybody needs; the eleventh is refused. A phone is counted across all users.
 */
const perUser: Allowance = { most: 10, hours: 24 };
const perPhone: Allowance = { most: 10, hours: 24 };
const perNetwork: Allowance = { most: 100, hours: 24 };

const codeMinutes = 10;
/** Five guesses are negligible among a million codes. */
const mostTries = 5;

/** Texts a code from the installation's own number, by the same loop as every text. */
export async function sendMfa(
  app: App,
  actor: Actor,
  { body }: Input<typeof sendDefinition>,
  provider: PhoneLookup | undefined,
) {
  const { config, database } = app;
  if (config.CODE_NUMBER === undefined)
    throw new Refusal('refused', 'Codes can’t be texted here. Please contact us.');
  const countryId = actor.account.CountryID;
  const { phone } = validatePhone(body.PhoneNumber, countryId);
  if (phone === undefined) throw new Refusal('mfaInvalid');
  await asSystem(database, (trx) => refuseUnverifiedEmail(trx, actor));
  await refuseUnreachable(app, actor, phone, provider);
  await refuseTooMany(app, actor, phone);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const hash = codeHash(await getSecret(database), { ...actor, phone, code });
  await asSystem(database, async (trx) => {
    const number = await getCodeNumber(trx, config);
    const stopped = await findStop(trx, actor, number.accountId, phone);
    if (stopped !== undefined) throw new Refusal(stopped);
    await trx
      .insertInto('phone_codes')
      .values({
        account_id: actor.accountId,
        user_id: actor.userId,
        phone,
        code_hash: hash,
        expires_at: sql`now() + ${codeMinutes} * interval '1 minute'`,
      })
      .execute();
    const { language_id } = await trx
      .selectFrom('users')
      .select('language_id')
      .where('account_id', '=', actor.accountId)
      .where('user_id', '=', actor.userId)
      .executeTakeFirstOrThrow();
    const message = inLanguage(language_id)(
      `${code} is your Muster code. It expires in ${codeMinutes} minutes. Don't share it with anyone.`,
    );
    const weighed = weighText(
      { message, hasMedia: false },
      { international: false, takesCredits: false, flatRateStatus: null },
    );
    await createTexts(trx, [{ ...number, ...weighed, phone, origin: 'notification' as const, userId: null }]);
    await recordEvents(trx, actor, [{ kind: 'phone.codeSent', id: actor.userId }]);
  });
  return { PhoneNumber: wirePhone(phone, countryId) };
}

/** A person who signs up with a made-up address must not text strangers. */
async function refuseUnverifiedEmail(trx: Trx, actor: Actor): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select('needs_email_verification')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  if (user.needs_email_verification)
    throw new Refusal('refused', 'Verify your email first: open the link that we sent you.');
}

async function refuseUnreachable(
  app: App,
  actor: Actor,
  phone: string,
  provider: PhoneLookup | undefined,
): Promise<void> {
  const { database } = app;
  // Toll-free lines and our own text numbers are not personal telephones.
  const own = await database.system
    .selectFrom('text_numbers')
    .select('text_number_id')
    .where('phone', '=', phone)
    .where('released_at', 'is', null)
    .executeTakeFirst();
  if (isTollFree(phone) || own !== undefined) throw new Refusal('mfaNotSupported');
  const asking = {
    actor,
    inTransaction: <T>(work: (trx: Trx) => Promise<T>) => asAccount(database, actor.accountId, work),
    provider,
  };
  const input = {
    params: undefined,
    query: { includeTextability: 'true' as const },
    body: { Source: `+${phone}`, CountryID: actor.account.CountryID },
  };
  const { IsTextablePhone } = await validatePhoneNumber(asking, input);
  if (IsTextablePhone === false) throw new Refusal('mfaNotTextable');
}

async function refuseTooMany({ database }: App, actor: Actor, phone: string): Promise<void> {
  const counts = [
    await countAttempt(database, 'code user', String(actor.userId), perUser),
    await countAttempt(database, 'code phone', phone, perPhone),
    await countAttempt(database, 'code network', networkOf(actor.address), perNetwork),
  ];
  if (counts.some((seconds) => seconds !== undefined)) throw new Refusal('mfaTooMany');
}

/** The installation's number as a row, created when it is first needed. */
export async function getCodeNumber(
  trx: Trx,
  { CODE_NUMBER, CODE_CARRIER }: Pick<Config, 'CODE_NUMBER' | 'CODE_CARRIER'>,
): Promise<CodeNumber> {
  return keepCodeNumber(trx, await getInstallationAccount(trx), {
    phone: CODE_NUMBER ?? '',
    aggregatorId: carrierNames[CODE_CARRIER],
  });
}

/**
 * People who texted STOP to this number or to the organization aren't texted; nor those whom carriers say
 * never to text.
 */
export async function findStop(
  trx: Trx,
  { accountId }: Pick<Actor, 'accountId'>,
  codeAccountId: number,
  phone: string,
): Promise<'mfaDoNotCall' | 'mfaBlocked' | undefined> {
  const { rows } = await sql<{ isOut: boolean; isBlocked: boolean }>`
    select
      exists (select from phone_consents c where c.account_id in (${codeAccountId}, ${accountId})
        and c.phone = ${phone} and c.text_state = 'out') as "isOut",
      exists (select from messages m where m.account_id = ${codeAccountId} and m.phone = ${phone}
        and m.status = 'blacklisted' and m.created_at > now() - interval '30 days') as "isBlocked"`.execute(
    trx,
  );
  if (rows[0]?.isOut) return 'mfaDoNotCall';
  return rows[0]?.isBlocked ? 'mfaBlocked' : undefined;
}

interface Code {
  accountId: number;
  userId: number;
  phone: string;
  code: string;
}

function codeHash(secret: Buffer, { accountId, userId, phone, code }: Code): Buffer {
  return createHmac('sha256', secret).update(`code:${accountId}:${userId}:${phone}:${code}`).digest();
}

/**
 * The last code that was texted; earlier ones no longer count. A try is counted in its own statement, so that
 * a hundred concurrent guesses count as a hundred.
 */
export async function verifyMfa(app: App, actor: Actor, { params }: Input<typeof verifyDefinition>) {
  const { database } = app;
  const { accountId, userId } = actor;
  const tried = await asAccount(database, accountId, async (trx) => {
    const { rows } = await sql<{ code_id: number; phone: string; code_hash: Buffer }>`
      update phone_codes set tries = tries + 1
      where account_id = ${accountId} and code_id = (
          select code_id from phone_codes where account_id = ${accountId} and user_id = ${userId}
          order by code_id desc limit 1)
        and used_at is null and expires_at > now() and tries < ${mostTries}
      returning code_id, phone, code_hash`.execute(trx);
    return rows[0];
  });
  if (tried === undefined) throw new Refusal('mfaWrongCode');
  const { phone } = tried;
  const expected = codeHash(await getSecret(database), { accountId, userId, phone, code: params.Code });
  if (!timingSafeEqual(expected, tried.code_hash)) throw new Refusal('mfaWrongCode');
  await asAccount(database, accountId, async (trx) => {
    const used = await trx
      .updateTable('phone_codes')
      .set({ used_at: sql`now()` })
      .where('account_id', '=', accountId)
      .where('code_id', '=', tried.code_id)
      .where('used_at', 'is', null)
      .returning('code_id')
      .executeTakeFirst();
    if (used === undefined) throw new Refusal('mfaWrongCode');
    await addVerifiedPhone(trx, accountId, phone);
    const user = await trx
      .selectFrom('users')
      .select('phone')
      .where('account_id', '=', accountId)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (user.phone === '') await fillInUser(trx, actor, { phone });
    await recordEvents(trx, actor, [{ kind: 'phone.verified', id: userId }]);
    await notify(trx, accountId, [{ type: 'settings.changed' }]);
  });
  return { PhoneNumber: wirePhone(phone, actor.account.CountryID) };
}

/** True if codes can be texted at all. */
export function canTextCodes({ CODE_NUMBER }: Pick<Config, 'CODE_NUMBER'>): boolean {
  return CODE_NUMBER !== undefined;
}
