import { type RawBuilder, sql } from 'kysely';
import type { mergeStatuses } from '../../../contract/compose.ts';
import { nonWhitespace, required } from '../../../contract/fields/basic-rules.ts';
import { restrictShortUrls } from '../../../contract/fields/content-rules.ts';
import { maxTextLength } from '../../../contract/fields/max-text-length.ts';
import { firstFailure, when } from '../../../contract/fields/rule.ts';
import { contactMergeFields, mergeFieldOf, mergeValues } from '../../../contract/text/merge-fields.ts';
import { textToSend } from '../../../contract/text/normalize-text.ts';
import { findPersonalizedFields, personalize } from '../../../contract/text/personalized-fields.ts';
import { withSuffix } from '../../../contract/text/segments.ts';
import { exceedsLength, textTooLong } from '../../../contract/text/text-length.ts';
import { isSeenContact, seesContact } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { weighText } from '../../texts/create-texts.ts';
import { missingData } from '../../texts/judge-texts.ts';

/** A recipient with their values for the fields of a text. */
export interface MergeRecipient {
  recipientId: number;
  /** International digits without the plus; empty for an invalid number. */
  phone: string;
  problem: string | null;
  /** The result of the last merge; null for the number that most have (broadcasts.segments). */
  segments: number | null;
  firstName: string;
  lastName: string;
  notes: string;
  /** By the field's name. */
  customData: Record<string, string>;
  /** Written by hand: it is sent unchanged, including the signature. */
  ownBody: string | null;
}

interface Row extends Omit<MergeRecipient, 'customData'> {
  customData: Record<string, string> | null;
  fieldData: Record<string, string> | null;
  isHidden: boolean;
}

/** Custom fields are read only for a text that names one. */
function needsCustomData(text: string): boolean {
  const ownFields = new Set(contactMergeFields.map((field) => field.toLowerCase()));
  return findPersonalizedFields(text).some(({ name }) => !ownFields.has(name.toLowerCase()));
}

/**
 * Recipients of a broadcast, `r`, with their values: current ones of a contact, otherwise those given. A
 * value typed for this broadcast overrides the contact's. Notes and custom fields of contacts that the sender
 * doesn't see count as empty, in the text as in every preview. For an actor who sees fewer contacts than the
 * sender, the field stands for its value.
 */
export async function readMergeRecipients(
  trx: Trx,
  of: { accountId: number; broadcastId: number; text: string; shownTo?: Actor },
  which: { where: RawBuilder<unknown>; rest?: RawBuilder<unknown> },
): Promise<MergeRecipient[]> {
  const isCustom = needsCustomData(of.text);
  const isUsed =
    isCustom || findPersonalizedFields(of.text).some(({ name }) => name.toLowerCase() === 'notes');
  const bySender = sql`exists (
    select from broadcasts b join users u on u.account_id = b.account_id and u.user_id = b.user_id
    where b.account_id = r.account_id and b.broadcast_id = r.broadcast_id and ${seesContact()})`;
  const { rows } = await sql<Row>`
    select r.recipient_id as "recipientId", coalesce(r.phone, '') as phone, r.problem, r.segments, r.own_body as "ownBody",
      coalesce(c.first_name, r.first_name) as "firstName", coalesce(c.last_name, r.last_name) as "lastName",
      ${isUsed ? sql`coalesce(case when ${bySender} then c.notes end, '')` : sql`''`} as notes,
      ${isUsed && of.shownTo ? sql`not ${isSeenContact(of.shownTo)}` : sql`false`} as "isHidden",
      ${isCustom ? sql`r.custom_data` : sql`null::jsonb`} as "customData",
      ${isCustom ? sql`case when ${bySender} then c.custom_data end` : sql`null::jsonb`} as "fieldData"
    from broadcast_recipients r
    left join contacts c on c.account_id = r.account_id and c.person_id = r.person_id and c.deleted_at is null
    where r.account_id = ${of.accountId} and r.broadcast_id = ${of.broadcastId} and ${which.where}
    ${which.rest ?? sql`order by r.recipient_id`}`.execute(trx);
  const names = isCustom ? await fieldNames(trx, of.accountId) : new Map<string, string>();
  return rows.map(({ fieldData, customData, isHidden, ...row }) => {
    const data = byName(fieldData, names);
    return {
      ...row,
      notes: isHidden && row.notes !== '' ? '{{Notes}}' : row.notes,
      customData: { ...(isHidden ? hideValues(data) : data), ...customData },
    };
  });
}

function hideValues(data: Record<string, string>): Record<string, string> {
  const shown = (name: string, value: string) => (value === '' ? '' : `{{${mergeFieldOf(name)}}}`);
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, shown(name, value)]));
}

