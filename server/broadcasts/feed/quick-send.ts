import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { specialGroups } from '../../../contract/contacts.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { firstFailure } from '../../../contract/fields/rule.ts';
import { characterLimit, composeMessages } from '../../../contract/forms/compose-text.ts';
import { dialogText } from '../../../contract/forms/conversation-compose.ts';
import { quickSendBroadcastName, quickSendTemplateName } from '../../../contract/forms/quick-send.ts';
import type {
  previewQuickSend as previewDefinition,
  QuickSendPreview,
  quickSend as sendDefinition,
} from '../../../contract/quick-send.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { hasPersonalizedFields, personalizedFieldError } from '../../../contract/text/personalized-fields.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { requireTemplate } from '../../templates/queries.ts';
import { noteTemplateUse } from '../../templates/set-template.ts';
import { beginDraft } from '../draft/create-draft.ts';
import { mergeDraft } from '../draft/merge-draft.ts';
import { mergeText, readMergeRecipients } from '../draft/merge-recipients.ts';
import { readSending } from '../draft/read-sending.ts';
import { setLinkBase, withPlaces } from '../links/keep-links.ts';
import { countedName } from '../name-broadcast.ts';
import { getPreflight } from '../preflight/get-preflight.ts';
import { addRecipients } from '../recipients/add-recipients.ts';
import { type AskedSource, candidatesOf, requireLists } from '../recipients/find-candidates.ts';
import { listDraftContacts } from '../recipients/list-recipients.ts';
import { sendBroadcast } from './send-broadcast.ts';

type Asked = Input<typeof previewDefinition>['body'];

/**
 * Creates a broadcast and sends it in one transaction: if it is refused, nothing of it is left. It uses the same verbs
 * as the wizard, so the same things are checked, reserved and counted.
 */
export async function quickSend(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof sendDefinition>,
  publicUrl: string,
) {
  await refuseBadText(trx, actor, body, body.ShortenLinks ? publicUrl : undefined);
  const { total, sources } = await findMeant(trx, actor, body);
  if (total > limits.conversationRecipients) {
    throw new Refusal('refused', composeMessages.tooManyRecipients);
  }
  const BroadcastID = await makeDraft(trx, actor, body, { sources, publicUrl });
  await sendBroadcast(trx, actor, BroadcastID, {
    expectedCount: body.ExpectedCount,
    expectedCredits: body.ExpectedCredits,
  });
  if (body.TemplateID !== null) {
    await noteTemplateUse(trx, actor, {
      params: { TemplateID: body.TemplateID },
      query: undefined,
      body: undefined,
    });
  }
  const { name, going_count } = await readSending(trx, actor.accountId, BroadcastID);
  return { BroadcastID, BroadcastName: name, Count: going_count, UriSummary: `/broadcasts/${BroadcastID}` };
}

/**
 * The preview: created like the real one and rolled back before anybody sees it, so it can't show anything different.
 */
export async function previewQuickSend(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof previewDefinition>,
  publicUrl: string,
): Promise<QuickSendPreview> {
  const { total, sources } = await findMeant(trx, actor, body);
  const isTooMany = total > limits.conversationRecipients;
  await sql`savepoint preview`.execute(trx);
  const draftId = await makeDraft(trx, actor, body, { sources: isTooMany ? [] : sources, publicUrl });
  const preflight = await getPreflight(trx, actor, {
    params: { DraftBroadcastID: draftId },
    query: undefined,
    body: undefined,
  });
  const Recipients = await sampleRecipients(trx, actor, draftId);
  await sql`rollback to savepoint preview`.execute(trx);
  const { Summary, Cost, Starts, Refusal: refusal } = preflight;
  return {
    Total: total,
    Good: Summary.Good,
    Recipients,
    Cost,
    Starts,
    Refusal: isTooMany ? { ErrorCode: 422, Message: composeMessages.tooManyRecipients } : refusal,
  };
}

/** The text of the first recipients, or why they get nothing. */
export async function sampleRecipients(
  trx: Trx,
  actor: Actor,
  draftId: number,
): Promise<QuickSendPreview['Recipients']> {
  const query = { page: 1, pagesize: limits.conversationRecipients, q: '', sortby: 'added' as const };
  const { Items } = await listDraftContacts(trx, actor, {
    params: { DraftBroadcastID: draftId },
    query,
    body: undefined,
  });
  const sending = await readSending(trx, actor.accountId, draftId);
  const rows = await readMergeRecipients(
    trx,
    { accountId: actor.accountId, broadcastId: draftId, text: sending.body, shownTo: actor },
    { where: sql`r.recipient_id = any(${Items.map(({ RecipientID }) => RecipientID)}::bigint[])` },
  );
  const texts = new Map(rows.map((row) => [row.recipientId, mergeText(row, sending)]));
  return Items.map((item) => {
    const merged = texts.get(item.RecipientID);
    return {
      ...item,
      TextMessage: merged?.text ?? '',
      Segments: merged?.segments ?? 0,
      Remark: merged?.status === 'MissingData' ? merged.error : '',
    };
  });
}

