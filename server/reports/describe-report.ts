import { formatCents } from '../../contract/money/cents.ts';
import type { ReportKind } from '../../contract/permissions.ts';
import { usageUserFilters } from '../../contract/reference/choices.ts';
import { listReportNumbers } from '../access/queries.ts';
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
      const { Invoices, Total, Due } = await getInvoiceMonths(trx, actor, { query: days });
      return {
        title: 'Invoices',
        paragraphs: [
          `${many(Invoices, 'invoice', 'invoices')} for ${dollars(Total)}. ${dollars(Due)} is due.`,
        ],
      };
    }
    case 'opt-out-report': {
      const { Texts: phones } = await getOptOutCounts(trx, actor, { query: days });
      return {
        title: 'Opt-outs',
        paragraphs: [`${many(phones, 'phone', 'phones')} opted out of texts.`],
      };
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
