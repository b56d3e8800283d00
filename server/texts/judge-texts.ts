import { sql } from 'kysely';
import type { mergeStatuses } from '../../contract/compose.ts';
import { asynchronousMessages } from '../../contract/fields/asynchronous-checks.ts';
import { firstFailure } from '../../contract/fields/rule.ts';
import { characterLimit, composedText } from '../../contract/forms/compose-text.ts';
import { isInternational } from '../../contract/reference/countries.ts';
import { isMonthly } from '../../contract/states/account-status.ts';
import { textToSend } from '../../contract/text/normalize-text.ts';
import { personalize, personalizedFieldError } from '../../contract/text/personalized-fields.ts';
import { exceedsLength } from '../../contract/text/text-length.ts';
import { isTextable } from '../consents/rules.ts';
import type { Trx } from '../db.ts';
import type { LineType } from '../outside/phone-lookup.ts';
import { weighText } from './create-texts.ts';
import { accountBar, accountRules, notVerified } from './find-barred.ts';

/** Their account and user. */
export interface Writer {
  accountId: number;
  userId: number;
}

type MergeStatus = (typeof mergeStatuses)[number];

/** The text for one phone. */
export interface Draft {
  /** International digits without the plus. */
  phone: string;
  message: string;
  /** The values of personalized fields; undefined: the text is sent unchanged, including braces. */
  values: Readonly<Record<string, string | undefined>> | undefined;
}

export interface JudgedText {
  /** Without a fault it is Valid or MissingData; with one it must not be sent. */
  status: MergeStatus;
  /** The specification's sentence; empty when it is Valid. */
  error: string;
  /**
   * The source of the error: the account may text nobody, the phone may not be texted, or the text is
   * invalid.
   */
  fault: 'account' | 'phone' | 'text' | undefined;
  body: string;
  segments: number;
  credits: number;
}

/**
 * The text for each phone, and whether it may be sent, each with its draft: two statements whatever the
 * number. Writes nothing.
 */
export async function judgeTexts<Given extends Draft>(
  trx: Trx,
  writer: Writer,
  texts: {
    drafts: Given[];
    includeSignature: boolean;
    /** Send the characters as written, not in their plain form. */
    keepCharacters?: boolean | undefined;
    hasMedia: boolean;
    flatRateStatus: string | null;
    /** True if a known landline is refused. Not in a thread: somebody who wrote to us can be texted. */
    asksForLine: boolean;
  },
): Promise<(JudgedText & { draft: Given })[]> {
  const rules = await getRules(trx, writer);
  const phones = await readPhones(
    trx,
    writer,
    texts.drafts.map((draft) => draft.phone),
  );
  const suffix = texts.includeSignature ? textToSend(rules.signature, texts) : '';
  const { hasMedia, flatRateStatus, asksForLine, keepCharacters } = texts;
  return texts.drafts.map((draft) => {
    const { phone, message, values } = draft;
    const merged = values === undefined ? { text: message, missing: [] } : personalize(message, values);
    // The length as sent counts: an ellipsis becomes three dots.
    const text = textToSend(merged.text, texts);
    const weighed = weighText(
      { message: text, suffix, hasMedia, keepCharacters },
      { ...rules, flatRateStatus },
    );
    const found =
      accountFault(rules.bar) ??
      phoneFault(phones.get(phone), { ...rules, asksForLine }) ??
      textFault({ message, merged: text, isMerged: values !== undefined }, { ...rules, suffix, hasMedia });
    if (found !== undefined) return { draft, ...found, ...weighed };
    const [missing] = merged.missing;
    return missing === undefined
      ? { draft, status: 'Valid', error: '', fault: undefined, ...weighed }
      : { draft, status: 'MissingData', error: missingData(missing), fault: undefined, ...weighed };
  });
}

/** Our own sentence: the specification has the state and no sentence. */
export function missingData(field: string): string {
  return `There is no ${field} for this contact.`;
}

type Fault = Pick<JudgedText, 'status' | 'error' | 'fault'>;

function accountFault(bar: string | undefined): Fault | undefined {
  return bar === undefined ? undefined : { status: 'AccountBlocked', error: bar, fault: 'account' };
}

function phoneFault(
  known: KnownPhone | undefined,
  {
    needsOptIn,
    isFreeTrial,
    asksForLine,
  }: { needsOptIn: boolean; isFreeTrial: boolean; asksForLine: boolean },
): Fault | undefined {
  const fault = (status: MergeStatus, error: string) => ({ status, error, fault: 'phone' as const });
  const { textState, isValid, lineType } = known ?? {};
  if (asksForLine && !isTextable({ isValid: isValid ?? true, lineType: lineType ?? null })) {
    return fault('NotTextable', asynchronousMessages.notTextable);
  }
  if (textState === 'out') return fault('OptedOut', asynchronousMessages.optedOutOfTexts);
  if (needsOptIn && textState !== 'in') return fault('NotOptedIn', asynchronousMessages.notOptedIn);
  if (isFreeTrial && !known?.isVerified) return fault('NotVerified', notVerified);
  return undefined;
}

function textFault(
  { message, merged, isMerged }: { message: string; merged: string; isMerged: boolean },
  { maxLength, suffix, hasMedia }: { maxLength: number; suffix: string; hasMedia: boolean },
): Fault | undefined {
  const fieldError = isMerged ? personalizedFieldError(message) : undefined;
  if (fieldError !== undefined) return { status: 'InvalidField', error: fieldError, fault: 'text' };
  const error = firstFailure(merged, composedText({ maxLength, signature: suffix, hasMedia }));
  if (error === undefined) return undefined;
  // A text that is empty after its fields are filled in can't be sent either.
  const status = exceedsLength(merged, maxLength, suffix) ? 'ExceedsLimit' : 'InvalidField';
  return { status, error, fault: 'text' };
}

async function getRules(trx: Trx, writer: Writer) {
  const row = await trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .select(accountRules)
    .select([
      'users.features',
      'users.signature_text',
      'users.text_character_limit',
      'accounts.country_id',
      'accounts.type_id',
      'accounts.require_text_opt_in',
      'accounts.explicit_opt_in_required',
    ])
    .where('users.account_id', '=', writer.accountId)
    .where('users.user_id', '=', writer.userId)
    .executeTakeFirstOrThrow();
  return {
    bar: accountBar(row, row.features),
    isFreeTrial: row.isFreeTrial,
    signature: row.signature_text,
    maxLength: characterLimit(row.text_character_limit),
    international: isInternational(row.country_id),
    // Monthly accounts pay by the month, not by the text.
    takesCredits: !isMonthly({ AccountTypeID: row.type_id }),
    needsOptIn: row.require_text_opt_in || row.explicit_opt_in_required,
  };
}

interface KnownPhone {
  textState: 'in' | 'out' | null;
  isValid: boolean | null;
  lineType: LineType | null;
  isVerified: boolean;
}

async function readPhones(trx: Trx, writer: Writer, phones: string[]): Promise<Map<string, KnownPhone>> {
  const { rows } = await sql<KnownPhone & { phone: string }>`
    select p.phone, c.text_state as "textState", l.is_valid as "isValid", l.line_type as "lineType",
      v.phone is not null as "isVerified"
    from (select distinct phone from unnest(${phones}::text[]) phone) p
    left join phone_consents c on c.account_id = ${writer.accountId} and c.phone = p.phone
    left join phone_lookups l on l.account_id = ${writer.accountId} and l.phone = p.phone
    left join verified_phones v on v.account_id = ${writer.accountId} and v.phone = p.phone`.execute(trx);
  return new Map(rows.map((row) => [row.phone, row]));
}
