import { createHash } from 'node:crypto';
import { Refusal } from '../../../contract/errors.ts';
import { characterLimit, longestText } from '../../../contract/forms/compose-text.ts';
import type { BroadcastType } from '../../../contract/money/units.ts';
import { isInternational } from '../../../contract/reference/countries.ts';
import { isMonthly, maySend } from '../../../contract/states/account-status.ts';
import { textToSend } from '../../../contract/text/normalize-text.ts';
import { organizationPrefix } from '../../../contract/text/organization-prefix.ts';
import { hasPersonalizedFields } from '../../../contract/text/personalized-fields.ts';
import type { OpenHours } from '../../../contract/time/calling-window.ts';
import { dayNames } from '../../../contract/time/wall-clock.ts';
import { timeOfDay } from '../../accounts/rules.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { findSecondText } from '../second-text/keep-second-text.ts';
import { shortenBoth } from '../second-text/rules.ts';

/**
 * A broadcast's row with everything that determines its texts and their cost: its sender, and the account's
 * rules. The caller has checked who may see it. If locked, it stays the same until the transaction ends.
 */
export async function readSending(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  { isHeld = false }: { isHeld?: boolean } = {},
) {
  const query = trx
    .selectFrom('broadcasts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .where('deleted_at', 'is', null);
  const row = await (isHeld ? query.forNoKeyUpdate() : query).executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That broadcast is no longer here.');
  const rules = await readRules(trx, accountId, row.user_id);
  const hasMedia = row.media_ids.length > 0;
  const keepCharacters = row.keep_characters;
  const other = await findSecondText(trx, { accountId, broadcastId });
  // A placeholder of the right length for each short link.
  const placed = shortenBoth(row.body, other?.text_message ?? '', row.link_base);
  const prefix = organizationPrefix(rules.organization, row.body);
  // The text as sent: its cost and its length depend on that.
  const body = textToSend(prefix + placed.first, { keepCharacters });
  const suffix = row.include_signature ? textToSend(rules.signature, { keepCharacters }) : '';
  return {
    ...rules,
    ...row,
    // A user chose that this one doesn't wait for quiet hours to end.
    hours: row.hours_set_aside_at === null ? rules.hours : undefined,
    // A sample is free for everybody.
    takesCredits: rules.takesCredits && !row.is_sample,
    broadcast_type: row.broadcast_type as BroadcastType,
    // Prepared by an owner or admin: the limit of whoever presses the button must not stop it.
    maxLength: row.is_emergency ? longestText : rules.maxLength,
    /** As it was written, without the organization's name before it. */
    written: row.body,
    /** The same in the characters that are sent. */
    plain: textToSend(row.body, { keepCharacters }),
    prefix: textToSend(prefix, { keepCharacters }),
    body,
    hasMedia,
    suffix,
    keepCharacters,
    acceptsMissing: row.accepts_missing,
    isPersonalized: hasPersonalizedFields(row.body) || hasPersonalizedFields(other?.text_message ?? ''),
    /** The destinations of the links in both texts. */
    links: placed.links,
    /** The second text of an A/B test; undefined without one. */
    second: other && secondOf(other, { rules, placed: placed.second, keepCharacters }),
  };
}

/** The second text in the same forms as the first. */
function secondOf(
  row: NonNullable<Awaited<ReturnType<typeof findSecondText>>>,
  by: { rules: Awaited<ReturnType<typeof readRules>>; placed: string; keepCharacters: boolean },
) {
  const { placed, keepCharacters } = by;
  const prefix = organizationPrefix(by.rules.organization, row.text_message);
  return {
    share: row.share,
    decideBy: row.decide_by === 'clicks' ? ('Clicks' as const) : ('Replies' as const),
    hours: row.hours,
    written: row.text_message,
    placed,
    prefix: textToSend(prefix, { keepCharacters }),
    body: textToSend(prefix + placed, { keepCharacters }),
  };
}
export type Sending = Awaited<ReturnType<typeof readSending>>;

/** The rules for the texts of a user, by their account. */
async function readRules(trx: Trx, accountId: number, userId: number) {
  const row = await trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .select([
      'users.signature_text',
      'users.text_character_limit',
      'accounts.country_id',
      'accounts.company_name',
      'accounts.sender_name',
      'accounts.prepend_organization_to_text',
      'accounts.type_id',
      'accounts.is_monthly_mms_enabled',
      'accounts.status_id',
      'accounts.subscription_end_at',
      'accounts.subscription_cycle_start_at',
      'accounts.is_free_trial',
      'accounts.time_zone',
      'accounts.quiet_hours_on',
      'accounts.quiet_start',
      'accounts.quiet_stop',
      'accounts.messages_per_day',
      'accounts.monthly_level',
      'accounts.unique_call_count',
    ])
    .where('users.account_id', '=', accountId)
    .where('users.user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const hours: OpenHours = {
    CallingWindowDays: dayNames,
    StartTimeOfDay: timeOfDay(row.quiet_start),
    StopTimeOfDay: timeOfDay(row.quiet_stop),
  };
  return {
    accountId,
    organization: {
      CompanyName: row.company_name,
      SenderName: row.sender_name,
      Profile: { PrependOrganizationToText: row.prepend_organization_to_text },
    },
    signature: row.signature_text,
    maxLength: characterLimit(row.text_character_limit),
    international: isInternational(row.country_id),
    // Monthly accounts pay by the month, not by the text.
    takesCredits: !isMonthly({ AccountTypeID: row.type_id }),
    // On a monthly plan, pictures cost more than the fee: a user has to have agreed to that.
    mayHavePictures: !isMonthly({ AccountTypeID: row.type_id }) || row.is_monthly_mms_enabled,
    maySend: maySend(
      {
        AccountStatusID: row.status_id,
        SubscriptionEndDate: row.subscription_end_at?.toISOString() ?? null,
      },
      nowMs(),
    ),
    isFreeTrial: row.is_free_trial,
    accountZone: row.time_zone,
    hours: row.quiet_hours_on ? hours : undefined,
    quietHours: row,
    messagesPerDay: row.messages_per_day,
    group: {
      MonthlyLevel: row.monthly_level,
      UniqueCallCount: row.unique_call_count,
      cycleStart: row.subscription_cycle_start_at,
    },
  };
}

/** The inputs of a merge, besides the recipients: texts fixed by hand stay as long as these are the same. */
export function textKey({ body, second, suffix, hasMedia, maxLength, keepCharacters }: MergeInput): string {
  const rest = [...(keepCharacters ? ['kept'] : []), ...(second === undefined ? [] : [second.body])];
  const parts = JSON.stringify([body, suffix, hasMedia, maxLength, ...rest]);
  return createHash('sha256').update(parts).digest('base64url');
}

type MergeInput = Pick<Sending, 'body' | 'second' | 'suffix' | 'hasMedia' | 'maxLength' | 'keepCharacters'>;

/** Identifies a merge: if the row has this key, and the merge is done, nothing has changed since. */
export function mergeKey(sending: MergeInput & Pick<Sending, 'recipients_version'>): string {
  return `${textKey(sending)}.${sending.recipients_version}`;
}

/** True if every recipient's text is known: one without personalized fields is the same for all. */
export function isMergeFresh(sending: Sending): boolean {
  if (!sending.isPersonalized) return true;
  return sending.merge_state === 'done' && sending.merge_key === mergeKey(sending);
}
