import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { callResults, isCallResultCode } from '../../contract/delivery/call-result.ts';
import { textStatuses } from '../../contract/delivery/text-status.ts';
import { domesticDigits, wirePhone } from '../../contract/phone/normalize-phone.ts';
import type {
  downloadPhoneHistory as downloadDefinition,
  listPhoneHistory as listDefinition,
} from '../../contract/reports.ts';
import { isSeenContact, listReportNumbers } from '../access/queries.ts';
import { requireSeenNumber } from '../consents/queries.ts';
import { zonedTime } from '../consents/rules.ts';
import { type Edit, editKinds, listHistory } from '../conversations/list/list-contact-history.ts';
import { csvDownload, readAhead } from '../csv.ts';
import { asAccount, type Trx } from '../db.ts';
import type { Actor, App, Download } from '../serve.ts';

export async function listPhoneHistory(
  trx: Trx,
  actor: Actor,
  { params, query }: Input<typeof listDefinition>,
) {
  const { contacts, ...of } = await findPhone(trx, actor, params.Number);
  const history = await listHistory(trx, actor, of, query);
  const Contacts = contacts.filter(({ isDeleted }) => !isDeleted);
  return { ...history, PhoneNumber: wirePhone(of.phones[0], actor.account.CountryID), Contacts };
}

interface Contact {
  PersonID: number;
  FirstName: string;
  LastName: string;
  isDeleted: boolean;
}

/** A phone that more contacts have is an office’s: more would not help. */
const mostContacts = 100;
const mostEdits = 200;

/**
 * A phone, the contacts that have it, deleted ones too, and the edits by which contacts got or lost it that
 * don’t have it now.
 */
async function findPhone(trx: Trx, actor: Actor, typed: string) {
  const phone = await requireSeenNumber(trx, actor, typed);
  const having = (column: string) => sql`
    (select c.person_id, c.first_name, c.last_name, c.deleted_at from contacts c
    where c.account_id = ${actor.accountId} and ${isSeenContact(actor)} and ${sql.ref(`c.${column}`)} = ${phone}
    order by c.deleted_at is null desc, c.person_id limit ${mostContacts})`;
  const { rows: contacts } = await sql<Contact>`
    select distinct person_id as "PersonID", first_name as "FirstName", last_name as "LastName",
      deleted_at is not null as "isDeleted"
    from (${sql.join(['primary_phone', 'secondary_phone', 'tertiary_phone'].map(having), sql` union all `)}) c
    order by 1`.execute(trx);
  const personIds = contacts.map(({ PersonID }) => PersonID);
  const isSeen = actor.canSeeAllRoster
    ? sql`true`
    : sql`exists (select from contacts c
        where c.account_id = e.account_id and c.person_id = e.subject_id and ${isSeenContact(actor)})`;
  const { rows: edits } = await sql<Edit>`
    select e.event_id as id, to_json(e.created_at) #>> '{}' as at from events e
    where e.account_id = ${actor.accountId} and e.kind = any(${[...editKinds]}::text[])
      and (e.changes -> 'PrimaryPhone' ? ${phone} or e.changes -> 'SecondaryPhone' ? ${phone}
        or e.changes -> 'TertiaryPhone' ? ${phone})
      and e.subject_id <> all(${personIds}::bigint[]) and ${isSeen}
    order by e.created_at desc limit ${mostEdits}`.execute(trx);
  const numbers = await listReportNumbers(trx, actor);
  return { phones: [phone] as const, contacts, personIds, edits, numbers };
}

const batch = 1000;

/** Everything, page by page: no transaction stays open while the file is read. */
export async function downloadPhoneHistory(
  app: App,
  actor: Actor,
  { params }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const inAccount = <T>(work: (trx: Trx) => Promise<T>) => asAccount(app.database, actor.accountId, work);
  const of = await inAccount((trx) => findPhone(trx, actor, params.Number));
  const { timeZone } = actor;
  async function* rows() {
    const pages = readAhead((next) =>
      inAccount((trx) => listHistory(trx, actor, of, { pagesize: batch, next })),
    );
    for await (const { Items } of pages)
      for (const item of Items)
        yield [
          item.Timestamp.toISOString(),
          zonedTime(item.Timestamp, timeZone),
          kindWords(item),
          statusWords(item.Status),
          item.Message,
          item.Broadcast?.BroadcastName ?? '',
          item.UserName,
          item.FileName,
        ];
  }
  return csvDownload(
    `history-${domesticDigits(of.phones[0])}.csv`,
    ['Time (UTC)', `Time (${timeZone})`, 'What', 'Status', 'Words', 'Broadcast', 'By', 'File'],
    rows(),
    actor,
  );
}

type Item = Awaited<ReturnType<typeof listHistory>>['Items'][number];

function kindWords(item: Item): string {
  switch (item.Kind) {
    case 'text':
      return item.IsInbound ? 'Text received' : 'Text sent';
    case 'call':
      return 'Call';
    case 'consent':
      return `Consent: ${item.ConsentState} (${item.ConsentChannel}, ${item.ConsentSource})`;
    case 'added':
      return 'Contact added';
    case 'imported':
      return 'Contact imported';
    case 'edited':
      return 'Contact changed';
  }
}

function statusWords(status: string): string {
  if (isCallResultCode(status)) return callResults[status].label;
  return status in textStatuses ? textStatuses[status as keyof typeof textStatuses].label : '';
}
