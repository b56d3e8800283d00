import { type RawBuilder, sql } from 'kysely';
import type { Member, UserFilter } from '../../../contract/account-users.ts';
import { Refusal } from '../../../contract/errors.ts';
import { usesNumber } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { type Installation, toUser, type UserRow } from '../queries.ts';

interface MemberRow extends UserRow {
  account_features: string[];
  account_country: number;
  text_number_ids: number[];
  invited_at: Date | null;
  invitation_expires_at: Date | null;
  is_expired: boolean;
  mail_problem: string | null;
  has_second_factor: boolean;
}

/** Invited but not yet joined, as a condition on the user `u`. */
export const isInvited = sql<boolean>`exists (
  select from invitations i
  where i.account_id = u.account_id and i.user_id = u.user_id and i.accepted_at is null)`;

/** The users that a list shows. Only those who manage users can search by mail address. */
export function shownUsers(actor: Actor, filter: UserFilter, mayManage: boolean): RawBuilder<boolean> {
  const text = filter.q.toLowerCase();
  const words =
    text === ''
      ? sql`true`
      : sql`(strpos(lower(u.first_name || ' ' || u.last_name), ${text}) > 0 or strpos(lower(u.user_name), ${text}) > 0
          ${mayManage ? sql`or strpos(lower(u.email), ${text}) > 0` : sql``})`;
  return sql<boolean>`u.account_id = ${actor.accountId} and ${words}
    and ${filter.role === undefined ? sql`true` : sql`u.role = ${filter.role}`}
    and ${filter.enabled === undefined ? sql`true` : filter.enabled ? sql`u.is_active` : sql`not u.is_active and not ${isInvited}`}
    and ${filter.invited === undefined ? sql`true` : filter.invited ? isInvited : sql`not ${isInvited}`}`;
}

/** Complete users, for those `u` that match a condition. */
export async function selectMembers(
  trx: Trx,
  { where, order = sql``, installation }: MemberChoice,
): Promise<Member[]> {
  // The page is selected first, so that numbers, invitations and mails are looked up for its rows only.
  const { rows } = await sql<MemberRow>`
    with page as materialized (select u.*, row_number() over () as place from (
      select u.* from users u where ${where} ${order}) u)
    select u.*, a.features as account_features, a.country_id as account_country,
      array(
        select n.text_number_id from text_numbers n
        where n.account_id = u.account_id and n.released_at is null and ${usesNumber(sql`n.text_number_id`)}
        order by n.text_number_id) as text_number_ids,
      i.sent_at as invited_at, i.expires_at as invitation_expires_at,
      coalesce(i.expires_at <= now(), false) as is_expired,
      (select m.problem from mails m
        where m.account_id = u.account_id and m.user_id = u.user_id and m.kind = 'invitation' and i.sent_at is not null
        order by m.mail_id desc limit 1) as mail_problem,
      exists (select from totp_secrets t where (t.account_id, t.user_id) = (u.account_id, u.user_id))
        or exists (select from passkeys p where (p.account_id, p.user_id) = (u.account_id, u.user_id))
        as has_second_factor
    from page u
    join accounts a on a.account_id = u.account_id
    left join invitations i on i.account_id = u.account_id and i.user_id = u.user_id and i.accepted_at is null
    order by u.place`.execute(trx);
  return rows.map((row) => toMember(row, installation));
}

interface MemberChoice {
  where: RawBuilder<unknown>;
  /** Order and paging. */
  order?: RawBuilder<unknown>;
  installation: Installation;
}

function toMember(row: MemberRow, installation: Installation): Member {
  const of = {
    ...{ accountFeatures: row.account_features, countryId: row.account_country },
    textNumberIds: row.text_number_ids,
  };
  return {
    ...toUser(row, of, installation),
    LastSeenTimestamp: row.last_seen_at?.toISOString() ?? null,
    HasSecondFactor: row.has_second_factor,
    Invitation:
      row.invited_at === null || row.invitation_expires_at === null
        ? null
        : {
            SentTimestamp: row.invited_at.toISOString(),
            ExpireTimestamp: row.invitation_expires_at.toISOString(),
            IsExpired: row.is_expired,
            Problem: row.mail_problem,
          },
  };
}

export async function getMember(
  trx: Trx,
  actor: Actor,
  userId: number,
  installation: Installation,
): Promise<Member> {
  const where = sql`u.account_id = ${actor.accountId} and u.user_id = ${userId}`;
  const [member] = await selectMembers(trx, { where, installation });
  if (member === undefined) throw new Refusal('notFound');
  return member;
}

export async function getUsersSummary(trx: Trx, actor: Actor) {
  const { rows } = await sql<{ All: number; Enabled: number; Invited: number }>`
    select count(*) as "All", count(*) filter (where u.is_active) as "Enabled",
      (select count(*) from invitations i where i.account_id = ${actor.accountId} and i.accepted_at is null) as "Invited"
    from users u where u.account_id = ${actor.accountId}`.execute(trx);
  const { All, Enabled, Invited } = rows[0] ?? { All: 0, Enabled: 0, Invited: 0 };
  return { All, Enabled, Invited, Disabled: All - Enabled - Invited };
}
