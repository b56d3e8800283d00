import { type RawBuilder, sql } from 'kysely';
import type { consentFilters } from '../../../contract/contacts.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { Segment, SegmentRule } from '../../../contract/lists.ts';
import type { Trx } from '../../db.ts';

type Condition = RawBuilder<unknown>;
type FieldRule = Extract<SegmentRule, { Kind: 'field' }>;

/** The valid references of a segment: groups and custom fields that still exist. */
interface Parts {
  groups: Set<number>;
  fields: Set<number>;
}

const nothing = sql`false`;

/**
 * A segment as a condition on `contacts c`. A rule about a deleted group or field matches nothing: better nobody than
 * the wrong people.
 */
export async function segmentCondition(trx: Trx, accountId: number, segment: Segment): Promise<Condition> {
  const [condition = nothing] = await segmentConditions(trx, accountId, [segment]);
  return condition;
}

/** The same for several, in their order. */
export async function segmentConditions(
  trx: Trx,
  accountId: number,
  segments: Segment[],
): Promise<Condition[]> {
  const parts = await findParts(trx, accountId, segments);
  return segments.map(({ Match, Rules }) => {
    const conditions = Rules.map((rule) => sql`(${ruleCondition(rule, parts)})`);
    return sql`(${sql.join(conditions, Match === 'all' ? sql` and ` : sql` or `)})`;
  });
}

/** Before a segment is saved or counted: checks that everything it names exists. */
export async function requireSegmentParts(trx: Trx, accountId: number, segment: Segment): Promise<void> {
  const { groups, fields } = await findParts(trx, accountId, [segment]);
  for (const rule of segment.Rules) {
    if (rule.Kind === 'group' && !groups.has(rule.ListID)) throw new Refusal('notFound');
    if (rule.Kind === 'field' && rule.Field === 'custom' && !fields.has(rule.FieldID ?? 0)) {
      throw new Refusal('notFound');
    }
  }
}

/** Groups with members only: a segment can't refer to another segment, which could refer back to it. */
async function findParts(trx: Trx, accountId: number, segments: Segment[]): Promise<Parts> {
  const rules = segments.flatMap(({ Rules }) => Rules);
  const groupIds = rules.flatMap((rule) => (rule.Kind === 'group' ? [rule.ListID] : []));
  const fieldIds = rules.flatMap((rule) => (rule.Kind === 'field' ? [rule.FieldID ?? 0] : []));
  if (groupIds.length + fieldIds.length === 0) return { groups: new Set(), fields: new Set() };
  const { rows } = await sql<{ groups: number[]; fields: number[] }>`
    select
      array(select group_id from groups
        where account_id = ${accountId} and group_id = any(${groupIds}::bigint[])
          and deleted_at is null and segment is null) as groups,
      array(select field_id from custom_fields
        where account_id = ${accountId} and field_id = any(${fieldIds}::bigint[])) as fields`.execute(trx);
  return { groups: new Set(rows[0]?.groups), fields: new Set(rows[0]?.fields) };
}

function ruleCondition(rule: SegmentRule, { groups, fields }: Parts): Condition {
  switch (rule.Kind) {
    case 'field':
      if (rule.Field === 'phone') return phoneCondition(rule);
      if (rule.Field === 'custom' && !fields.has(rule.FieldID ?? 0)) return nothing;
      return textCondition(textOf(rule), rule);
    case 'group':
      if (!groups.has(rule.ListID)) return nothing;
      return rule.Is === 'in' ? isMember(rule.ListID) : sql`not ${isMember(rule.ListID)}`;
    case 'consent':
      return consentCondition(rule.Is);
    case 'lastcontact':
      if (rule.Is === 'never') return sql`not ${wasTexted(sql`true`)}`;
      return rule.Is === 'within'
        ? wasTexted(sql`v.last_message_at > ${daysAgo(rule.Days)}`)
        : sql`not ${wasTexted(sql`v.last_message_at > ${daysAgo(rule.Days)}`)}`;
    case 'added':
      return rule.Is === 'within'
        ? sql`c.created_at > ${daysAgo(rule.Days)}`
        : sql`c.created_at <= ${daysAgo(rule.Days)}`;
  }
}

