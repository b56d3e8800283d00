import { z } from 'zod';
import { call, flag, id, moment } from './call.ts';
import { trimmedField } from './fields/form.ts';
import { additionalNotes, poNumber } from './forms/invoice.ts';
import { sizedList } from './list.ts';
import { chargeBody, chargeReply, groupSize, numberOfCredits, withKey } from './purchases.ts';
import { defaults } from './reference/limits.ts';
import { pageSizes } from './reference/paging.ts';
import { invoiceStatusCategories } from './states/invoice-status.ts';

const dollars = z.number();
const count = z.number().int();

const payment = z.object({
  PaymentID: count,
  Amount: dollars,
  Date: moment,
  /** "Visa ending in 4242", "Check 20117". */
  Method: z.string(),
  By: z.string(),
});

const invoice = z.object({
  InvoiceID: count,
  Amount: dollars,
  BalanceDue: dollars,
  GrandTotal: dollars,
  MonthlyFee: dollars.nullable(),
  PartialCredits: dollars,
  SalesTax: dollars,
  Tax: dollars,
  InvoiceStatusCategory: z.enum(invoiceStatusCategories),
  ChargeTimestamp: moment,
  PoNumber: z.string(),
  AdditionalNotes: z.string(),
  InvoiceAddressID: count.nullable(),
  AutoRenewInvoices: z.boolean(),
  IsPayG: z.boolean(),
  AddCreditsToAccount: z.boolean(),
  SendEmail: z.boolean(),
  SubscriptionDuration: count.nullable(),
  SubscriptionStartDate: moment.nullable(),
  SubscriptionEndDate: moment.nullable(),
  MaxPeople: count.nullable(),
  NumberOfCredits: count.nullable(),
  Terms: z.string(),
  CustomPricing: z.string().nullable(),
  /** Ours, from here on. */
  Description: z.string(),
  TaxLabel: z.string(),
  Quantity: count,
  UnitCost: dollars.nullable(),
  CreatedBy: z.string(),
  BillTo: z.array(z.string()),
  EmailedTo: z.string(),
  EmailedDate: moment.nullable(),
});
export type Invoice = z.output<typeof invoice>;
const wholeInvoice = invoice.extend({ Payments: z.array(payment) });
export type WholeInvoice = z.output<typeof wholeInvoice>;
/** With its letterhead: who sends it (INVOICE_FROM). */
const shownInvoice = wholeInvoice.extend({ From: z.array(z.string()) });
export type ShownInvoice = z.output<typeof shownInvoice>;

export const listInvoices = call({
  method: 'GET',
  path: '/invoices',
  summary: 'Lists invoices, newest first. category=outstanding returns those with a balance due.',
  allow: 'seeInvoices',
  query: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    pagesize: z.coerce.number().int().min(1).max(100).default(pageSizes.invoices),
    category: z.enum(invoiceStatusCategories).optional(),
    q: z.string().trim().max(100).default(''),
    'date-from': z.iso.date().optional(),
    'date-to': z.iso.date().optional(),
  }),
  reply: sizedList(invoice),
});

export const downloadInvoices = call({
  method: 'GET',
  path: '/invoices.csv',
  summary: 'Downloads the list of invoices.',
  allow: 'seeInvoices',
  query: z.object({
    category: z.enum(invoiceStatusCategories).optional(),
    'date-from': z.iso.date().optional(),
    'date-to': z.iso.date().optional(),
  }),
  reply: z.unknown(),
  download: true,
});

export const payInvoice = call({
  method: 'POST',
  path: '/invoices/:InvoiceID/payments',
  summary: 'Pays an invoice by card, in part or in full. Same as POST /charges with its InvoiceID.',
  allow: 'payInvoices',
  event: 'none',
  params: z.object({ InvoiceID: id }),
  body: chargeBody.omit({ InvoiceID: true }),
  reply: chargeReply,
  errors: ['refused', 'notFound', 'conflict', 'keyReused', 'cardRefused', 'product'],
  headers: withKey,
  takesIdempotencyKey: true,
  refusesCardNumbers: true,
});

/** A new invoice; contract/forms/invoice.ts validates the rest. */
const newInvoice = z.object({
  AccountID: id.optional(),
  IsPayG: z.boolean().default(true),
  NumberOfCredits: numberOfCredits.nullish(),
  MaxPeople: groupSize.nullish(),
  SubscriptionDuration: z.number().int().min(1).max(36).default(defaults.invoice.SubscriptionDuration),
  SubscriptionStartDate: z.iso.datetime().nullish(),
  InvoiceAddressID: z.number().int().min(0).nullish(),
  PoNumber: trimmedField(poNumber),
  AdditionalNotes: trimmedField(additionalNotes),
  Terms: z.string().trim().max(50).default(defaults.invoice.Terms),
  SendEmail: z.boolean().default(true),
  AutoRenewInvoices: z.boolean().default(false),
  AddCreditsToAccount: z.boolean().default(false),
});

