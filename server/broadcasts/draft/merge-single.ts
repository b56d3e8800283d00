import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type {
  mergeSingle as definition,
  mergeSingleOfBroadcast as sentDefinition,
} from '../../../contract/template-merges.ts';
import { textToSend } from '../../../contract/text/normalize-text.ts';
import { organizationPrefix } from '../../../contract/text/organization-prefix.ts';
import { shortenLinks } from '../../../contract/text/short-links.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { summarizeRecipients } from '../recipients/summarize-recipients.ts';
import { toMergedMessage } from './list-merged.ts';
import { readMergeRecipients } from './merge-recipients.ts';
import { requireDraft } from './queries.ts';
import { readSending, type Sending } from './read-sending.ts';

export async function mergeSingle(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  await requireDraft(trx, actor, params.DraftBroadcastID);
  return mergeOne(trx, actor, await readSending(trx, actor.accountId, params.DraftBroadcastID), body);
}

export async function mergeSingleOfBroadcast(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof sentDefinition>,
) {
  const sending = await readSending(trx, actor.accountId, params.BroadcastID);
  const isSeen = actor.canSeeAllBroadcasts || sending.user_id === actor.userId;
  if (!isSeen || sending.status === 'draft' || sending.status === 'model') {
    throw new Refusal('notFound', 'That broadcast is no longer here.');
  }
  return mergeOne(trx, actor, sending, body);
}

/** The words that one of the recipients would read, with a text that may not be saved yet. */
async function mergeOne(trx: Trx, actor: Actor, sending: Sending, given: Input<typeof definition>['body']) {
  const { accountId, broadcast_id: broadcastId } = sending;
  const total = await countGoing(trx, sending);
  const position = given.Position ?? 1;
  const whose =
    given.RecipientID === undefined
      ? nth(position, total)
      : { where: sql`r.recipient_id = ${given.RecipientID}`, rest: sql`limit 1` };
  const [row] = await readMergeRecipients(
    trx,
    { accountId, broadcastId, text: given.TemplateText, shownTo: actor },
    whose,
  );
  if (row === undefined) throw new Refusal('notFound', 'There is no recipient at this position.');
  const keepCharacters = given.KeepCharacters ?? sending.keepCharacters;
  // Short links in their final form and length.
  const text =
    sending.link_base === null
      ? given.TemplateText
      : shortenLinks(given.TemplateText, sending.link_base).text;
  const body = textToSend(organizationPrefix(sending.organization, given.TemplateText) + text, {
    keepCharacters,
  });
  const common = {
    body,
    suffix: given.IncludeSignature ? sending.signature : '',
    keepCharacters,
    acceptsMissing: sending.acceptsMissing,
    hasMedia: given.HasMedia,
    maxLength: sending.maxLength,
    international: sending.international,
  };
  // A text that was fixed by hand belongs to the saved text.
  const isKept = given.TemplateText === sending.written;
  return {
    ...toMergedMessage(actor, isKept ? row : { ...row, ownBody: null }, common),
    Position: given.RecipientID === undefined ? position : await placeOf(trx, sending, given.RecipientID),
    Total: total,
  };
}

/** From the nearer end. */
function nth(position: number, total: number) {
  const where = sql`r.problem is null`;
  return position <= total / 2
    ? { where, rest: sql`order by r.recipient_id offset ${position - 1} limit 1` }
    : position <= total
      ? { where, rest: sql`order by r.recipient_id desc offset ${total - position} limit 1` }
      : { where: sql`false` };
}

async function countGoing(trx: Trx, { accountId, broadcast_id, ...sending }: Sending): Promise<number> {
  if (sending.status !== 'draft') return sending.going_count;
  return (await summarizeRecipients(trx, accountId, broadcast_id)).good;
}

async function placeOf(trx: Trx, { accountId, broadcast_id }: Sending, recipientId: number): Promise<number> {
  const { rows } = await sql<{ place: number }>`
    select count(*) as place from broadcast_recipients
    where account_id = ${accountId} and broadcast_id = ${broadcast_id} and problem is null
      and recipient_id <= ${recipientId}`.execute(trx);
  return rows[0]?.place ?? 0;
}
