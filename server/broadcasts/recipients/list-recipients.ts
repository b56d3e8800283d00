import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Input } from '../../../contract/call.ts';
import type {
  DraftContact,
  downloadLeftOut as downloadDefinition,
  listDraftContacts as listDefinition,
  RecipientProblem,
} from '../../../contract/draft-recipients.ts';
import { draftLimits } from '../../../contract/draft-recipients.ts';
import { formatE164 } from '../../../contract/phone/format-phone.ts';
import { normalizePhone } from '../../../contract/phone/normalize-phone.ts';
import {
  recipientProblemLabels,
  recipientProblemMessages,
} from '../../../contract/states/recipient-problem.ts';
import { isSeenContact } from '../../access/queries.ts';
import { getPlace } from '../../consents/queries.ts';
import { readContactCursor, searchPatterns, writeContactCursor } from '../../contacts/rules.ts';
import { csvDownload } from '../../csv.ts';
import { asAccount, type Trx } from '../../db.ts';
import type { Actor, App, Download } from '../../serve.ts';
import { wirePhone } from '../../wire-phone.ts';
import { recipientsOf, requireDraft } from '../draft/queries.ts';
import { problemColumn } from './judge-calls.ts';
import { summarizeRecipients } from './summarize-recipients.ts';

type Query = z.output<typeof listDefinition.query>;
type Sql = RawBuilder<unknown>;

/** The filter of a list of recipients. */
export interface RecipientFilter {
  q: string;
  problem?: Query['problem'];
  sourceId?: number | undefined;
}

/** The name that recipients are sorted by and found by, as contacts are. */
const sortName = sql`case when octet_length(r.first_name || r.last_name) = length(r.first_name || r.last_name)
  then lower(ltrim(r.last_name || ' ' || r.first_name)) else fold_text(ltrim(r.last_name || ' ' || r.first_name)) end collate "C"`;

/**
 * The rows of the list, as a condition on `r`, so that a selection of all rows affects no others. People who
 * were removed by hand are shown only in the list of those who are left out.
 */
export async function recipientsShown(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  { q, problem, sourceId }: RecipientFilter,
): Promise<Sql> {
  const { column } = await problemColumn(trx, accountId, broadcastId);
  const conditions = [recipientsOf(accountId, broadcastId), problemCondition(problem, column)];
  if (sourceId !== undefined) conditions.push(sql`r.source_id = ${sourceId}`);
  if (q !== '') conditions.push(await searchCondition(trx, q));
  return sql.join(conditions, sql` and `);
}

function problemCondition(problem: RecipientFilter['problem'], column: Sql): Sql {
  if (problem === undefined) return sql`${column} is distinct from 'excluded'`;
  if (problem === 'good') return sql`${column} is null`;
  return problem === 'leftout' ? sql`${column} is not null` : sql`${column} = ${problem}`;
}

/** Every word in the name, or the digits in the phone. */
async function searchCondition(trx: Trx, q: string): Promise<Sql> {
  const { rows } = await sql<{ folded: string }>`select trim(fold_text(${q})) as folded`.execute(trx);
  const { patterns, digits } = searchPatterns(rows[0]?.folded ?? '');
  const words = sql`(' ' || ${sortName}) like all(${patterns}::text[])`;
  return digits === null ? words : sql`(${words} or coalesce(r.phone, r.typed_phone, '') like ${digits})`;
}

export async function listDraftContacts(
  trx: Trx,
  actor: Actor,
  { params, query }: Input<typeof listDefinition>,
) {
  const { broadcast_id } = await requireDraft(trx, actor, params.DraftBroadcastID);
  if (query.phonenumber !== undefined && query.phonenumber !== '') {
    return listWithPhone(trx, actor, broadcast_id, query.phonenumber);
  }
  const shown = await recipientsShown(trx, actor.accountId, broadcast_id, query);
  const found = await pageOf(trx, shown, query);
  const kept = found.slice(0, query.pagesize);
  const last = kept.at(-1);
  return {
    Items: await recipientRows(
      trx,
      actor,
      broadcast_id,
      kept.map(({ id }) => id),
    ),
    Next: found.length > query.pagesize && last !== undefined ? writeContactCursor(last) : null,
    ...(await sizeOf(trx, actor, broadcast_id, { filter: query, shown })),
  };
}

