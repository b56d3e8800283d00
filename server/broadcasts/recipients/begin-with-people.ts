import { limits } from '../../../contract/reference/limits.ts';
import { cutText } from '../../../contract/text/cut-text.ts';
import type { Trx } from '../../db.ts';
import { selectTextNumber, toTextNumber } from '../../numbers/queries.ts';
import type { Actor } from '../../serve.ts';
import { beginDraft } from '../draft/create-draft.ts';
import { groupsName, selectionName } from '../name-broadcast.ts';
import { addRecipients } from './add-recipients.ts';
import { type AskedSource, requireLists } from './find-candidates.ts';

/** The step with the text. */
const messageStep = 3;

/**
 * Starts a broadcast to people who were chosen on another page. It is named after them and uses the usual
 * number, so only the text is missing: the wizard opens there.
 */
export async function beginWithPeople(
  trx: Trx,
  actor: Actor,
  source: Extract<AskedSource, { kind: 'contacts' | 'lists' }>,
) {
  const broadcastId = await beginDraft(trx, actor, {
    BroadcastName: cut(await nameOf(trx, actor, source)),
    TextNumberID: await findUsualNumber(trx, actor),
    Step: messageStep,
  });
  return addRecipients(trx, actor, broadcastId, source);
}

async function nameOf(
  trx: Trx,
  actor: Actor,
  source: Extract<AskedSource, { kind: 'contacts' | 'lists' }>,
): Promise<string> {
  const listIds = source.kind === 'lists' ? source.listIds : [source.listId];
  const [first, ...others] = await requireLists(trx, actor, listIds);
  const name = first?.name ?? '';
  if (source.kind === 'contacts') return selectionName(source, name, actor.languageId);
  return groupsName(name, others.length, actor.languageId);
}

function cut(name: string): string {
  return name.length <= limits.broadcastName ? name : `${cutText(name, limits.broadcastName - 1)}…`;
}

/** The default number if broadcasts can be sent from it, otherwise the first that allows it. */
export async function findUsualNumber(trx: Trx, actor: Actor): Promise<number | null> {
  const rows = await selectTextNumber(trx, actor).orderBy('phone').execute();
  const usable = rows
    .map(toTextNumber)
    .filter(({ CanText, CanCreateBroadcast, IsBlocked }) => CanText && CanCreateBroadcast && !IsBlocked);
  return (usable.find(({ IsDefault }) => IsDefault) ?? usable[0])?.TextNumberID ?? null;
}
