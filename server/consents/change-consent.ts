import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type {
  changeConsent as changeDefinition,
  undoConsent as undoDefinition,
} from '../../contract/consents.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { confirmConsent } from '../../contract/uploads/file-name.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { changeUndoably, takeUndo } from '../undo.ts';
import { consentEventsOf, requireSeenNumber } from './queries.ts';
import { type ConsentChange, lockPhones, recordConsents } from './record-consents.ts';

const kind = 'consents';
export type Declared = { eventId: number; phone: string; channel: 'text' | 'voice' | 'both' };

export async function changeConsent(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof changeDefinition>,
) {
  const phone = await requireSeenNumber(trx, actor, params.Number);
  if (body.State === 'in' && !body.UserIndicatedConsentDeclared) {
    throw refuseField('UserIndicatedConsentDeclared', confirmConsent);
  }
  const declared = await declareConsent(trx, actor, {
    phone,
    channel: body.Channel,
    state: body.State,
    wording: body.Wording,
  });
  const { undoId } = await changeUndoably(trx, actor, {
    kind,
    before: declared,
    update: sql`select ${declared.eventId}::bigint as row_id`,
  });
  await notify(trx, actor.accountId, await consentEventsOf(trx, actor, phone));
  return { UndoID: undoId };
}

/**
 * Writes what a user here declares about a phone into the ledger. The caller has made sure that an opt-in was
 * confirmed.
 */
export async function declareConsent(
  trx: Trx,
  actor: Actor,
  said: { phone: string; channel: Declared['channel']; state: 'in' | 'out'; wording?: string | undefined },
): Promise<Declared> {
  const { phone, channel, state } = said;
  const [eventId = 0] = await recordConsents(trx, [
    {
      ...(await declaration(trx, actor, phone)),
      channel,
      state,
      // Without words of their own, the sentence that they confirmed.
      wording: said.wording || (state === 'in' ? confirmConsent : ''),
    },
  ]);
  return { eventId, phone, channel };
}

/**
 * A user's declaration takes effect now, even if a carrier's clock is ahead of ours and the last event came
 * from there.
 */
async function declaration(
  trx: Trx,
  actor: Actor,
  phone: string,
): Promise<Omit<ConsentChange, 'state' | 'channel'>> {
  const { accountId, userId, address } = actor;
  await lockPhones(trx, [{ accountId, phone }]);
  const { at } = await trx
    .selectFrom('phone_consents')
    .select(sql<Date>`greatest(${now()}::timestamptz, text_changed_at, voice_changed_at)`.as('at'))
    .where('account_id', '=', accountId)
    .where('phone', '=', phone)
    .executeTakeFirstOrThrow();
  return { accountId, userId, address, phone, at, source: 'user' };
}

/** Undoes your own declaration. What others said about the phone, before or since, applies again or still. */
export async function undoConsent(trx: Trx, actor: Actor, { params }: Input<typeof undoDefinition>) {
  const declared = await takeUndo<Declared>(trx, actor, kind, params.UndoID);
  if (declared === undefined) return { UndoExecuted: false, UndoID: null };
  await takeBackConsent(trx, actor, declared);
  await notify(trx, actor.accountId, await consentEventsOf(trx, actor, declared.phone));
  return { UndoExecuted: true, UndoID: null };
}

export async function takeBackConsent(trx: Trx, actor: Actor, declared: Declared): Promise<void> {
  const change = await declaration(trx, actor, declared.phone);
  await refuseUnlessLast(trx, actor, declared);
  await recordConsents(trx, [{ ...change, channel: declared.channel, state: 'none' }]);
}

/**
 * The ledger's `none` undoes the last active declaration of a user: an earlier declaration can be undone only
 * after the later one.
 */
async function refuseUnlessLast(
  trx: Trx,
  actor: Actor,
  { eventId, phone, channel }: Declared,
): Promise<void> {
  const { rows } = await sql<{ later: number }>`
    select coalesce(sum(case state when 'none' then -1 else 1 end), 0) as later from consent_events
    where account_id = ${actor.accountId} and phone = ${phone} and channel = ${channel} and source = 'user'
      and file_id is null and user_id = ${actor.userId} and consent_event_id > ${eventId}`.execute(trx);
  if (rows[0]?.later !== 0) throw new Refusal('notFound', 'You changed this again since: undo that first.');
}
