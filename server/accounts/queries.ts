import type { Selectable } from 'kysely';
import type { Account, User } from '../../contract/accounts.ts';
import { isInternalStaff } from '../../contract/permissions.ts';
import { wirePhone } from '../../contract/phone/normalize-phone.ts';
import { phonePattern } from '../../contract/phone/phone-pattern.ts';
import { characterCounts } from '../../contract/reference/sending-options.ts';
import { accountTypes } from '../../contract/states/account-status.ts';
import { formatClockTime } from '../../contract/time/clock-time.ts';
import { listDenials } from '../access/refuse-unless.ts';
import { nowMs } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import { linkTo } from '../media-links.ts';
import type { DB } from '../schema.types.ts';
import type { Actor } from '../serve.ts';
import { currentTerms } from './read-terms.ts';
import { timeOfDay, zoneSetting } from './rules.ts';

/** The settings of an installation that affect users and organizations. */
export type Installation = Pick<
  Config,
  'STAFF_DOMAIN' | 'SPECIAL_GROUP_CODES' | 'TERMS_FILE' | 'TERMS_VERSION'
>;
const noInstallation: Installation = { STAFF_DOMAIN: '', SPECIAL_GROUP_CODES: [] };

export type UserRow = Selectable<DB['users']>;

/** The URL of a profile picture. Each picture has its own key, so that browsers may cache it. */
export function pictureUrl(key: string | null): string | null {
  return key === null ? null : linkTo(`/media/people/${key}`, 'page');
}

/** The user of a row, without the fields that only the users themselves may see. */
export function toUser(
  row: UserRow,
  of: { accountFeatures: string[]; textNumberIds: number[]; countryId: number },
  installation: Installation = noInstallation,
): Omit<User, 'UserHash' | 'Denied'> {
  const { STAFF_DOMAIN } = installation;
  const isOwner = row.role === 'owner';
  return {
    UserID: row.user_id,
    UserName: row.user_name,
    FirstName: row.first_name,
    LastName: row.last_name,
    Email: row.email,
    Phone: wirePhone(row.phone, of.countryId),
    CallerID: wirePhone(row.caller_id, of.countryId),
    IsMasterUser: isOwner,
    IsAccountAdmin: row.role === 'admin',
    IsActive: row.is_active,
    CanCreateBroadcast: row.can_create_broadcast,
    Permissions: {
      CanSeeAllBroadcasts: isOwner || row.can_see_all_broadcasts,
      CanSeeAllRoster: isOwner || row.can_see_all_roster,
      CanSeeGroupAudio: isOwner || row.can_see_group_audio,
    },
    Features: [...new Set([...of.accountFeatures, ...row.features])],
    ...zoneSetting(row.time_zone, nowMs()),
    TimeZone: row.time_zone,
    LanguageID: row.language_id,
    AgreedToTermsOfUse: row.agreed_to_terms_at !== null,
    IsTermsOfUseCurrent:
      row.agreed_to_terms_at !== null && row.terms_version === currentTerms(installation).version,
    NeedsEmailVerification: row.needs_email_verification,
    NeedsOnboarding: row.onboarding === 'open',
    HasTextNumberAssigned: of.textNumberIds.length > 0,
    BrowserNotificationsDoNotDisturb: row.browser_notifications_do_not_disturb,
    DefaultSettingCharacterCount: row.default_character_count,
    DefaultSettingCharacterCountOptions: [...characterCounts],
    TextMessageCharacterLimit: row.text_character_limit,
    MaxMessageLength: row.max_message_length,
    NotificationPhone: wirePhone(row.notification_phone, of.countryId),
    CallThrottle: row.call_throttle,
    Retries: row.retries,
    CallingWindowDays: row.calling_days,
    StartTimeOfDay: timeOfDay(row.calling_start),
    StopTimeOfDay: timeOfDay(row.calling_stop),
    ContinueOnNextDay: row.continue_on_next_day,
    TextNumbers: of.textNumberIds,
    Signature: { IsEnabled: row.signature_enabled, SignatureText: row.signature_text },
    PictureUrl: pictureUrl(row.picture_key),
    // Anybody can enter an address of the company; only the owner of the address receives the link.
    IsInternalStaff: !row.needs_email_verification && isInternalStaff(row.email, STAFF_DOMAIN),
    Version: row.version,
  };
}