/** The ids of a page and of one more: in the order of adding by key, otherwise by name. */
async function pageOf(trx: Trx, shown: Sql, { sortby, page, pagesize, next }: Query) {
  const cursor = next === undefined ? undefined : readContactCursor(next);
  const isByName = sortby === 'name' || sortby === '-name';
  const isDescending = sortby === '-name' || sortby === '-added';
  const direction = isDescending ? sql`desc` : sql`asc`;
  const sign = isDescending ? sql`<` : sql`>`;
  const order = isByName
    ? sql`${sortName} ${direction}, r.recipient_id ${direction}`
    : sql`r.recipient_id ${direction}`;
  const beyond =
    cursor === undefined
      ? sql`true`
      : isByName
        ? sql`(${sortName}, r.recipient_id) ${sign} (${cursor.name}, ${cursor.id}::bigint)`
        : sql`r.recipient_id ${sign} ${cursor.id}::bigint`;
  const { rows } = await sql<{ id: number; name: string }>`
    select r.recipient_id as id, ${isByName ? sortName : sql`''`} as name from broadcast_recipients r
    where ${shown} and ${beyond}
    order by ${order} limit ${pagesize + 1} offset ${cursor === undefined ? (page - 1) * pagesize : 0}`.execute(
    trx,
  );
  return rows;
}