export const previewInvoice = call({
  method: 'POST',
  path: '/invoices/preview',
  summary: 'Works out an invoice without creating it.',
  allow: 'createOwnInvoice',
  event: 'none',
  body: newInvoice.extend({ IsPreview: z.boolean().default(true) }),
  reply: invoice,
  errors: ['refused', 'notFound', 'salesTax'],
  refusesCardNumbers: true,
});

export const createInvoice = call({
  method: 'POST',
  path: '/invoices',
  summary: 'Creates an invoice for credits or for a subscription, and mails it.',
  allow: 'createOwnInvoice',
  event: 'invoice.created',
  body: newInvoice,
  reply: invoice,
  errors: ['refused', 'notFound', 'salesTax', 'keyReused'],
  headers: withKey,
  takesIdempotencyKey: true,
  refusesCardNumbers: true,
});

export const getInvoice = call({
  method: 'GET',
  path: '/invoices/:InvoiceID',
  summary: 'Returns an invoice with its payments.',
  allow: 'seeInvoices',
  params: z.object({ InvoiceID: id }),
  reply: shownInvoice,
  errors: ['notFound'],
});

export const downloadInvoice = call({
  method: 'GET',
  path: '/invoices/:InvoiceID.pdf',
  summary: 'Returns an invoice as a PDF.',
  allow: 'seeInvoices',
  params: z.object({ InvoiceID: id }),
  reply: z.unknown(),
  errors: ['notFound'],
  download: true,
});

export const updateInvoice = call({
  method: 'PUT',
  path: '/invoices/:InvoiceID',
  summary:
    'Voids an invoice that nobody has paid, or mails it again: Resent, SendPaymentReceived, SendVoided.',
  allow: 'payInvoices',
  event: 'invoice.updated',
  params: z.object({ InvoiceID: id }),
  body: z.object({
    NewStatus: z.enum(['Voided', 'Resent', 'SendPaymentReceived', 'SendVoided']),
    AccountID: id.optional(),
  }),
  reply: wholeInvoice,
  errors: ['notFound', 'refused'],
});

const address = z.object({
  AddressID: count,
  IsDefault: z.boolean(),
  IsActive: z.boolean(),
  Address1: z.string(),
  Address2: z.string(),
  Address3: z.string(),
  Address4: z.string(),
  City: z.string(),
  State: z.string(),
  PostalCode: z.string(),
});
export type InvoiceAddress = z.output<typeof address>;

const ofAccount = z.object({ AccountID: id });
/** As typed; contract/forms/postal-address.ts validates it by the account's country. */
const addressBody = z.object({
  Address1: trimmedField(),
  Address2: trimmedField(),
  Address3: trimmedField(),
  Address4: trimmedField(),
  City: trimmedField(),
  State: trimmedField(),
  PostalCode: trimmedField(),
  IsDefault: z.boolean().optional(),
});

export const listInvoiceAddresses = call({
  method: 'GET',
  path: '/account/:AccountID/invoiceaddresses',
  summary: 'Lists the addresses that invoices go to.',
  allow: 'manageInvoiceAddresses',
  params: ofAccount,
  query: z.object({ inactive: flag.optional() }),
  reply: sizedList(address),
  errors: ['notFound'],
});

export const addInvoiceAddress = call({
  method: 'POST',
  path: '/account/:AccountID/invoiceaddresses',
  summary: 'Adds an address for invoices. The first one becomes the default.',
  allow: 'manageInvoiceAddresses',
  event: 'invoiceAddress.changed',
  params: ofAccount,
  body: addressBody,
  reply: address,
  errors: ['notFound'],
  refusesCardNumbers: true,
});

export const updateInvoiceAddress = call({
  method: 'PUT',
  path: '/account/:AccountID/invoiceaddresses',
  summary: 'Changes an address for invoices. Invoices that were created before keep the old one.',
  allow: 'manageInvoiceAddresses',
  event: 'invoiceAddress.changed',
  params: ofAccount,
  body: addressBody.extend({ AddressID: id }),
  reply: address,
  errors: ['notFound'],
  refusesCardNumbers: true,
});

export const deleteInvoiceAddress = call({
  method: 'DELETE',
  path: '/account/:AccountID/invoiceaddresses',
  summary: 'Removes an address for invoices.',
  allow: 'manageInvoiceAddresses',
  event: 'invoiceAddress.changed',
  params: ofAccount,
  query: z.object({ AddressID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});