export async function getUser(
  trx: Trx,
  actor: Actor,
  userHash: string,
  installation: Installation = noInstallation,
): Promise<User> {
  const row = await trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .selectAll('users')
    .select('accounts.features as account_features')
    .where('users.account_id', '=', actor.accountId)
    .where('users.user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  const of = {
    ...{ accountFeatures: row.account_features, textNumberIds: actor.textNumberIds },
    countryId: actor.account.CountryID,
  };
  return { ...toUser(row, of, installation), Denied: listDenials(actor), UserHash: userHash };
}

export async function getAccount(
  trx: Trx,
  actor: Actor,
  { SPECIAL_GROUP_CODES }: Installation = noInstallation,
): Promise<Account> {
  const row = await trx
    .selectFrom('accounts')
    .selectAll()
    .select((from) => [
      from
        .selectFrom('users')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('users.account_id', '=', 'accounts.account_id')
        .where('users.is_active', '=', true)
        .as('messenger_count'),
      from
        .selectFrom('subscriptions')
        .select('monthly_fee_cents')
        .whereRef('subscriptions.account_id', '=', 'accounts.account_id')
        .as('monthly_fee_cents'),
    ])
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
  const moment = (date: Date | null) => date?.toISOString() ?? null;
  return {
    AccountID: row.account_id,
    CompanyName: row.company_name,
    State: row.state,
    CountryID: row.country_id,
    TimeZone: row.time_zone,
    AccountStatusID: row.status_id,
    AccountTypeID: row.type_id,
    IsFreeTrial: row.is_free_trial,
    FreeTrialConversion: row.free_trial_conversion,
    IsText2: row.is_text2,
    AccountKeyword: row.keyword,
    RequireTextOptIn: row.require_text_opt_in,
    IsAutoReplyOn: row.is_auto_reply_on,
    AutoReplyMessage: row.auto_reply_message,
    SubscriptionEndDate: moment(row.subscription_end_at),
    SubscriptionCycleStartDate: moment(row.subscription_cycle_start_at),
    SubscriptionCycleEndDate: moment(row.subscription_cycle_end_at),
    MonthlyLevel: row.monthly_level,
    NextMonthlyLevel: row.next_monthly_level,
    MonthlyFee:
      row.type_id === accountTypes.monthly && row.monthly_fee_cents !== null
        ? row.monthly_fee_cents / 100
        : null,
    NextMonthlyFee: row.next_monthly_fee_cents === null ? null : row.next_monthly_fee_cents / 100,
    AvailableCallUnits: row.credit_balance - row.credit_reserved,
    CallBalance: row.credit_balance,
    PendingCallBalance: row.credit_reserved,
    UniqueCallCount: row.unique_call_count,
    GroupCode: row.group_code,
    HasSpecialGroupCode: SPECIAL_GROUP_CODES.includes(row.group_code.toLowerCase()),
    IndustryID: row.industry_id,
    InvoiceSelfService: row.invoice_self_service,
    PaysInvoicesOffline: row.pays_invoices_offline,
    IsMonthlyMMSEnabled: row.is_monthly_mms_enabled,
    PartialCreditsEnabled: row.partial_credits_enabled,
    Created: row.created_at.toISOString(),
    ReactivationDate: moment(row.reactivation_at),
    InvoiceRenewal:
      row.invoice_renewal_at === null
        ? null
        : {
            RenewalDate: moment(row.invoice_renewal_at),
            InvoiceDuration: row.invoice_duration,
            AutoRenewal: row.invoice_auto_renewal,
          },
    Profile: {
      VoiceAllowed: row.voice_allowed,
      PrependOrganizationToText: row.prepend_organization_to_text,
      AllowAddIndividualNumbersInBroadcast: row.allow_add_individual_numbers_in_broadcast,
      AllowCopyPasteInBroadcast: row.allow_copy_paste_in_broadcast,
      ExplicitOptInRequired: row.explicit_opt_in_required,
    },
    SenderName: row.sender_name,
    MessengerCount: row.messenger_count ?? 0,
    IsApiAuthorized: row.is_api_authorized,
    PAYGPricingPlanID: row.payg_pricing_plan_id,
    MonthlyPricingPlanID: row.monthly_pricing_plan_id,
    FlatRateConversationPricingID: row.flat_rate_conversation_pricing_id,
    CountryValidationPattern: phonePattern(row.country_id),
    BroadcastLimit:
      row.most_broadcasts === null || row.most_broadcasts_days === null
        ? null
        : { Most: row.most_broadcasts, Days: row.most_broadcasts_days },
    QuietHours: {
      IsOn: row.quiet_hours_on,
      Start: formatClockTime(timeOfDay(row.quiet_start)),
      Stop: formatClockTime(timeOfDay(row.quiet_stop)),
    },
  };
}
