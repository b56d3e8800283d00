import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { specialGroups } from '../../../contract/contacts.ts';
import type { countSegment as definition } from '../../../contract/lists.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { findRows } from '../list/list-contacts.ts';
import { contactRows, listConditions, requireShownList } from '../queries.ts';
import { requireSegmentParts } from './segment-condition.ts';

/** As many as the specification's preview of contacts shows. */
const previewed = 5;

/** Number of contacts that a segment would find before it is saved, and the first of them. */
export async function countSegment(trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  await requireSegmentParts(trx, actor.accountId, body.Segment);
  const everyone = await requireShownList(trx, actor, specialGroups.everyone, '');
  const conditions = await listConditions(trx, actor, { ...everyone, segment: body.Segment });
  const source = sql`select c.person_id, c.sort_name from contacts c where ${sql.join(conditions, sql` and `)}`;
  const { personIds, Size, IsMore } = await findRows(trx, source, {
    sortby: 'name',
    page: 1,
    pagesize: previewed,
  });
  return { Size, IsMore, Items: await contactRows(trx, actor, personIds) };
}