/** Required, at most as long as the user's texts may be. The length of one with fields is each recipient's own. */
export async function refuseBadText(
  trx: Trx,
  actor: Actor,
  { TextMessage, IncludeSignature }: Pick<Asked, 'TextMessage' | 'IncludeSignature'>,
  /** The host of its short links, if links are shortened. */
  publicUrl?: string,
): Promise<void> {
  const { text_character_limit, signature_text } = await trx
    .selectFrom('users')
    .select(['text_character_limit', 'signature_text'])
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  const isPersonalized = hasPersonalizedFields(TextMessage);
  const maxLength = isPersonalized ? Number.POSITIVE_INFINITY : characterLimit(text_character_limit);
  const sent =
    publicUrl === undefined
      ? TextMessage
      : await withPlaces(trx, actor.accountId, { text: TextMessage, publicUrl });
  const error = firstFailure(
    sent,
    dialogText({ maxLength, ...(IncludeSignature ? { signature: signature_text } : {}) }),
  );
  if (error !== undefined) throw refuseField('TextMessage', error);
}

/**
 * The recipients: everybody in the lists, and people named individually who are in none of them. Counting stops at one
 * too many.
 */
async function findMeant(
  trx: Trx,
  actor: Actor,
  { Lists, People }: Asked,
): Promise<{ total: number; sources: AskedSource[] }> {
  const listIds = [...new Set(Lists.map(({ ListID }) => ListID))];
  const personIds = [...new Set(People.map(({ PersonID }) => PersonID))];
  const sources: AskedSource[] = [];
  const meant = new Set<number>();
  if (listIds.length > 0) {
    const source = { kind: 'lists' as const, listIds };
    sources.push(source);
    for (const id of await firstPeople(trx, actor, source)) meant.add(id);
  }
  const others = personIds.filter((id) => !meant.has(id));
  if (others.length > 0) {
    const source = {
      kind: 'contacts' as const,
      listId: specialGroups.everyone,
      query: { q: '' },
      selection: { Type: 'Selected' as const, Items: others },
    };
    sources.push(source);
    const found = await firstPeople(trx, actor, source);
    if (found.length < Math.min(others.length, tooMany)) {
      throw new Refusal('notFound', 'One of these contacts is no longer here.');
    }
    for (const id of found) meant.add(id);
  }
  return { total: Math.min(meant.size, tooMany), sources };
}

const tooMany = limits.conversationRecipients + 1;

async function firstPeople(trx: Trx, actor: Actor, source: AskedSource): Promise<number[]> {
  const sourceIds = source.kind === 'lists' ? source.listIds.map(() => 0) : [0];
  const candidates = await candidatesOf(trx, actor, source, { sourceIds });
  const { rows } = await sql<{ person_id: number }>`
    select person_id from (${candidates}) found limit ${tooMany}`.execute(trx);
  return rows.map(({ person_id }) => person_id);
}

async function makeDraft(
  trx: Trx,
  actor: Actor,
  asked: Asked,
  { sources, publicUrl }: { sources: AskedSource[]; publicUrl: string },
): Promise<number> {
  const { TemplateID, TextNumberID, TextMessage, Media, IncludeSignature } = asked;
  const form = { TemplateID, TextNumberID, TextMessage, Media, IncludeSignature };
  const BroadcastName = await nameOf(trx, actor, asked);
  const draftId = await beginDraft(trx, actor, { ...form, BroadcastName });
  const of = { accountId: actor.accountId, broadcastId: draftId };
  if (asked.ShortenLinks) await setLinkBase(trx, of, { isOn: true, publicUrl });
  for (const source of sources) await addRecipients(trx, actor, draftId, source);
  if (hasPersonalizedFields(TextMessage) && personalizedFieldError(TextMessage) === undefined) {
    await mergeDraft(trx, actor, { params: { DraftBroadcastID: draftId }, body: {} });
  }
  return draftId;
}

/** Named after the saved text, otherwise after the group, otherwise after its recipients. */
async function nameOf(trx: Trx, actor: Actor, { TemplateID, Lists, People }: Asked): Promise<string> {
  if (TemplateID !== null) {
    const { TemplateName } = await requireTemplate(trx, actor, TemplateID);
    return quickSendBroadcastName(quickSendTemplateName(TemplateName));
  }
  const [list] = await requireLists(
    trx,
    actor,
    Lists.slice(0, 1).map(({ ListID }) => ListID),
  );
  return quickSendBroadcastName(list?.name ?? countedName(People.length, 'contact', actor.languageId));
}