function daysAgo(days: number): Condition {
  return sql`now() - ${days} * interval '1 day'`;
}

export function isMember(groupId: number): Condition {
  return sql`exists (
    select from group_members m
    where m.account_id = c.account_id and m.group_id = ${groupId} and m.person_id = c.person_id)`;
}

/** The consent of the primary phone. Contacts without a phone never match. */
export function consentCondition(is: (typeof consentFilters)[number]): Condition {
  const known = (state: Condition) => sql`exists (
    select from phone_consents a where a.account_id = c.account_id and a.phone = c.primary_phone and ${state})`;
  switch (is) {
    case 'optedin':
      return known(sql`a.text_state = 'in'`);
    case 'optedout':
      return known(sql`a.text_state = 'out'`);
    case 'notasked':
      return sql`c.primary_phone is not null and not ${known(sql`a.text_state is not null`)}`;
    case 'donotcall':
      return known(sql`a.voice_state = 'out'`);
  }
}

/** Texted in either direction, by any of the phones. One query per phone, so that each can use the index. */
function wasTexted(when: Condition): Condition {
  const by = (phone: Condition) => sql`exists (
    select from conversations v
    where v.account_id = c.account_id and v.phone = ${phone} and v.last_message_id is not null and ${when})`;
  return sql`(${by(sql`c.primary_phone`)} or ${by(sql`c.secondary_phone`)} or ${by(sql`c.tertiary_phone`)})`;
}

function textOf(rule: FieldRule): Condition {
  switch (rule.Field) {
    case 'firstname':
      return sql`c.first_name`;
    case 'lastname':
      return sql`c.last_name`;
    case 'notes':
      return sql`c.notes`;
    default:
      return sql`coalesce(c.custom_data ->> ${String(rule.FieldID)}::text, '')`;
  }
}

/** A comparison without a value matches nothing: a half-typed rule must not mean everyone. */
function textCondition(text: Condition, { Is, Value }: FieldRule): Condition {
  if (Is === 'isempty') return sql`${text} = ''`;
  if (Is === 'isnotempty') return sql`${text} <> ''`;
  if (Value === '') return nothing;
  if (Is === 'equals') return sql`fold_text(${text}) = fold_text(${Value})`;
  if (Is === 'startswith') return sql`starts_with(fold_text(${text}), fold_text(${Value}))`;
  return sql`strpos(fold_text(${text}), fold_text(${Value})) > 0`;
}

/** Any of the three phones, in any notation: with the country code or as dialed domestically. */
function phoneCondition({ Is, Value }: FieldRule): Condition {
  const none = sql`coalesce(c.primary_phone, c.secondary_phone, c.tertiary_phone) is null`;
  if (Is === 'isempty') return none;
  if (Is === 'isnotempty') return sql`not (${none})`;
  const digits = Value.replace(/\D/g, '');
  if (digits === '') return nothing;
  const compare = (phone: Condition) => {
    if (Is === 'contains') return sql`strpos(${phone}, ${digits}) > 0`;
    const compared = Is === 'equals' ? sql`${phone} = ${digits}` : sql`starts_with(${phone}, ${digits})`;
    const atHome =
      Is === 'equals'
        ? sql`wire_phone(${phone}) = ${digits}`
        : sql`starts_with(wire_phone(${phone}), ${digits})`;
    return sql`${compared} or ${atHome}`;
  };
  const phones = [sql`c.primary_phone`, sql`c.secondary_phone`, sql`c.tertiary_phone`];
  // A missing phone compares as null, which is neither.
  return sql`coalesce(${sql.join(phones.map(compare), sql` or `)}, false)`;
}
