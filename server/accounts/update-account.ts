import type { updateAccount as definition } from '../../contract/accounts.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { fieldErrors, onlyFields } from '../../contract/fields/form.ts';
import { accountForm, senderForm } from '../../contract/forms/account.ts';
import { accountAutoReplyForm } from '../../contract/forms/auto-reply.ts';
import { quietHoursForm } from '../../contract/forms/quiet-hours.ts';
import { parseClockTime } from '../../contract/time/clock-time.ts';
import { refuseUnless } from '../access/refuse-unless.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
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
    ...ownColumns(body, before),
  };
  await trx.updateTable('accounts').set(changed).where('account_id', '=', actor.accountId).execute();
  // Messages that running broadcasts hold because of the old hours are decided again by the new ones.
  if (hours !== undefined) await enqueue(trx, 'reopen_zones', { accountId: actor.accountId });
  const changes = changesOf(before, changed);
  await recordEvents(trx, actor, [{ kind: 'account.updated', id: actor.accountId, changes }]);
  await notify(trx, actor.accountId, [{ type: 'settings.changed' }, { type: 'replies.changed' }]);
  return getAccount(trx, actor, installation);
}

/** Name, state, industry and sender name; only given fields are validated. */
function ownColumns(
  body: Input<typeof definition>['body'],
  before: { country_id: number; company_name: string; state: string; industry_id: number | null },
) {
  const { CompanyName, State, IndustryID, SenderName } = body;
  const given = Object.keys(body);
  const form = accountForm({ countryId: before.country_id });
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