async function fieldNames(trx: Trx, accountId: number): Promise<Map<string, string>> {
  const rows = await trx
    .selectFrom('custom_fields')
    .select(['field_id', 'name'])
    .where('account_id', '=', accountId)
    .execute();
  return new Map(rows.map(({ field_id, name }) => [String(field_id), name]));
}

function byName(data: Record<string, string> | null, names: Map<string, string>): Record<string, string> {
  const named: Record<string, string> = {};
  for (const [fieldId, value] of Object.entries(data ?? {})) {
    const name = names.get(fieldId);
    if (name !== undefined) named[name] = value;
  }
  return named;
}

/** Reasons why a merge leaves somebody out. */
export const mergeProblems: RawBuilder<unknown> = sql`('too_long', 'invalid_field', 'missing_data')`;

/** The inputs of a text besides the recipient. */
export interface CommonText {
  body: string;
  /** The other of the two texts of an A/B test. */
  second?: { body: string } | undefined;
  suffix: string;
  /** Values are also inserted as they are written, not in plain characters. */
  keepCharacters: boolean;
  /** Texts that lack a value are sent anyway. */
  acceptsMissing: boolean;
  hasMedia: boolean;
  maxLength: number;
  international: boolean;
}

export interface MergedText {
  /** As sent, with the signature. */
  text: string;
  segments: number;
  status: (typeof mergeStatuses)[number];
  /** Reason why it can't be sent; null when it can. */
  problem: 'too_long' | 'invalid_field' | 'missing_data' | null;
  /** The same in words; for a text that lacks a value and is sent anyway, what it lacks. */
  error: string;
}

/**
 * The text of one recipient, and whether it can be sent. Of two texts, the one that can't be sent or that
 * takes more segments: each recipient of the rest may get either.
 */
export function mergeText(recipient: MergeRecipient, common: CommonText): MergedText {
  const { second, ...first } = common;
  const one = mergeOne(recipient, first);
  if (second === undefined || one.problem !== null) return one;
  const other = mergeOne(recipient, { ...first, body: second.body });
  if (other.problem !== null || other.segments > one.segments) return other;
  return one.status === 'Valid' && other.status !== 'Valid' ? other : one;
}

function mergeOne(recipient: MergeRecipient, common: CommonText): MergedText {
  const { missing, ...words } = wordsOf(recipient, common);
  return judge({ ...common, ...words }, missing);
}

/** The words of both texts, for questions about all of their fields. */
export function bothTexts({ body, second }: Pick<CommonText, 'body' | 'second'>): string {
  return second === undefined ? body : `${body}\n${second.body}`;
}

/** The same without a check, for texts that were checked before they were sent. */
export function writeText(recipient: MergeRecipient, common: Words): string {
  const { message, suffix } = wordsOf(recipient, common);
  return withSuffix(message, suffix);
}

type Words = Pick<CommonText, 'body' | 'suffix' | 'keepCharacters'>;

function wordsOf(recipient: MergeRecipient, { body, suffix, keepCharacters }: Words) {
  const toSend = (text: string) => textToSend(text, { keepCharacters });
  if (recipient.ownBody !== null) return { message: toSend(recipient.ownBody), suffix: '', missing: [] };
  const { text, missing } = personalize(body, mergeValues(recipient));
  return { message: toSend(text), suffix: toSend(suffix), missing };
}

function judge(
  words: Omit<CommonText, 'body'> & { message: string },
  missing: readonly string[],
): MergedText {
  const { message, suffix, hasMedia, maxLength, international, keepCharacters } = words;
  // The sender computes the cost from the segments.
  const by = { international, takesCredits: false, flatRateStatus: null };
  const { body: text, segments } = weighText({ message, suffix, hasMedia, keepCharacters }, by);
  const error = firstFailure(message, [
    ...when(!hasMedia, required('Text Message')),
    nonWhitespace('Text Message'),
    restrictShortUrls('Text Message'),
    maxTextLength(maxLength, textTooLong(maxLength), suffix),
  ]);
  if (error !== undefined) {
    return exceedsLength(message, maxLength, suffix)
      ? { text, segments, status: 'ExceedsLimit', problem: 'too_long', error }
      : { text, segments, status: 'InvalidField', problem: 'invalid_field', error };
  }
  const [lacking] = missing;
  if (lacking === undefined) return { text, segments, status: 'Valid', problem: null, error: '' };
  const problem = words.acceptsMissing ? null : 'missing_data';
  return { text, segments, status: 'MissingData', problem, error: missingData(lacking) };
}
