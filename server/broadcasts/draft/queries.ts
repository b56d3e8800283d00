import { type RawBuilder, sql } from 'kysely';
import { broadcastProfileRefusals } from '../../../contract/drafts.ts';
import { Refusal } from '../../../contract/errors.ts';
import { isSeenBroadcast } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';

/** The kind of all work that adds recipients to drafts or removes them. */
export const recipientWork = 'draft-recipients';

const sentAlready = 'This broadcast has been sent. What was a draft can’t be changed any more.';

/** Drafts that this actor sees. Drafts created by a repeating broadcast or a drip campaign are nobody's. */
function seenDrafts(trx: Trx, actor: Actor) {
  return trx
    .selectFrom('broadcasts')
    .where('account_id', '=', actor.accountId)
    .where('deleted_at', 'is', null)
    .where('repeating_id', 'is', null)
    .where('sequence_position', 'is', null)
    .where(isSeenBroadcast(actor, sql`broadcasts`));
}

export type DraftRow = Awaited<ReturnType<typeof requireDraft>>;

/** A draft to look at, or not found. */
export async function requireDraft(trx: Trx, actor: Actor, broadcastId: number) {
  const row = await seenDrafts(trx, actor)
    .where('broadcast_id', '=', broadcastId)
    .where('status', '=', 'draft')
    .selectAll()
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That draft is no longer here.');
  return row;
}

/**
 * A draft to change. Its row is locked until the transaction ends, as by every change of its recipients, and
 * by Send. So Send counts exactly the recipients who are sent to.
 */
export async function lockDraft(trx: Trx, actor: Actor, broadcastId: number): Promise<DraftRow> {
  const row = await seenDrafts(trx, actor)
    .where('broadcast_id', '=', broadcastId)
    .selectAll()
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That draft is no longer here.');
  if (row.status !== 'draft') throw new Refusal('conflict', sentAlready);
  return row;
}

/** Checks that the organization lets numbers be typed or pasted into its broadcasts. */
export async function refuseUnlessAllowed(
  trx: Trx,
  actor: Actor,
  what: keyof typeof broadcastProfileRefusals,
): Promise<void> {
  const account = await trx
    .selectFrom('accounts')
    .select([
      'allow_add_individual_numbers_in_broadcast as individual',
      'allow_copy_paste_in_broadcast as paste',
    ])
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
  if (!account[what]) throw new Refusal('refused', broadcastProfileRefusals[what]);
}

/** True while people are still being added to it or removed from it in the background. */
export async function isChangingRecipients(
  trx: Trx,
  accountId: number,
  broadcastId: number,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from work where account_id = ${accountId} and status = 'InProgress' and kind = ${recipientWork}
        and (input ->> 'broadcastId')::bigint = ${broadcastId}
    ) as found`.execute(trx);
  return rows[0]?.found === true;
}

/** The recipients of a broadcast, named `r`, as a condition. */
export function recipientsOf(accountId: number, broadcastId: number): RawBuilder<unknown> {
  return sql`r.account_id = ${accountId} and r.broadcast_id = ${broadcastId}`;
}
