import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { callResults, isCallResultCode } from '../../contract/delivery/call-result.ts';
import { textStatuses } from '../../contract/delivery/text-status.ts';
import { domesticDigits } from '../../contract/phone/normalize-phone.ts';
import type {
  downloadPhoneHistory as downloadDefinition,
  listPhoneHistory as listDefinition,
} from '../../contract/reports.ts';
import { contactsWith, getPlace, requireSeenNumber } from '../consents/queries.ts';
import { zonedTime } from '../consents/rules.ts';
import { listHistory } from '../conversations/list/list-contact-history.ts';
import { csvDownload } from '../csv.ts';
import { asAccount, type Trx } from '../db.ts';
import type { Actor, App, Download } from '../serve.ts';

export async function listPhoneHistory(
  trx: Trx,
  actor: Actor,
  { params, query }: Input<typeof listDefinition>,
) {
  const { phone, contacts } = await findPhone(trx, actor, params.Number);
  const history = await listHistory(trx, actor, historyOf(phone, contacts), query);
  return { ...history, PhoneNumber: domesticDigits(phone), Contacts: contacts };
}

interface Contact {
  PersonID: number;
  FirstName: string;
  LastName: string;
}

const historyOf = (phone: string, contacts: readonly Contact[]) => ({
  phones: [phone],
  personIds: contacts.map(({ PersonID }) => PersonID),
});

async function findPhone(trx: Trx, actor: Actor, typed: string) {
  const phone = await requireSeenNumber(trx, actor, typed);
  const { rows: contacts } = await sql<Contact>`
    select distinct person_id as "PersonID", first_name as "FirstName", last_name as "LastName"
    from (${contactsWith(actor, sql`${phone}`)}) c order by 1`.execute(trx);
  return { phone, contacts };
}

const batch = 1000;

/** Everything, page by page: no transaction stays open while the file is read. */
export async function downloadPhoneHistory(
  app: App,
  actor: Actor,
  { params }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const inAccount = <T>(work: (trx: Trx) => Promise<T>) => asAccount(app.database, actor.accountId, work);
  const { phone, contacts, timeZone } = await inAccount(async (trx) => ({
    ...(await findPhone(trx, actor, params.Number)),
    timeZone: (await getPlace(trx, actor)).timeZone,
  }));
  async function* rows() {
    let next: string | undefined;
    do {
      const page = await inAccount((trx) =>
        listHistory(trx, actor, historyOf(phone, contacts), { pagesize: batch, next }),
      );
      for (const item of page.Items) {
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
      next = page.Next ?? undefined;
    } while (next !== undefined);
  }
  return csvDownload(
    `history-${domesticDigits(phone)}.csv`,
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
