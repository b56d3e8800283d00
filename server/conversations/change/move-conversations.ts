import type { Input } from '../../../contract/call.ts';
import { type moveConversations as definition, listConversations } from '../../../contract/conversations.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { validatePhone } from '../../../contract/phone/validate-phone.ts';
import { getPlace } from '../../consents/queries.ts';
import type { Trx } from '../../db.ts';
import { requireTextNumber } from '../../numbers/queries.ts';
import type { Actor } from '../../serve.ts';
import { changeOrWork } from './change-in-slices.ts';

/**
 * Moves a selection, or the conversation with one phone, to another text number. The user has to be allowed
 * to use both numbers.
 */
export async function moveConversations(trx: Trx, actor: Actor, { query, body }: Input<typeof definition>) {
  const { TextNumberIDFrom, TextNumberIDTo } = body;
  if (TextNumberIDFrom === TextNumberIDTo) {
    throw refuseField('TextNumberIDTo', 'Choose another text number.');
  }
  await requireTextNumber(trx, actor, TextNumberIDTo);
  if (TextNumberIDFrom !== undefined) await requireTextNumber(trx, actor, TextNumberIDFrom);
  const from = await selected(trx, actor, query, body);
  const { size, workId, conversationId } = await changeOrWork(trx, actor, {
    kind: 'conversations.move',
    from,
    textNumberId: TextNumberIDTo,
  });
  return {
    Size: size,
    ConversationID: conversationId ?? null,
    ...(workId === undefined ? {} : { WorkID: workId }),
  };
}

type Given = Input<typeof definition>;

/**
 * The selection in the list, limited to one number if given; or the conversation of a number with a phone.
 */
async function selected(trx: Trx, actor: Actor, query: Given['query'], body: Given['body']) {
  const { TextNumberIDFrom, PhoneNumber, Selection } = body;
  if (Selection !== undefined) {
    const ofNumber = TextNumberIDFrom === undefined ? {} : { textNumberId: TextNumberIDFrom };
    return { query: { ...query, ...ofNumber }, selection: Selection };
  }
  const { countryId } = await getPlace(trx, actor);
  const { phone, error } = validatePhone(PhoneNumber ?? '', countryId);
  if (phone === undefined) throw refuseField('PhoneNumber', error);
  const row = await trx
    .selectFrom('conversations')
    .select('conversation_id')
    .where('account_id', '=', actor.accountId)
    .where('text_number_id', '=', TextNumberIDFrom ?? 0)
    .where('phone', '=', phone)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That conversation is no longer here.');
  return {
    query: listConversations.query.parse({}),
    selection: { Type: 'Selected' as const, Items: [row.conversation_id] },
  };
}
