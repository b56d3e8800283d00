import { z } from 'zod';
import { call, flag, id, moment } from './call.ts';
import { onlyNumbers } from './fields/character-rules.ts';
import { trimmedField } from './fields/form.ts';
import { nextList } from './list.ts';
import { cancelReasons, usageUserFilters } from './reference/choices.ts';
import { defaults, limits } from './reference/limits.ts';
import { defaultPageSize } from './reference/paging.ts';

/**
 * Prices, cards and what is bought with them. Amounts on the wire are dollars, as the specification's fields hold
 * them. A card's number and CVN go from the browser to the card processor and never to this server: in their place
 * travel the processor's ids (docs/decisions/0064-no-card-number.md).
 */

const dollars = z.number();
const count = z.number().int();

const pricing = z.object({
  PricingID: count,
  PricingDetails: z.array(z.object({ LowerLimit: count, UpperLimit: count.nullable(), Cost: dollars })),
});

/** Names of the installation's own prices beside ids of pricing plans. */
export const defaultPricings = ['payg', 'monthly', 'unlimited', 'enhanced'] as const;

export const getPricing = call({
  method: 'GET',
  path: '/pricing/:PricingId',
  summary:
    'Returns a price list: payg, monthly, unlimited or enhanced for the default one, an ID for one of the account’s own.',
  allow: 'useMuster',
  params: z.object({
    PricingId: z.enum(defaultPricings).or(id.max(2_147_483_647, 'This is not a valid ID')),
  }),
  reply: pricing,
  errors: ['notFound'],
});

/** The data that the page needs to show the processor's card fields. */
export const getCardFields = call({
  method: 'GET',
  path: '/creditcard/fields',
  summary:
    'Returns the card processor’s script and public key. ScriptUrl is empty if no processor is set up.',
  allow: 'viewBilling',
  reply: z.object({ ScriptUrl: z.string(), PublishableKey: z.string() }),
});

const creditCard = z.object({
  NumberMasked: z.string(),
  /** First day of the month in which it expires. */
  ExpirationDate: z.iso.date(),
  BillingAddress1: z.string(),
  BillingCity: z.string(),
  BillingState: z.string(),
  BillingZipCode: z.string(),
  FirstName: z.string(),
  LastName: z.string(),
  /** Ours. */
  Brand: z.string(),
  LastFour: z.string(),
});

export const getCreditCard = call({
  method: 'GET',
  path: '/creditcard',
  summary:
    'Returns the card on file, masked, or an empty object. To others than owners only its brand and last digits.',
  allow: 'viewBilling',
  reply: creditCard.partial(),
});

export const createCardSetup = call({
  method: 'POST',
  path: '/creditcard/setup',
  summary: 'Starts saving a card: the browser confirms the setup with the card processor itself.',
  allow: 'manageCard',
  event: 'none',
  body: z.object({}).default({}),
  reply: z.object({ SetupIntentID: z.string(), ClientSecret: z.string() }),
  errors: ['refused', 'product'],
  refusesCardNumbers: true,
});

/** A billing address as typed; contract/forms/card.ts validates it by the account's country. */
const typedAddress = z.object({
  BillingAddress1: trimmedField(),
  BillingCity: trimmedField(),
  BillingState: trimmedField(),
  BillingZipCode: trimmedField(),
  FirstName: trimmedField(),
  LastName: trimmedField(),
});

/** The specification's CreditCard object. A SetupIntent's id replaces the number and CVN. */
const cardToSave = typedAddress.extend({ SetupIntentID: z.string().max(200) });
export type CardToSave = z.output<typeof cardToSave>;

export const addCreditCard = call({
  method: 'POST',
  path: '/creditcard',
  summary: 'Saves the card that a setup has confirmed, in place of any other.',
  allow: 'manageCard',
  event: 'card.saved',
  body: cardToSave,
  reply: creditCard,
  errors: ['refused', 'product'],
  refusesCardNumbers: true,
});

export const updateCreditCard = call({
  method: 'PUT',
  path: '/creditcard',
  summary: 'Changes the billing address; with SetupIntentID, the card as well.',
  allow: 'manageCard',
  event: 'card.saved',
  body: typedAddress.extend({ SetupIntentID: z.string().max(200).optional() }),
  reply: creditCard,
  errors: ['refused', 'product', 'notFound'],
  refusesCardNumbers: true,
});

