import { type RawBuilder, sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import { wirePhone } from '../../../contract/phone/normalize-phone.ts';
import type { listMergedMessages as definition, MergedMessage } from '../../../contract/template-merges.ts';
import type { Trx } from '../../db.ts';
import { likeText } from '../../search-text.ts';
import type { Actor } from '../../serve.ts';
import {
  bothTexts,
  type CommonText,
  type MergeRecipient,
  mergeProblems,
  mergeText,
  readMergeRecipients,
} from './merge-recipients.ts';
import { requireDraft } from './queries.ts';
import { readSending } from './read-sending.ts';

const filters: Record<Input<typeof definition>['query']['filter'], RawBuilder<unknown>> = {
  invalid: sql`r.problem in ${mergeProblems}`,
  excluded: sql`r.problem = 'excluded'`,
  all: sql`(r.problem is null or r.problem = 'excluded' or r.problem in ${mergeProblems})`,
};

/** Texts as each gets it, in the order the recipients were added. They are merged as they are listed. */
export async function listMerged(trx: Trx, actor: Actor, { params, query }: Input<typeof definition>) {
  const { TemplateMergeID } = params;
  await requireDraft(trx, actor, TemplateMergeID);
  const sending = await readSending(trx, actor.accountId, TemplateMergeID);
  const { pagesize, page, next, q } = query;
  const after = next === undefined ? sql`true` : sql`r.recipient_id > ${readPlace(next)}`;
  const skipped = next === undefined ? (page - 1) * pagesize : 0;
  const rows = await readMergeRecipients(
    trx,
    { accountId: actor.accountId, broadcastId: TemplateMergeID, text: bothTexts(sending), shownTo: actor },
    {
      where: sql`${filters[query.filter]} and ${after} and ${matches(q)}`,
      rest: sql`order by r.recipient_id offset ${skipped} limit ${pagesize + 1}`,
    },
  );
  const shown = rows.slice(0, pagesize);
  const last = rows.length > pagesize ? shown.at(-1) : undefined;
  return {
    Items: shown.map((row) => toMergedMessage(actor, row, sending)),
    Next: last === undefined ? null : String(last.recipientId),
  };
}

function readPlace(next: string): number {
  if (!/^\d{1,15}$/.test(next)) throw new Refusal('invalid', 'next is not a place in this list');
  return Number(next);
}

function matches(q: string): RawBuilder<unknown> {
  if (q === '') return sql`true`;
  const digits = q.replace(/\D/g, '');
  const name = sql`lower(r.first_name || ' ' || r.last_name) like ${likeText(q)}`;
  return digits.length < 3 ? name : sql`(${name} or strpos(r.phone, ${digits}) > 0)`;
}

export function toMergedMessage({ account }: Actor, row: MergeRecipient, common: CommonText): MergedMessage {
  const merged = mergeText(row, common);
  return {
    MergedMessageID: row.recipientId,
    PhoneNumber: wirePhone(row.phone, account.CountryID),
    FirstName: row.firstName,
    LastName: row.lastName,
    TextMessage: merged.text,
    Segments: merged.segments,
    Exclude: row.problem === 'excluded',
    TemplateMergeMessageStatus: merged.status,
    Error: merged.error,
  };
}
