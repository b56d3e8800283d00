import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { createDraft as definition } from '../../../contract/drafts.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { setLinkBase } from '../links/keep-links.ts';
import { keepSecondText } from '../second-text/keep-second-text.ts';
import { readDraft } from './read-draft.ts';
import { readForm } from './update-draft.ts';

export async function createDraft(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof definition>,
  publicUrl: string,
) {
  const broadcastId = await beginDraft(trx, actor, body);
  const of = { accountId: actor.accountId, broadcastId };
  if (body.ShortenLinks) await setLinkBase(trx, of, { isOn: true, publicUrl });
  return readDraft(trx, actor, broadcastId);
}

/** Creates a draft with the given values. */
export async function beginDraft(
  trx: Trx,
  actor: Actor,
  form: Input<typeof definition>['body'] = {},
): Promise<number> {
  const { broadcast_id } = await trx
    .insertInto('broadcasts')
    .values({
      account_id: actor.accountId,
      user_id: actor.userId,
      ...(await readForm(trx, actor, form)),
      updated_at: sql`now()`,
    })
    .returning('broadcast_id')
    .executeTakeFirstOrThrow();
  await keepSecondText(trx, { accountId: actor.accountId, broadcastId: broadcast_id }, form.SecondText);
  await notify(trx, actor.accountId, [{ type: 'broadcasts.changed' }]);
  return broadcast_id;
}
