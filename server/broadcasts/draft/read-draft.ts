import { sql } from 'kysely';
import type { z } from 'zod';
import type { Input } from '../../../contract/call.ts';
import type {
  DraftBroadcast,
  getDraft as getDefinition,
  listDrafts as listDefinition,
} from '../../../contract/drafts.ts';
import type { BroadcastType } from '../../../contract/money/units.ts';
import type { repeatingSchedule } from '../../../contract/repeating-broadcasts.ts';
import type { StartOption } from '../../../contract/states/broadcast-wizard.ts';
import { isSeenBroadcast } from '../../access/queries.ts';
import { readCursor, writeCursor } from '../../cursor.ts';
import type { Trx } from '../../db.ts';
import { toMediaItem } from '../../media/rules.ts';
import { likeText } from '../../search-text.ts';
import type { Actor } from '../../serve.ts';
import { findFieldNames } from '../preflight/find-missing.ts';
import { summarizeRecipients } from '../recipients/summarize-recipients.ts';
import { readSecondText } from '../second-text/keep-second-text.ts';
import { estimateDraft } from './estimate-draft.ts';
import { type DraftRow, isChangingRecipients, requireDraft } from './queries.ts';
import { readCalling } from './read-calling.ts';

type Question = Input<typeof getDefinition>['query'];

export function getDraft(trx: Trx, actor: Actor, { params, query }: Input<typeof getDefinition>) {
  return readDraft(trx, actor, params.DraftBroadcastID, query);
}

/** A draft in the API's format, with its estimated cost and duration. */
export async function readDraft(trx: Trx, actor: Actor, broadcastId: number, question: Question = {}) {
  const draft = await requireDraft(trx, actor, broadcastId);
  const { good, total } = await summarizeRecipients(trx, actor.accountId, broadcastId);
  return {
    ...formOf(draft),
    ...(await readCalling(trx, draft)),
    SecondText: await readSecondText(trx, { accountId: actor.accountId, broadcastId }),
    TextNumberCount: good,
    TotalTextNumberCount: total,
    ...(await estimateDraft(trx, actor, broadcastId, question)),
    Media: await mediaOf(trx, actor, draft),
    CustomData: await findFieldNames(trx, actor.accountId, broadcastId),
    IsAdding: await isChangingRecipients(trx, actor.accountId, broadcastId),
  };
}

type Reply = 'Yes' | 'No';

function formOf(draft: DraftRow) {
  const replies = [
    ['Yes', draft.yes_reply],
    ['No', draft.no_reply],
  ] satisfies [Reply, string][];
  return {
    DraftBroadcastID: draft.broadcast_id,
    BroadcastName: draft.name,
    BroadcastType: draft.broadcast_type as BroadcastType,
    IsTextSurvey: draft.is_text_survey,
    TextNumberID: draft.text_number_id,
    TextMessage: draft.body,
    IncludeSignature: draft.include_signature,
    ShortenLinks: draft.link_base !== null,
    LinkBase: draft.link_base ?? '',
    KeepCharacters: draft.keep_characters,
    TextSurveyAutoReplies: replies.map(([Label, Message]) => ({ Label, Message })),
    TemplateID: draft.template_id,
    startOption: draft.start_option as StartOption,
    StartDate: draft.start_wall,
    RepeatingBroadcastSchedule: draft.repeat_schedule as z.output<typeof repeatingSchedule> | null,
    PerMinute: draft.per_minute,
    Step: draft.wizard_step,
    RecipientsConfirmed: draft.recipients_confirmed,
    UpdateTimestamp: draft.updated_at.toISOString(),
  } satisfies Partial<DraftBroadcast>;
}

async function mediaOf(trx: Trx, actor: Actor, { media_ids }: DraftRow) {
  if (media_ids.length === 0) return [];
  const rows = await trx
    .selectFrom('media')
    .select(['media_id', 'public_key', 'content_type', 'file_name', 'explicit_status', 'created_at'])
    .where('account_id', '=', actor.accountId)
    .where('media_id', 'in', media_ids)
    .orderBy(sql`array_position(${media_ids}::bigint[], media_id)`)
    .execute();
  return rows.map((row) => toMediaItem(row));
}

interface ListedDraft {
  DraftBroadcastID: number;
  BroadcastName: string;
  BroadcastType: BroadcastType;
  TextMessage: string;
  TotalTextNumberCount: number;
  Step: number;
  User: { UserID: number; Name: string };
  UpdateTimestamp: Date;
  at: string;
}

/** The total comes from the row, as stored or as recipients were added: a list of drafts counts nothing. */
export async function listDrafts(trx: Trx, actor: Actor, { query }: Input<typeof listDefinition>) {
  const after = query.next === undefined ? undefined : readCursor(query.next);
  const { rows } = await sql<ListedDraft>`
    select b.broadcast_id as "DraftBroadcastID", b.name as "BroadcastName", b.broadcast_type as "BroadcastType",
      b.body as "TextMessage", b.wizard_step as "Step", b.updated_at as "UpdateTimestamp",
      case when b.summary_version = b.recipients_version then (b.summary ->> 'total')::bigint else coalesce((
        select sum(s.added) from broadcast_sources s
        where s.account_id = b.account_id and s.broadcast_id = b.broadcast_id), 0)::bigint end as "TotalTextNumberCount",
      json_build_object('UserID', u.user_id, 'Name', u.first_name || ' ' || u.last_name) as "User",
      to_json(b.updated_at) #>> '{}' as at
    from broadcasts b join users u on u.account_id = b.account_id and u.user_id = b.user_id
    where b.account_id = ${actor.accountId} and b.status = 'draft' and b.deleted_at is null and b.repeating_id is null
      and b.sequence_id is null
      and ${isSeenBroadcast(actor)}
      and (${query.q} = '' or lower(b.name || ' ' || b.body) like ${likeText(query.q)})
      ${after === undefined ? sql`` : sql`and (b.updated_at, b.broadcast_id) < (${after.at}::timestamptz, ${after.id}::bigint)`}
    order by b.updated_at desc, b.broadcast_id desc
    limit ${query.pagesize + 1} offset ${after === undefined ? (query.page - 1) * query.pagesize : 0}`.execute(
    trx,
  );
  const Items = rows.slice(0, query.pagesize);
  const last = Items.at(-1);
  const isMore = rows.length > query.pagesize && last !== undefined;
  return { Items, Next: isMore ? writeCursor({ at: last.at, id: last.DraftBroadcastID }) : null };
}
