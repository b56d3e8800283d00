import { type RawBuilder, sql } from 'kysely';
import { type Found, type FoundKind, mostOfKind } from '../../contract/search.ts';
import { isSeenBroadcast, isUsableTemplate } from '../access/queries.ts';
import { may } from '../access/refuse-unless.ts';
import { shownAudio } from '../audio/queries.ts';
import { isSeenOrEmergency } from '../broadcasts/results/read-broadcast.ts';
import type { Trx } from '../db.ts';
import { literal } from '../search-text.ts';
import type { Actor } from '../serve.ts';

/** Among broadcasts, which grow without limit, only the latest are compared. The summary of the call says so. */
const latestBroadcasts = 5_000;
/** The minimum similarity of a name without the words; 1 is identical. */
const alike = 0.3;

/**
 * Groups, drafts, broadcasts, repeating broadcasts, saved texts, audio and drip campaigns with these words in their
 * names, or with similar names. Comparing every name takes longer, so it is done only when nothing matches the words.
 * Names are compared as people's are: without accents.
 */
export async function findNamed(
  trx: Trx,
  actor: Actor,
  q: string,
  { isSimilar = false } = {},
): Promise<Found[]> {
  const sources = sourcesOf(actor);
  if (sources.length === 0) return [];
  const words = q.toLowerCase().split(/\s+/);
  const hasAll = sql.join(
    words.map((word) => sql`n.folded like '%' || fold_text(${literal(word)}) || '%'`),
    sql` and `,
  );
  const whole = sql`fold_text(${literal(q)})`;
  const { rows } = await sql<Omit<Found, 'PhoneNumber'>>`
    with named as (select *,
        -- Most names have no accents: folding them all would take ten times as long.
        case when octet_length(name) = length(name) then lower(name) else fold_text(name) end as folded
      from (${sql.join(sources, sql` union all `)}) s where name <> ''),
    scored as (
      select n.*, case
        when n.folded like ${whole} || '%' then 4
        when n.folded like '% ' || ${whole} || '%' then 3
        when ${hasAll} then 2
        else ${isSimilar ? sql`word_similarity(fold_text(${q}), n.folded)` : sql`0::real`} end as score
      from named n),
    placed as (
      select s.*, s.score < 2 as is_similar,
        row_number() over (partition by s.kind order by s.score desc, s.at desc nulls last,
          s.name collate natural_order, s.id) as place
      from scored s where s.score >= ${alike})
    select kind as "Kind", id as "ID", name as "Name", is_similar as "IsSimilar", roster_count as "RosterCount",
      shown_at as "Timestamp"
    from placed where place <= ${mostOfKind} order by kind, place`.execute(trx);
  return rows.map((row) => ({ ...row, PhoneNumber: null }));
}

/** One query for each kind that the actor may see: kind, id, name, roster_count, at (to sort by), shown_at. */
function sourcesOf(actor: Actor): RawBuilder<unknown>[] {
  const { accountId } = actor;
  const of = (kind: FoundKind) => sql`${kind}::text as kind`;
  const noCount = sql`null::bigint as roster_count`;
  const noDate = sql`null::timestamptz as shown_at`;
  const sources: RawBuilder<unknown>[] = [];
  if (may(actor, 'manageOwnContacts'))
    sources.push(sql`
      select ${of('Group')}, g.group_id as id, g.name, ${
        actor.canSeeAllRoster ? sql`coalesce(k.roster_count, 0)` : sql`null::bigint`
      } as roster_count, null::timestamptz as at, ${noDate}
      from groups g left join list_counts k on k.account_id = g.account_id and k.list_id = g.group_id
      where g.account_id = ${accountId} and g.deleted_at is null`);
  if (may(actor, 'seeBroadcasts'))
    sources.push(sql`
      select * from (
        select case when b.status = 'draft' then 'Draft' else 'Broadcast' end as kind, b.broadcast_id as id, b.name,
          ${noCount}, coalesce(b.start_at, b.created_at) as at,
          case when b.status = 'draft' then b.updated_at else b.start_at end as shown_at
        from broadcasts b
        where b.account_id = ${accountId} and b.deleted_at is null and ${isSeenOrEmergency(actor)}
          and b.status <> 'model' and (b.status <> 'draft' or (b.repeating_id is null and b.sequence_id is null))
        order by coalesce(b.start_at, b.created_at) desc, b.broadcast_id desc limit ${latestBroadcasts}) latest`);
  if (may(actor, 'seeBroadcasts'))
    sources.push(sql`
      select ${of('RepeatingBroadcast')}, p.repeating_id as id, b.name, ${noCount}, p.next_at as at, p.next_at as shown_at
      from repeating_broadcasts p join broadcasts b on b.account_id = p.account_id and b.broadcast_id = p.broadcast_id
      where p.account_id = ${accountId} and p.deleted_at is null and ${isSeenBroadcast(actor, sql`p`)}`);
  if (may(actor, 'useMessageLibrary')) {
    sources.push(sql`
      select ${of('Template')}, t.template_id as id, t.name, ${noCount}, coalesce(t.last_used_at, t.updated_at) as at,
        ${noDate}
      from templates t where ${isUsableTemplate(actor)}`);
    sources.push(sql`
      select ${of('Audio')}, a.audio_id as id, a.name, ${noCount}, a.created_at as at, ${noDate}
      from audio a where ${shownAudio(actor, { q: '' })}`);
  }
  if (may(actor, 'seeBroadcasts'))
    sources.push(sql`
      select ${of('DripCampaign')}, q.sequence_id as id, q.name, ${noCount}, q.updated_at as at, ${noDate}
      from sequences q where q.account_id = ${accountId} and q.deleted_at is null and ${isSeenBroadcast(actor, sql`q`)}`);
  return sources;
}
