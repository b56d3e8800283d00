import type { updateAccount as definition } from '../../contract/accounts.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { fieldErrors, onlyFields } from '../../contract/fields/form.ts';
import { accountForm, locationForm, senderForm } from '../../contract/forms/account.ts';
import { accountAutoReplyForm } from '../../contract/forms/auto-reply.ts';
import { quietHoursForm } from '../../contract/forms/quiet-hours.ts';
import { parseClockTime } from '../../contract/time/clock-time.ts';
import { refuseUnless } from '../access/refuse-unless.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import { hasRecorded, recordEvents } from '../record-events.ts';
import type { Actor } from '../serve.ts';
import { getAccount, type Installation } from './queries.ts';
import { changesOf } from './rules.ts';

/**
 * Settings of the organization itself, and how it texts: its auto reply, whether people have to opt in first,
 * at what hours.
 */
export async function updateAccount(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof definition>,
  installation?: Installation,
) {
  const hours = body.QuietHours && quietColumns(body.QuietHours);
  const before = await trx
    .selectFrom('accounts')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const after = {
    is_auto_reply_on: body.IsAutoReplyOn ?? before.is_auto_reply_on,
    auto_reply_message: body.AutoReplyMessage ?? before.auto_reply_message,
    require_text_opt_in: body.RequireTextOptIn ?? before.require_text_opt_in,
  };
  // Only what is being changed: an old message that is now invalid must not keep other settings from being
  // saved.
  if (body.IsAutoReplyOn !== undefined || body.AutoReplyMessage !== undefined) {
    refuseUnless(actor, 'manageAutoReplies');
    const form = accountAutoReplyForm({ isOn: after.is_auto_reply_on });
    const { AutoReplyMessage } = fieldErrors(form, { AutoReplyMessage: after.auto_reply_message });
    if (AutoReplyMessage !== undefined) throw refuseField('AutoReplyMessage', AutoReplyMessage);
  }
  const limit = body.BroadcastLimit;
  const limited =
    limit === undefined
      ? {}
      : { most_broadcasts: limit?.Most ?? null, most_broadcasts_days: limit?.Days ?? null };
  const changed = {
    ...after,
    ...hours,
    ...limited,
    ...profileColumns(body.Profile ?? {}),
    ...(await locationColumns(trx, actor, body, before)),
    ...ownColumns(body, before),
  };
  await trx.updateTable('accounts').set(changed).where('account_id', '=', actor.accountId).execute();
  // Messages that running broadcasts hold because of the old hours are decided again by the new ones.
  if (hours !== undefined || changed.time_zone !== undefined)
    await enqueue(trx, 'reopen_zones', { accountId: actor.accountId });
  const changes = changesOf(before, changed);
  // Changes of the plan in the same call have their own entry.
  if (Object.keys(changes).length > 0 || !hasRecorded(trx))
    await recordEvents(trx, actor, [{ kind: 'account.updated', id: actor.accountId, changes }]);
  await notify(trx, actor.accountId, [{ type: 'settings.changed' }, { type: 'replies.changed' }]);
  return getAccount(trx, actor, installation);
}

const keepsCountry =
  'Your country decides how your text numbers are registered. It can’t change while you have any.';

/** Country and zone; only what differs. */
async function locationColumns(
  trx: Trx,
  actor: Actor,
  body: Input<typeof definition>['body'],
  before: { country_id: number; time_zone: string },
): Promise<{ country_id?: number; state?: string; time_zone?: string }> {
  const { CountryID = before.country_id, TimeZone = before.time_zone } = body;
  const isElsewhere = CountryID !== before.country_id;
  if (!isElsewhere && TimeZone === before.time_zone) return {};
  refuseUnless(actor, 'setLocation');
  for (const [field, message] of Object.entries(fieldErrors(locationForm, { CountryID, TimeZone })))
    throw refuseField(field, message);
  if (isElsewhere) await refuseWithNumbers(trx, actor);
  return {
    // A state is of its country.
    ...(isElsewhere && { country_id: CountryID, state: '' }),
    ...(TimeZone !== before.time_zone && { time_zone: TimeZone }),
  };
}

/** US numbers text only once they are registered, unless the organization is elsewhere: nobody may move to text. */
export async function refuseWithNumbers(trx: Trx, { accountId }: Actor): Promise<void> {
  const number = await trx
    .selectFrom('text_numbers')
    .select('text_number_id')
    .where('account_id', '=', accountId)
    .where('released_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (number !== undefined) throw refuseField('CountryID', keepsCountry);
}

/** Name, state, industry and sender name; only given fields are validated. */
function ownColumns(
  body: Input<typeof definition>['body'],
  before: { country_id: number; company_name: string; state: string; industry_id: number | null },
) {
  const { CompanyName, State, IndustryID, SenderName } = body;
  const given = Object.keys(body);
  const form = accountForm({ countryId: body.CountryID ?? before.country_id });
  const values = {
    CompanyName: CompanyName ?? before.company_name,
    State: State ?? before.state,
    IndustryID: IndustryID === undefined ? before.industry_id : IndustryID,
  };
  const errors = {
    ...onlyFields(fieldErrors(form, values), given),
    ...onlyFields(fieldErrors(senderForm, { SenderName }), given),
  };
  const fields = Object.entries(errors).map(([Field, Message]) => ({ Field, Message }));
  if (fields[0] !== undefined) throw new Refusal('invalid', fields[0].Message, { fields });
  return {
    ...(CompanyName !== undefined && { company_name: CompanyName.trim() }),
    ...(State !== undefined && { state: form.shape.State.parse(State) }),
    ...(IndustryID !== undefined && { industry_id: IndustryID }),
    ...(SenderName !== undefined && { sender_name: SenderName.trim() }),
  };
}

function profileColumns(given: NonNullable<Input<typeof definition>['body']['Profile']>) {
  const columns = {
    prepend_organization_to_text: given.PrependOrganizationToText,
    allow_add_individual_numbers_in_broadcast: given.AllowAddIndividualNumbersInBroadcast,
    allow_copy_paste_in_broadcast: given.AllowCopyPasteInBroadcast,
    explicit_opt_in_required: given.ExplicitOptInRequired,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

function quietColumns(given: NonNullable<Input<typeof definition>['body']['QuietHours']>) {
  for (const [field, message] of Object.entries(fieldErrors(quietHoursForm, given))) {
    throw refuseField(`QuietHours.${field}`, message);
  }
  return {
    quiet_hours_on: given.IsOn,
    quiet_start: clockColumn(given.Start),
    quiet_stop: clockColumn(given.Stop),
  };
}

/** "5:30 PM" as stored in the column: "17:30". */
function clockColumn(text: string): string {
  const { Hour, Minute } = parseClockTime(text) ?? { Hour: 0, Minute: 0 };
  return `${Hour}:${String(Minute).padStart(2, '0')}`;
}
