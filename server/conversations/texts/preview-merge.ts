import type { Input } from '../../../contract/call.ts';
import type { previewMerge as definition } from '../../../contract/compose.ts';
import { wirePhone } from '../../../contract/phone/normalize-phone.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { judgeTexts } from '../../texts/judge-texts.ts';
import { draftTexts, readRecipients } from './read-recipients.ts';

/** Checks by the same functions as sending, and writes nothing. */
export async function previewMerge(trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  const recipients = await readRecipients(trx, actor, body.Contacts);
  const drafts = await draftTexts(trx, actor, recipients, body.TemplateText);
  const judged = await judgeTexts(trx, actor, {
    drafts,
    includeSignature: body.IncludeSignature,
    keepCharacters: body.KeepCharacters,
    hasMedia: body.HasMedia,
    // The number isn't known yet; at one with unlimited conversations it costs nothing.
    flatRateStatus: null,
    asksForLine: true,
  });
  return judged.map((text) => {
    const { phone, typed, personId, problem } = text.draft.to;
    return {
      TemplateMergeMessageStatus: problem?.status ?? text.status,
      TextMessage: text.body,
      PhoneNumber: phone === undefined ? typed : wirePhone(phone, actor.account.CountryID),
      PersonID: personId,
      Error: problem?.error ?? text.error,
      Segments: text.segments,
      Credits: text.credits,
    };
  });
}
