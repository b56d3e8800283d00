import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { createDraft as definition } from '../../../contract/drafts.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { requiredMessage } from '../../../contract/fields/basic-rules.ts';
import { firstFailure } from '../../../contract/fields/rule.ts';
import { requiredClockTime } from '../../../contract/fields/time-rules.ts';
import { startWall } from '../../../contract/forms/broadcast.ts';
import { placesCalls } from '../../../contract/money/units.ts';
import { normalizePhone } from '../../../contract/phone/normalize-phone.ts';
import { isUsableTemplate, usableTextNumbers } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';

type Form = Input<typeof definition>['body'];

/**
 * The form with its other names accepted: TextPhoneNumber, startTimeText, YesAutoReply, NoAutoReply and
 * TemplateName. A type with calls turns the calling-window check on, unless the form says otherwise.
 */
export async function readNames(trx: Trx, actor: Actor, form: Form): Promise<Form> {
  const { TextPhoneNumber, startTimeText, YesAutoReply, NoAutoReply, TemplateName } = form;
  return {
    ...(form.BroadcastType === undefined ? {} : { CheckCallingWindow: placesCalls(form.BroadcastType) }),
    ...form,
    ...(TextPhoneNumber ? { TextNumberID: await findNumber(trx, actor, TextPhoneNumber) } : {}),
    ...(startTimeText ? { StartDate: readStart(form.StartDate ?? '', startTimeText) } : {}),
    ...(YesAutoReply === undefined && NoAutoReply === undefined
      ? {}
      : {
          TextSurveyAutoReplies: [
            { Label: 'Yes' as const, Message: YesAutoReply ?? replyOf(form, 'Yes') },
            { Label: 'No' as const, Message: NoAutoReply ?? replyOf(form, 'No') },
          ],
        }),
    ...(TemplateName ? { TemplateID: await findTemplate(trx, actor, TemplateName) } : {}),
  };
}

const replyOf = (form: Form, label: 'Yes' | 'No') =>
  form.TextSurveyAutoReplies?.find(({ Label }) => Label === label)?.Message ?? '';

async function findNumber(trx: Trx, actor: Actor, text: string): Promise<number> {
  const phone = normalizePhone(text);
  const row =
    phone === undefined
      ? undefined
      : await usableTextNumbers(trx, actor)
          .select('text_number_id')
          .where('phone', '=', phone)
          .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That text number is not yours to use.');
  return row.text_number_id;
}

/** "2026-11-15" or a full local time, with another time of day. */
function readStart(startDate: string, startTimeText: string): string {
  const time = firstFailure(startTimeText, requiredClockTime('Start Time'));
  if (time !== undefined) throw refuseField('startTimeText', time);
  const wall = startWall({ StartDate: startDate.slice(0, 10), startTimeText });
  if (wall === undefined) throw refuseField('StartDate', requiredMessage('Start Date'));
  return wall;
}

/** The user's own before a shared one. */
async function findTemplate(trx: Trx, actor: Actor, name: string): Promise<number> {
  const { rows } = await sql<{ template_id: number }>`
    select t.template_id from templates t
    where ${isUsableTemplate(actor)} and lower(t.name) = lower(${name})
    order by t.user_id = ${actor.userId} desc, t.template_id limit 1`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Refusal('notFound', 'That saved text is no longer here.');
  return row.template_id;
}