export const deleteCreditCard = call({
  method: 'DELETE',
  path: '/creditcard',
  summary: 'Removes the card on file.',
  allow: 'manageCard',
  event: 'card.deleted',
  reply: z.object({}),
  errors: ['notFound', 'refused', 'product'],
});

const chargeTypes = [
  'SubscriptionUpgrade',
  'CreditPurchase',
  'AddFlatRate',
  'MonthlyAddOnCharges',
  'InvoicePayment',
] as const;

/** Dollars with whole cents. */
const amount = z
  .number(onlyNumbers)
  .max(10_000_000, 'Amount is Too Big')
  .refine((value) => Math.abs(Math.round(value * 100) - value * 100) < 1e-6, 'Use whole cents');

/** A whole number, in the sentences of the forms. */
function whole(label: string, { least, most }: { least: number; most: number }) {
  return z
    .int(onlyNumbers)
    .min(least, `${label} must be greater than or equal to ${least}`)
    .max(most, `${label} must be less than or equal to ${most}`);
}

/** Ours: the largest purchase in one go. */
const mostCredits = 10_000_000;

/** Number of credits to buy: not fewer than the threshold, in a sentence of our own. */
export const numberOfCredits = z
  .int(onlyNumbers)
  .min(limits.invoiceSelfServiceCredits, `Buy at least ${limits.invoiceSelfServiceCredits} credits`)
  .max(mostCredits, `Number of Credits must be less than or equal to ${mostCredits}`);
/** Number of people a plan is for. */
export const groupSize = whole('Group Size', { least: 1, most: 10_000_000 });

const wanted = {
  /** InvoicePayment may be left out where InvoiceID is given, as the specification has it. */
  ChargeType: z.enum(chargeTypes).optional(),
  NumberOfCredits: numberOfCredits.optional(),
  MaxPeople: groupSize.optional(),
  TextNumberID: id.optional(),
  InvoiceID: id.optional(),
  Amount: amount.optional(),
};

const chargePreview = z.object({
  ChargeType: z.enum(chargeTypes),
  Amount: dollars,
  SalesTax: z.object({
    Amount: dollars,
    ErrorCode: z
      .enum(['MalformedRequest', 'ZipNotFound', 'CityNotFound', 'Invalid', 'Incomplete', 'ServiceFailure'])
      .nullable(),
    /** Ours: "Tennessee 9.25%". */
    Label: z.string(),
  }),
  SalesTaxCharged: z.boolean(),
  TotalAmount: dollars,
  SubscriptionEndDate: moment.nullable(),
  MaxPeople: count.nullable(),
  MonthlyFee: dollars.nullable(),
  PartialCredit: dollars,
  MonthlyEnhancedAddOnChargesToPay: dollars,
  /** Ours: the price of one piece, and the name of the purchase. */
  UnitCost: dollars.nullable(),
  Description: z.string(),
});
export type ChargePreview = z.output<typeof chargePreview>;

export const previewCharge = call({
  method: 'POST',
  path: '/charges/preview',
  summary: 'Works out what a purchase would cost, with sales tax. Charges nothing.',
  allow: 'viewBilling',
  event: 'none',
  body: z.object({ ...wanted, CreditCard: typedAddress.optional() }),
  reply: chargePreview,
  errors: ['refused', 'notFound', 'product'],
  refusesCardNumbers: true,
});

export const chargeReply = z.object({
  ChargeID: count,
  ChargeType: z.string(),
  /** Paid; Pending while the processor has not answered; Action if the cardholder must confirm it; Failed. */
  Status: z.enum(['Paid', 'Pending', 'Action', 'Failed']),
  Amount: dollars,
  SalesTax: dollars,
  TotalAmount: dollars,
  InvoiceID: count.nullable(),
  /** With Action: the secret that the browser passes to the processor. */
  ClientSecret: z.string().nullable(),
  Message: z.string().nullable(),
});
export type ChargeReply = z.output<typeof chargeReply>;

export const chargeBody = z.object({
  ...wanted,
  ConsentText: z.string().max(2000).optional(),
  /** The processor's token for the CVN that was typed for the card on file. */
  CVNToken: z.string().max(200).optional(),
  PaidByCC: z.boolean().optional(),
  TotalAmount: amount.optional(),
  CreditCard: cardToSave.optional(),
  /** Ours: whether a new card becomes the card on file. Recurring charges always keep it. */
  SaveCard: z.boolean().default(true),
});

