import { sql } from 'kysely';
import type { Role, Who } from '../../contract/permissions.ts';
import { findAreaCode } from '../../contract/phone/area-codes.ts';
import { isTollFree } from '../../contract/phone/toll-free.ts';
import { maySend } from '../../contract/states/account-status.ts';
import { nowMs } from '../clock.ts';
import type { Trx } from '../db.ts';
import { usesNumber } from './queries.ts';

/**
 * The actor: the user behind a session, or the user in whose name a job runs. Everything that decides what
 * they may do and see.
 */
export interface Actor {
  accountId: number;
  userId: number;
  /** 0 when the actor has no session. */
  sessionId: number;
  role: Role;
  isActive: boolean;
  name: string;
  timeZone: string;
  languageId: number;
  /** True if the user sees all contacts, not only those they added. */
  canSeeAllRoster: boolean;
  canSeeAllBroadcasts: boolean;
  canSeeGroupAudio: boolean;
  canCreateBroadcast: boolean;
  /** Features of the user and of the account. */
  features: string[];
  /** The text numbers that the user may use. */
  textNumberIds: number[];
  hasRegisteredUsNumber: boolean;
  account: Who['account'];
  /** Network address of the request: saved with what the user declares. Empty when there is no session. */
  address: string;
  /** A short name of the browser or program that makes the request. */
  agent?: string;
  /** The host name of the request: passkeys belong to it. */
  host?: string;
  /** True if the user has proved their identity in the last few minutes (server/auth). */
  isConfirmed?: boolean;
  /** The API key that a program uses, and what it is limited to (contract/scopes.ts). */
  apiKeyId?: number;
  scopes?: readonly string[];
}

interface ActorRow
  extends Pick<Actor, 'accountId' | 'userId' | 'role' | 'isActive' | 'name' | 'timeZone' | 'languageId'> {
  canSeeAllRoster: boolean;
  canSeeAllBroadcasts: boolean;
  canSeeGroupAudio: boolean;
  canCreateBroadcast: boolean;
  features: string[];
  textNumberIds: number[];
  registeredPhones: string[];
  statusId: number;
  subscriptionEndAt: Date | null;
  typeId: number;
  isFreeTrial: boolean;
  countryId: number;
  voiceAllowed: boolean;
  isApiAuthorized: boolean;
  invoiceSelfService: boolean;
  hasCardOnFile: boolean;
  emergenciesByEveryone: boolean;
}

/**
 * Owners and admins may use every number of the account, others only those assigned to them. `users` is the
 * user.
 */
const usableNumbers = sql`
  from text_numbers n
  where n.account_id = users.account_id and n.released_at is null
    and ${usesNumber(sql`n.text_number_id`, sql`users`)}`;

/** The columns of `users` and `accounts` that make an actor: sessions and jobs select the same ones. */
export const actorColumns = [
  'users.account_id as accountId',
  'users.user_id as userId',
  sql<Role>`users.role`.as('role'),
  'users.is_active as isActive',
  'users.time_zone as timeZone',
  'users.language_id as languageId',
  sql<string>`users.first_name || ' ' || users.last_name`.as('name'),
  sql<boolean>`users.role = 'owner' or users.can_see_all_roster`.as('canSeeAllRoster'),
  sql<boolean>`users.role = 'owner' or users.can_see_all_broadcasts`.as('canSeeAllBroadcasts'),
  sql<boolean>`users.role = 'owner' or users.can_see_group_audio`.as('canSeeGroupAudio'),
  sql<boolean>`users.role = 'owner' or users.can_create_broadcast`.as('canCreateBroadcast'),
  sql<string[]>`accounts.features || users.features`.as('features'),
  sql<number[]>`array(select n.text_number_id ${usableNumbers} order by n.text_number_id)`.as(
    'textNumberIds',
  ),
  sql<string[]>`array(select n.phone ${usableNumbers} and n.registration_status = 'Registered')::text[]`.as(
    'registeredPhones',
  ),
  'accounts.status_id as statusId',
  'accounts.subscription_end_at as subscriptionEndAt',
  'accounts.type_id as typeId',
  'accounts.is_free_trial as isFreeTrial',
  'accounts.country_id as countryId',
  'accounts.voice_allowed as voiceAllowed',
  'accounts.is_api_authorized as isApiAuthorized',
  'accounts.invoice_self_service as invoiceSelfService',
  sql<boolean>`exists (select from cards where cards.account_id = accounts.account_id)`.as('hasCardOnFile'),
  sql<boolean>`exists (select from emergency_settings e
    where e.account_id = accounts.account_id and e.is_for_everyone)`.as('emergenciesByEveryone'),
] as const;

export function toActor(row: ActorRow, from: { sessionId: number; address: string }): Actor {
  const { accountId, userId, role, isActive, name, timeZone, languageId, features, textNumberIds } = row;
  const { canSeeAllRoster, canSeeAllBroadcasts, canSeeGroupAudio, canCreateBroadcast } = row;
  const account = {
    AccountStatusID: row.statusId,
    SubscriptionEndDate: row.subscriptionEndAt?.toISOString() ?? null,
  };
  return {
    ...{ accountId, userId, role, isActive, name, timeZone, languageId, textNumberIds, ...from },
    ...{ canSeeAllRoster, canSeeAllBroadcasts, canSeeGroupAudio, canCreateBroadcast },
    features: [...new Set(features)],
    hasRegisteredUsNumber: row.registeredPhones.some(isUsNumber),
    account: {
      AccountTypeID: row.typeId,
      IsFreeTrial: row.isFreeTrial,
      CountryID: row.countryId,
      maySend: maySend(account, nowMs()),
      VoiceAllowed: row.voiceAllowed,
      IsApiAuthorized: row.isApiAuthorized,
      InvoiceSelfService: row.invoiceSelfService,
      hasCardOnFile: row.hasCardOnFile,
      EmergenciesByEveryone: row.emergenciesByEveryone,
    },
  };
}

/** Toll-free numbers have no country; an account that registered one here registered it in the US. */
function isUsNumber(phone: string): boolean {
  const code = /^1(\d{3})\d{7}$/.exec(phone)?.[1];
  return code !== undefined && (isTollFree(phone) || findAreaCode(code)?.country === 'US');
}

/** A user of the account as an actor, whether active or deactivated; undefined when there is no such user. */
export async function findUserActor(trx: Trx, accountId: number, userId: number): Promise<Actor | undefined> {
  const row = await trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .select(actorColumns)
    .where('users.account_id', '=', accountId)
    .where('users.user_id', '=', userId)
    .executeTakeFirst();
  return row && toActor(row, { sessionId: 0, address: '' });
}

/** The same for messages sent in a user's name: also undefined when the user was deactivated. */
export async function findActiveActor(
  trx: Trx,
  accountId: number,
  userId: number,
): Promise<Actor | undefined> {
  const actor = await findUserActor(trx, accountId, userId);
  return actor?.isActive ? actor : undefined;
}
