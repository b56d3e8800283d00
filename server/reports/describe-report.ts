import { optOutFilters } from '../../contract/consents.ts';
import { formatCents } from '../../contract/money/cents.ts';
import type { ReportKind } from '../../contract/permissions.ts';
import { usageUserFilters } from '../../contract/reference/choices.ts';
import { type InvoiceStatusCategory, invoiceStatusCategories } from '../../contract/states/invoice-status.ts';
import { listReportNumbers } from '../access/queries.ts';
import { countOptOuts } from '../consents/list-opt-outs.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { getOptInCounts, getOptOutCounts } from './count-consents.ts';
import { getDelivery } from './get-delivery.ts';
import { getInvoiceMonths } from './get-invoice-months.ts';
import { getTextActivity } from './get-text-activity.ts';
import { getUsageSummary } from './get-usage-summary.ts';
import { getBillingMonths } from './list-billing-history.ts';
import { getCreditDays } from './list-credit-balance.ts';
import type { Range } from './rules.ts';

const count = (many: number) => many.toLocaleString('en-US');
const many = (number: number, one: string, more: string) => `${count(number)} ${number === 1 ? one : more}`;
const dollars = (amount: number) => formatCents(Math.round(amount * 100));

interface Described {
  title: string;
  paragraphs: string[];
}

/** A saved report: its kind, and its choices. */
export interface SavedReport {
  report: ReportKind;
  search: Readonly<Record<string, string>>;
}

const onlyInvoices: Record<InvoiceStatusCategory, string> = {
  Unpaid: 'Only unpaid invoices are counted.',
  'Partially Paid': 'Only partially paid invoices are counted.',
  Pending: 'Only invoices with a pending payment are counted.',
  Paid: 'Only paid invoices are counted.',
  Voided: 'Only voided invoices are counted.',
  outstanding: 'Only invoices with a balance due are counted.',
};

/** By the channel and the words that were looked for, as the list on the page. */
async function describeOptOuts(
  trx: Trx,
  actor: Actor,
  search: SavedReport['search'],
  days: { 'date-from': string; 'date-to': string },
): Promise<string> {
  const filter = optOutFilters.find((one) => one === search.filter) ?? 'all';
  const q = (search.q ?? '').trim().slice(0, 200);
  const phones = (number: number) => many(number, 'phone', 'phones');
  if (q !== '')
    return `${phones(await countOptOuts(trx, actor, { filter, q, ...days }))} opted out, of those found for “${q}”.`;
  if (filter === 'both')
    return `${phones(await countOptOuts(trx, actor, { filter, q, ...days }))} opted out of both texts and calls.`;
  const { Texts, Calls } = await getOptOutCounts(trx, actor, { query: days });
  if (filter === 'text') return `${phones(Texts)} opted out of texts.`;
  if (filter === 'voice') return `${phones(Calls)} opted out of calls.`;
  return `${phones(Texts)} opted out of texts, and ${count(Calls)} of calls.`;
}

/** A report in a few sentences, for a mail. Undefined for one without days. */
export async function describeReport(
  trx: Trx,
  actor: Actor,
  { report, search }: SavedReport,
  range: Range,
): Promise<Described | undefined> {
  const days = { 'date-from': range.since, 'date-to': range.until };
  const number = Number(search.number);
  // The user lost access to the number: all of theirs.
  const ofNumber = (await listReportNumbers(trx, actor)).includes(number) ? { textNumberID: number } : {};
  switch (report) {
    case 'usage-summary': {
      const users = usageUserFilters.find((filter) => filter === search.users) ?? 'all users';
      const usage = await getUsageSummary(trx, actor, { query: { ...days, days: 30, users } });
      return {
        title: 'Usage summary',
        paragraphs: [
          `${many(usage.Credits, 'credit', 'credits')} used for ${many(usage.Messages, 'message', 'messages')}: ${count(usage.Broadcasts)} for texts and drips, ${count(usage.Calls)} for voice calls, ${count(usage.Conversations)} in conversations.`,
          ...usage.Users.filter(({ Credits }) => Credits > 0)
            .slice(0, 5)
            .map(({ Name, Credits }) => `${Name}: ${many(Credits, 'credit', 'credits')}`),
        ],
      };
    }
    case 'text-activity': {
      const { Total } = await getTextActivity(trx, actor, { query: { ...days, ...ofNumber } });
      return {
        title: 'Text activity',
        paragraphs: [
          `${many(Total.Sent + Total.Refused, 'text', 'texts')} attempted: ${count(Total.Delivered)} delivered, ${count(Total.Failed)} failed.`,
          `${many(Total.Received, 'text', 'texts')} received.`,
        ],
      };
    }
    case 'delivery': {
      const { Total, Reasons } = await getDelivery(trx, actor, { query: { ...days, ...ofNumber } });
      const ended = Total.Delivered + Total.Failed + Total.Unknown;
      return {
        title: 'Delivery',
        paragraphs: [
          ended === 0
            ? 'No texts were sent.'
            : `${((Total.Delivered / ended) * 100).toFixed(1)}% of ${many(ended, 'text', 'texts')} arrived.`,
          ...Reasons.filter(({ Texts }) => Texts > 0)
            .slice(0, 3)
            .map(({ Label, Texts, WhatToDo }) => `${Label}: ${many(Texts, 'text', 'texts')}. ${WhatToDo}`),
        ],
      };
    }
    case 'credit-balance': {
      const credits = await getCreditDays(trx, actor, { query: days });
      return {
        title: 'Credit balance',
        paragraphs: [
          `The balance is ${many(credits.Balance, 'credit', 'credits')}. It was ${count(credits.Before)} before.`,
          `${count(credits.Used)} used, ${count(credits.Bought)} bought, ${count(credits.Given)} given, ${count(credits.Refunded)} refunded.`,
        ],
      };
    }
    case 'billing-history': {
      const { Paid, Payments, Refunded } = await getBillingMonths(trx, actor, { query: days });
      return {
        title: 'Billing history',
        paragraphs: [
          `${dollars(Paid)} paid by card in ${many(Payments, 'payment', 'payments')}, ${dollars(Refunded)} refunded.`,
        ],
      };
    }
    case 'invoices': {
      const category = invoiceStatusCategories.find((one) => one === search.category);
      const query = { ...days, ...(category === undefined ? {} : { category }) };
      const { Invoices, Total, Due } = await getInvoiceMonths(trx, actor, { query });
      return {
        title: 'Invoices',
        paragraphs: [
          ...(category === undefined ? [] : [onlyInvoices[category]]),
          `${many(Invoices, 'invoice', 'invoices')} for ${dollars(Total)}. ${dollars(Due)} is due.`,
        ],
      };
    }
    case 'opt-out-report': {
      return { title: 'Opt-outs', paragraphs: [await describeOptOuts(trx, actor, search, days)] };
    }
    case 'promotional-opt-in': {
      const { OptIns: phones } = await getOptInCounts(trx, actor, { query: days });
      return {
        title: 'Promotional opt-in',
        paragraphs: [`${many(phones, 'phone', 'phones')} agreed to get texts.`],
      };
    }
    case 'phone-number-history':
      return undefined;
  }
}
