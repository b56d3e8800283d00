import { type RawBuilder, sql } from 'kysely';
import { changesBetween, type EventChanges } from '../contract/event-changes.ts';
import type { Trx } from './db.ts';

/** The table of an object and the columns that events record, by its name in the API. */
interface Subject {
  table: string;
  /** Undefined for things that an account has one of. */
  id?: string;
  fields: Record<string, RawBuilder<unknown>>;
}

const column = (name: string) => sql.ref(name);
const isoMoment = (name: string) =>
  sql`to_char(${sql.ref(name)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/**
 * By the part before the dot of the kind of event. Fields whose values are never kept
 * (contract/event-changes.ts) are listed so that only the fact of their change is recorded.
 */
const subjects: Record<string, Subject> = {
  audio: {
    table: 'audio',
    id: 'audio_id',
    fields: { Name: column('name'), Shared: column('is_shared'), SilenceIsCut: column('is_silence_cut') },
  },
  autoRefill: {
    table: 'auto_refills',
    fields: {
      IsEnabled: column('is_enabled'),
      NumberOfRefillCredits: column('number_of_credits'),
      TriggerAmount: column('trigger_amount'),
    },
  },
  autoReply: {
    table: 'auto_replies',
    id: 'auto_reply_id',
    fields: {
      Active: column('active'),
      AutoReplyTypeID: column('type_id'),
      DaySchedules: column('day_schedules'),
      Message: column('message'),
    },
  },
  broadcast: {
    table: 'broadcasts',
    id: 'broadcast_id',
    fields: {
      BroadcastName: column('name'),
      BroadcastStatus: column('status'),
      StartDate: isoMoment('start_at'),
      PerMinute: column('per_minute'),
      TextMessage: column('body'),
    },
  },
  callerId: {
    table: 'caller_ids',
    id: 'caller_id_id',
    fields: { PhoneNumber: column('phone'), Name: column('name'), Status: column('status') },
  },
  contact: {
    table: 'contacts',
    id: 'person_id',
    fields: {
      FirstName: column('first_name'),
      LastName: column('last_name'),
      PrimaryPhone: column('primary_phone'),
      SecondaryPhone: column('secondary_phone'),
      TertiaryPhone: column('tertiary_phone'),
      Notes: column('notes'),
      CustomData: sql`(select jsonb_object_agg(f.name, v.value) from jsonb_each_text(custom_data) v
        join custom_fields f on f.account_id = contacts.account_id and f.field_id::text = v.key)`,
    },
  },
  conversation: {
    table: 'conversations',
    id: 'conversation_id',
    fields: {
      IsDone: column('is_done'),
      IsAutoOptOut: column('is_auto_opt_out'),
      AssignedTo: sql`(select u.first_name || ' ' || u.last_name from users u
        where u.account_id = conversations.account_id and u.user_id = assigned_user_id)`,
      SnoozedUntil: isoMoment('snoozed_until'),
      Tags: sql`(select jsonb_agg(t.name order by t.name) from tags t
        where t.account_id = conversations.account_id and t.tag_id = any(tag_ids))`,
    },
  },
  customField: { table: 'custom_fields', id: 'field_id', fields: { Name: column('name') } },
  emergencyMessage: {
    table: 'emergency_messages',
    id: 'emergency_message_id',
    fields: { Title: column('title'), TextMessage: column('body'), SpokenText: column('spoken_text') },
  },
  emergencySettings: {
    table: 'emergency_settings',
    fields: {
      IsForEveryone: column('is_for_everyone'),
      Groups: sql`(select jsonb_agg(g.name order by g.name) from groups g
        where g.account_id = emergency_settings.account_id and g.group_id = any(list_ids))`,
      DrillGroup: sql`(select g.name from groups g
        where g.account_id = emergency_settings.account_id and g.group_id = drill_list_id)`,
    },
  },
  group: {
    table: 'groups',
    id: 'group_id',
    fields: { ListName: column('name'), Color: column('color'), Segment: column('segment') },
  },
  invoiceAddress: {
    table: 'invoice_addresses',
    id: 'invoice_address_id',
    fields: {
      IsDefault: column('is_default'),
      IsActive: column('is_active'),
      Address1: column('address1'),
      Address2: column('address2'),
      Address3: column('address3'),
      Address4: column('address4'),
      City: column('city'),
      State: column('state'),
      PostalCode: column('postal_code'),
    },
  },
  keyword: {
    table: 'keywords',
    id: 'keyword_id',
    fields: {
      Keyword: column('keyword'),
      Active: column('active'),
      Message: column('message'),
      Group: sql`(select g.name from groups g
        where g.account_id = keywords.account_id and g.group_id = keywords.group_id)`,
    },
  },
  label: { table: 'labels', id: 'label_id', fields: { LabelName: column('name') } },
  repeating: {
    table: 'repeating_broadcasts',
    id: 'repeating_id',
    fields: { ScheduleDescription: column('description'), NextDate: isoMoment('next_at') },
  },
  scheduled: {
    table: 'scheduled_conversations',
    id: 'scheduled_id',
    fields: { StartDate: isoMoment('start_at'), State: column('state'), TextMessage: column('body') },
  },
  sequence: {
    table: 'sequences',
    id: 'sequence_id',
    fields: { Name: column('name'), Status: column('status') },
  },
  tag: { table: 'tags', id: 'tag_id', fields: { TagName: column('name'), Color: column('color') } },
  template: {
    table: 'templates',
    id: 'template_id',
    fields: {
      TemplateName: column('name'),
      Shortcut: column('shortcut'),
      IsShared: column('is_shared'),
      TemplateText: column('body'),
    },
  },
  textNumber: {
    table: 'text_numbers',
    id: 'text_number_id',
    fields: {
      Name: column('name'),
      Description: column('description'),
      IsDefault: column('is_default'),
      ReleaseDate: isoMoment('release_at'),
    },
  },
  transferNumber: {
    table: 'transfer_numbers',
    id: 'transfer_number_id',
    fields: { PhoneNumber: column('phone'), Status: column('status'), IsDefault: column('is_default') },
  },
};

type Snapshot = Readonly<Record<string, unknown>>;

/** The current state of the object. Undefined if it doesn't exist, or if its kind isn't recorded. */
export async function readSubject(
  trx: Trx,
  accountId: number,
  kind: string,
  id: number | undefined,
): Promise<Snapshot | undefined> {
  const subject = subjects[kind.split('.')[0] ?? ''];
  if (subject === undefined || (subject.id !== undefined && id === undefined)) return undefined;
  const parts = Object.entries(subject.fields).flatMap(([name, value]) => [sql.lit(name), value]);
  const isIt = subject.id === undefined ? sql`` : sql`and ${sql.ref(subject.id)} = ${id}`;
  const { rows } = await sql<{ snapshot: Record<string, unknown> }>`
    select jsonb_build_object(${sql.join(parts)}) as snapshot from ${sql.table(subject.table)}
    where account_id = ${accountId} ${isIt}`.execute(trx);
  const { CustomData, ...snapshot } = rows[0]?.snapshot ?? {};
  return rows[0] && { ...snapshot, ...((CustomData ?? {}) as Record<string, unknown>) };
}

/** The states before and after a call. For new or deleted objects only the existing fields are recorded. */
export function changesOfSubject(
  kind: string,
  before: Snapshot | undefined,
  after: Snapshot | undefined,
): EventChanges | undefined {
  const isGone = after === undefined || kind.endsWith('.deleted');
  if (before === undefined && (isGone || !kind.endsWith('.created'))) return undefined;
  const blank = (of: Snapshot | undefined) =>
    Object.fromEntries(Object.entries(of ?? {}).map(([field]) => [field, null]));
  const filled = (of: Snapshot) =>
    Object.fromEntries(Object.entries(of).filter(([, value]) => !isEmpty(value)));
  if (isGone) return changesBetween(filled(before ?? {}), blank(filled(before ?? {})));
  if (before === undefined) return changesBetween({}, filled(after));
  return changesBetween(before, { ...blank(before), ...after });
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}