/** From the stored counts; matches of a search are counted up to a limit that nobody scrolls past. */
async function sizeOf(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  { filter: { q, problem, sourceId }, shown }: { filter: RecipientFilter; shown: Sql },
): Promise<{ Size: number; IsMore: boolean }> {
  const { isOfCalls } = await problemColumn(trx, actor.accountId, broadcastId);
  if (q === '' && sourceId === undefined && !isOfCalls) {
    const { total, good, leftOut } = await summarizeRecipients(trx, actor.accountId, broadcastId);
    const sizes = { good, leftout: total - good };
    if (problem === undefined) return { Size: total - (leftOut.excluded ?? 0), IsMore: false };
    const Size = problem === 'good' || problem === 'leftout' ? sizes[problem] : (leftOut[problem] ?? 0);
    return { Size, IsMore: false };
  }
  const most = draftLimits.countedMatches;
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from (
      select from broadcast_recipients r where ${shown} limit ${most + 1}) found`.execute(trx);
  const many = rows[0]?.many ?? 0;
  return { Size: Math.min(many, most), IsMore: many > most };
}

/** Recipients with that number: those who get it by the index, and all who are left out with it. */
async function listWithPhone(trx: Trx, actor: Actor, broadcastId: number, typed: string) {
  const { countryId } = await getPlace(trx, actor);
  const phone = normalizePhone(typed, countryId) ?? null;
  const own = recipientsOf(actor.accountId, broadcastId);
  const { rows } = await sql<{ id: number }>`
    select r.recipient_id as id from broadcast_recipients r where ${own} and r.problem is null and r.phone = ${phone}
    union all
    (select r.recipient_id from broadcast_recipients r
    where ${own} and r.problem is not null and r.problem <> 'excluded' and (r.phone = ${phone} or r.typed_phone = ${typed})
    order by r.recipient_id limit 100)`.execute(trx);
  const Items = await recipientRows(
    trx,
    actor,
    broadcastId,
    rows.map(({ id }) => id),
  );
  return { Items, Next: null, Size: Items.length, IsMore: false };
}

interface Row extends Omit<DraftContact, 'PrimaryPhoneError' | 'CustomData'> {
  customData: Record<string, string> | null;
}

/** Recipients in the order of the given ids. */
export async function recipientRows(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  ids: number[],
): Promise<DraftContact[]> {
  if (ids.length === 0) return [];
  const { column } = await problemColumn(trx, actor.accountId, broadcastId);
  const { rows } = await sql<Row>`
    select r.recipient_id as "RecipientID", r.person_id as "PersonID", r.first_name as "FirstName",
      r.last_name as "LastName", coalesce(nullif(${wirePhone(actor, sql`r.phone`)}, ''), r.typed_phone, '') as "PrimaryPhone", ${column} as "Problem",
      r.phone is not null and not exists (
        select from phone_lookups l where l.account_id = r.account_id and l.phone = r.phone
          and (not l.is_valid or l.line_type = 'landline')) as "PrimaryPhoneTextable",
      case when d.recipient_id is not null then json_build_object('RecipientID', d.recipient_id,
        'Name', trim(d.first_name || ' ' || d.last_name)) end as "DuplicateOf",
      coalesce(r.custom_data, (
        select jsonb_object_agg(f.name, c.custom_data ->> f.field_id::text) from contacts c
        join custom_fields f on f.account_id = c.account_id and c.custom_data ->> f.field_id::text is not null
        where c.account_id = r.account_id and c.person_id = r.person_id and ${isSeenContact(actor)})) as "customData",
      coalesce(s.name, '') as "Source"
    from unnest(${ids}::bigint[]) with ordinality p(id, place)
    join broadcast_recipients r on ${recipientsOf(actor.accountId, broadcastId)} and r.recipient_id = p.id
    left join broadcast_recipients d on d.account_id = r.account_id and d.broadcast_id = r.broadcast_id
      and d.recipient_id = r.duplicate_of and r.problem = 'duplicate'
    left join broadcast_sources s on s.account_id = r.account_id and s.broadcast_id = r.broadcast_id
      and s.source_id = r.source_id
    order by p.place`.execute(trx);
  return rows.map(({ customData, ...row }) => ({
    ...row,
    PrimaryPhoneError: row.Problem === null ? '' : recipientProblemMessages[row.Problem],
    CustomData: customData ?? {},
  }));
}

const batch = 1_000;
const header = ['First Name', 'Last Name', 'Phone Number', 'Reason', 'Explanation', 'From'];

interface LeftOutRow {
  id: number;
  first_name: string;
  last_name: string;
  phone: string | null;
  typed_phone: string | null;
  problem: RecipientProblem;
  source: string | null;
}

/** All who are left out, by the reason. */
export async function downloadLeftOut(
  app: App,
  actor: Actor,
  { params }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const { broadcast_id, name } = await asAccount(app.database, actor.accountId, (trx) =>
    requireDraft(trx, actor, params.DraftBroadcastID),
  );
  /**
   * Each batch in its own transaction, by the index of those left out: a slow reader keeps no transaction
   * open.
   */
  async function* rows() {
    let after: Pick<LeftOutRow, 'problem' | 'id'> | undefined;
    do {
      const found = await asAccount(app.database, actor.accountId, (trx) =>
        listLeftOut(trx, actor, broadcast_id, after),
      );
      for (const row of found) {
        yield [
          row.first_name,
          row.last_name,
          row.phone === null ? (row.typed_phone ?? '') : formatE164(row.phone),
          recipientProblemLabels[row.problem],
          recipientProblemMessages[row.problem],
          row.source ?? '',
        ];
      }
      after = found.length < batch ? undefined : found.at(-1);
    } while (after !== undefined);
  }
  return csvDownload(`${name === '' ? 'broadcast' : name} - left out.csv`, header, rows());
}

async function listLeftOut(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  after: Pick<LeftOutRow, 'problem' | 'id'> | undefined,
): Promise<LeftOutRow[]> {
  const { column } = await problemColumn(trx, actor.accountId, broadcastId);
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(${column}, r.recipient_id) > (${after.problem}::text collate "C", ${after.id}::bigint)`;
  const { rows } = await sql<LeftOutRow>`
    select r.recipient_id as id, r.first_name, r.last_name, r.phone, r.typed_phone, ${column} as problem, s.name as source
    from broadcast_recipients r
    left join broadcast_sources s on s.account_id = r.account_id and s.broadcast_id = r.broadcast_id
      and s.source_id = r.source_id
    where ${recipientsOf(actor.accountId, broadcastId)} and ${column} is not null and ${beyond}
    order by ${column}, r.recipient_id limit ${batch}`.execute(trx);
  return rows;
}
