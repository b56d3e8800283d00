import { sql } from 'kysely';
import type { NewBrand, NewCampaign, RegistrationRequest } from '../../contract/registration.ts';
import { createRegistrationRequest } from '../../contract/states/registration-allowed.ts';
import type { RegistrationRequestStatus } from '../../contract/states/registration-request.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import type { Made } from '../outside/registrar.ts';
import type { Actor } from '../serve.ts';
import { type PlainReason, resendPauseSeconds, resendsPerDay } from './rules.ts';

export interface RequestRow {
  account_id: number;
  request_id: number;
  user_id: number;
  kind: 'Local' | 'TollFree';
  aggregator_id: number;
  status: RegistrationRequestStatus;
  brand: NewBrand;
  campaign: NewCampaign;
  reference: string;
  made: Made;
  reasons: PlainReason[];
  attempts: number;
  resends: number;
  resends_on: string | null;
  resent_at: Date | null;
  submitted_at: Date;
  updated_at: Date;
}

export const requestColumns = sql`account_id, request_id, user_id, kind, aggregator_id, status, brand, campaign, reference,
  made, reasons, attempts, resends, resends_on, resent_at, submitted_at, updated_at`;

export function toRequest(row: RequestRow): RegistrationRequest {
  const { brand } = row;
  return {
    requestId: row.request_id,
    kind: row.kind,
    status: row.status,
    brand: {
      entityType: brand.EntityType,
      displayName: brand.DisplayName,
      companyName: brand.CompanyName,
      contactPhone: brand.PhoneNumber,
      authPlusEmail: brand.EntityType === 'PUBLIC_PROFIT' ? brand.BusinessContactEmail : '',
    },
    reasons: row.reasons,
    submittedAt: row.submitted_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    resendAt: resendTime(row).toISOString(),
  };
}

/** Time when the verification may be sent again: a minute after the last one, tomorrow after the fifth. */
export function resendTime(
  row: Pick<RequestRow, 'resends' | 'resends_on' | 'resent_at' | 'submitted_at'>,
): Date {
  const last = row.resent_at ?? row.submitted_at;
  const isFull = row.resends >= resendsPerDay && row.resends_on === last.toISOString().slice(0, 10);
  if (isFull) return new Date(Date.parse(last.toISOString().slice(0, 10)) + 86_400_000);
  return new Date(last.getTime() + resendPauseSeconds * 1000);
}

export async function listRequests(trx: Trx, accountId: number): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select ${requestColumns} from registration_requests
    where account_id = ${accountId} order by request_id desc limit 100`.execute(trx);
  return rows;
}

/** The newest registration of a kind, which is the one that counts. */
export async function findCurrent(
  trx: Trx,
  accountId: number,
  kind: RequestRow['kind'],
): Promise<RequestRow | undefined> {
  const { rows } = await sql<RequestRow>`
    select ${requestColumns} from registration_requests
    where account_id = ${accountId} and kind = ${kind} order by request_id desc limit 1`.execute(trx);
  return rows[0];
}

/** Checks whether the account may register, and returns the reason if it may not. */
export async function judgeRegistration(
  trx: Trx,
  actor: Actor,
  { REGISTRATION_GROUP_CODES }: Pick<Config, 'REGISTRATION_GROUP_CODES'>,
) {
  const { rows } = await sql<{ registered: boolean; group_code: string; is_free_trial: boolean }>`
    select a.group_code, a.is_free_trial, exists (
      select from text_numbers n
      where n.account_id = a.account_id and n.released_at is null and n.registration_status = 'Registered'
        and n.phone !~ '^1(800|833|844|855|866|877|888)') as registered
    from accounts a where a.account_id = ${actor.accountId}`.execute(trx);
  const [row] = rows;
  const current = await findCurrent(trx, actor.accountId, 'Local');
  return createRegistrationRequest({
    IsMasterUser: actor.role === 'owner',
    IsFreeTrial: row?.is_free_trial ?? true,
    // A registered organization needs no second registration: its next number joins the existing one.
    hasRegisteredNumber: row?.registered === true || current?.status === 'Complete',
    isInRegistrationGroup: REGISTRATION_GROUP_CODES.includes((row?.group_code ?? '').toLowerCase()),
  });
}

/** True if the account has numbers at Infobip: its wizard is shorter. */
export async function hasInfobipNumbers(trx: Trx, accountId: number): Promise<boolean> {
  const found = await trx
    .selectFrom('text_numbers')
    .select('text_number_id')
    .where('account_id', '=', accountId)
    .where('aggregator_id', '=', 5)
    .where('released_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