/** The verb reads the data itself: its requests to other systems must not happen inside a transaction. */
export const withKey = z.object({ 'idempotency-key': z.string().min(1).max(200).optional() });

export const createCharge = call({
  method: 'POST',
  path: '/charges',
  summary:
    'Buys something with a card: the one on file, or a new one (CreditCard with SetupIntentID). TotalAmount is the total that was agreed to; if the price has changed, nothing is charged.',
  allow: 'viewBilling',
  event: 'none',
  body: chargeBody,
  reply: chargeReply,
  errors: ['refused', 'notFound', 'conflict', 'keyReused', 'cardRefused', 'salesTax', 'product'],
  headers: withKey,
  takesIdempotencyKey: true,
  refusesCardNumbers: true,
});

export const getCharge = call({
  method: 'GET',
  path: '/charges/:ChargeID',
  summary: 'Returns a charge. If the processor’s answer is not known yet, asks it again.',
  allow: 'viewBilling',
  params: z.object({ ChargeID: id }),
  reply: chargeReply,
  errors: ['notFound'],
});

const autoRefill = z.object({
  IsEnabled: z.boolean(),
  NumberOfRefillCredits: count,
  TriggerAmount: count,
  Error: z.object({ AutoRefillRequestId: count, Message: z.string() }).nullable(),
});
export type AutoRefill = z.output<typeof autoRefill>;

const autoRefillBody = z.object({
  IsEnabled: z.boolean(),
  NumberOfRefillCredits: numberOfCredits,
  TriggerAmount: whole('Trigger Amount', { least: 0, most: mostCredits }),
});

export const getAutoRefill = call({
  method: 'GET',
  path: '/account/autorefillsetting',
  summary: 'Returns the automatic refill setting.',
  allow: 'viewBilling',
  reply: autoRefill,
});

export const addAutoRefill = call({
  method: 'POST',
  path: '/account/autorefillsetting',
  summary: 'Sets up automatic refills.',
  allow: 'manageAutoRefill',
  event: 'autoRefill.updated',
  body: autoRefillBody,
  reply: autoRefill,
  errors: ['refused'],
  refusesCardNumbers: true,
});

export const updateAutoRefill = call({
  method: 'PUT',
  path: '/account/autorefillsetting',
  summary: 'Changes automatic refills.',
  allow: 'manageAutoRefill',
  event: 'autoRefill.updated',
  body: autoRefillBody,
  reply: autoRefill,
  errors: ['refused'],
  refusesCardNumbers: true,
});

export const getAutoRefillStatus = call({
  method: 'GET',
  path: '/account/autorefillsetting/status',
  summary: 'Returns whether a refill is under way, when the last one was, and what went wrong.',
  allow: 'viewBilling',
  reply: z.object({
    IsEnabled: z.boolean(),
    IsPending: z.boolean(),
    LastRefillDate: moment.nullable(),
    Error: autoRefill.shape.Error,
  }),
});

export const dismissAutoRefillError = call({
  method: 'POST',
  path: '/autorefillerror/:AutoRefillRequestID/dismiss',
  summary: 'Dismisses the error of a refill. The next time credits run low, a refill is tried again.',
  allow: 'manageAutoRefill',
  event: 'autoRefill.updated',
  params: z.object({ AutoRefillRequestID: id }),
  body: z.object({}).default({}),
  reply: z.object({}),
  errors: ['notFound'],
});

export const cancelAccount = call({
  method: 'POST',
  path: '/account/cancel',
  summary:
    'Cancels the account: a subscription at the end of its period, a credits account at once. Its credits stay.',
  allow: 'closeAccount',
  event: 'account.canceled',
  body: z.object({
    Reason: z.enum(cancelReasons, { error: 'Please select an option.' }),
    Comments: z.string().trim().max(1000).default(''),
  }),
  reply: z.object({ AccountStatusID: count, SubscriptionEndDate: moment.nullable() }),
  errors: ['refused'],
  refusesCardNumbers: true,
});

export const updateFlatRate = call({
  method: 'PUT',
  path: '/account/textnumbers/:TextNumberID/flatrate',
  summary:
    'Cancels a number’s unlimited conversations at the end of their month (CancelPending), or keeps them after all (Active).',
  allow: 'manageUnlimitedConversations',
  event: 'textNumber.updated',
  params: z.object({ TextNumberID: id }),
  body: z.object({ FlatRateConversationStatus: z.enum(['Active', 'CancelPending']) }),
  reply: z.object({
    TextNumberID: count,
    FlatRateConversationStatus: z.enum(['Active', 'CancelPending', 'BillingProblem']).nullable(),
    FlatRateSubscriptionEndDate: moment.nullable(),
  }),
  errors: ['notFound', 'refused'],
});

/** Both days included, on the user's calendar; without them, everything. */
const days = z.object({ 'date-from': z.iso.date().optional(), 'date-to': z.iso.date().optional() });
const pages = days.extend({
  pagesize: z.coerce.number().int().min(1).max(200).default(defaultPageSize),
  next: z.string().max(400).optional(),
});

const billingRecord = z.object({
  ChargeID: count,
  ChargeTimestamp: moment,
  ChargeType: z.string(),
  Description: z.string(),
  Amount: dollars,
  SalesTax: dollars,
  TotalAmount: dollars,
  RefundedAmount: dollars,
  CardLabel: z.string(),
  InvoiceID: count.nullable(),
});
export type BillingRecord = z.output<typeof billingRecord>;

export const listBillingHistory = call({
  method: 'GET',
  path: '/billinghistory',
  summary: 'Lists what was paid by card, newest first.',
  allow: 'seeBillingHistory',
  query: pages,
  reply: nextList(billingRecord),
});

export const downloadBillingHistory = call({
  method: 'GET',
  path: '/billinghistory.csv',
  summary: 'Downloads what was paid by card. Covers a year if no dates are given.',
  allow: 'seeBillingHistory',
  query: days,
  reply: z.unknown(),
  download: true,
});

export const listCreditBalance = call({
  method: 'GET',
  path: '/creditbalance',
  summary: 'Lists what changed the credit balance, newest first, with the balance after it.',
  allow: 'seeCreditBalance',
  query: pages.extend({
    /**
     * Without it, credits that were reserved and returned are left out, since they don't change the balance.
     */
    all: flag.optional(),
  }),
  reply: nextList(
    z.object({
      CreditEntryID: count,
      Date: moment,
      Kind: z.string(),
      Description: z.string(),
      Credits: count,
      Balance: count,
    }),
  ),
});

export const downloadCreditBalance = call({
  method: 'GET',
  path: '/creditbalance.csv',
  summary: 'Downloads what changed the credit balance. Covers a year if no dates are given.',
  allow: 'seeCreditBalance',
  query: days,
  reply: z.unknown(),
  download: true,
});

/** Credits, and how many texts and calls they were used for. */
const usage = {
  Credits: count,
  Broadcasts: count,
  Conversations: count,
  Calls: count,
  Messages: count,
  BroadcastMessages: count,
  ConversationMessages: count,
  CallMessages: count,
};
const usageFigures = z.object(usage);
export type UsageFigures = z.output<typeof usageFigures>;

const usageQuery = days.extend({
  /** Days up to today, where no dates are given. */
  days: z.coerce.number().int().min(1).max(366).default(defaults.reportRangeDays.usageSummary),
  users: z.enum(usageUserFilters).default('all users'),
});

export const getUsageSummary = call({
  method: 'GET',
  path: '/account/usage-summary',
  summary:
    'Returns the credits and messages used by day and by user, what they were used for, and the totals of the days before.',
  allow: 'seeUsageSummary',
  query: usageQuery,
  reply: z.object({
    StartDate: z.iso.date(),
    EndDate: z.iso.date(),
    ...usage,
    /** The same number of days right before these. */
    Before: usageFigures,
    Days: z.array(z.object({ Date: z.iso.date(), ...usage })),
    Users: z.array(
      z.object({
        /** Null for messages that nobody sent: automatic replies and notices. */
        UserID: count.nullable(),
        Name: z.string(),
        Role: z.enum(['owner', 'admin', 'user']).nullable(),
        IsActive: z.boolean(),
        ...usage,
      }),
    ),
  }),
});

export const downloadUsageSummary = call({
  method: 'GET',
  path: '/account/usage-summary.csv',
  summary: 'Downloads the usage: one row per day and user.',
  allow: 'seeUsageSummary',
  query: usageQuery,
  reply: z.unknown(),
  download: true,
});
