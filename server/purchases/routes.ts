import * as accountCalls from '../../contract/accounts.ts';
import { Refusal } from '../../contract/errors.ts';
import * as groupCodeCalls from '../../contract/group-codes.ts';
import * as invoiceCalls from '../../contract/invoices.ts';
import * as calls from '../../contract/purchases.ts';
import { may, refuseUnless } from '../access/refuse-unless.ts';
import { getAccount } from '../accounts/queries.ts';
import { updateAccount } from '../accounts/update-account.ts';
import { changePlan } from '../billing/change-plan.ts';
import { findPrices, type getPrices, type PricingKind } from '../billing/queries.ts';
import { asAccount } from '../db.ts';
import { renameOnInvoices, renewOpenInvoices } from '../invoices/renew-invoice.ts';
import { createSalesTax } from '../outside/sales-tax.ts';
import { createCardProcessor } from '../outside/stripe-processor.ts';
import { recordEvents } from '../record-events.ts';
import { type App, serve, serveOutside, servePublic } from '../serve.ts';
import { cancelAccount, convertToCredits } from './change-subscription.ts';
import { createCharge, lookAgain, previewCharge, type Till } from './create-charge.ts';
import { findCard, getCharge, toChargeReply, toCreditCard } from './queries.ts';
import { asking, deleteCard, ensurePayer, requireProcessor, saveCard } from './save-card.ts';
import { dismissRefillError, getAutoRefill, getRefillStatus, setAutoRefill } from './set-auto-refill.ts';
import { setEnhancedAddOn } from './set-enhanced-add-on.ts';
import { stripeHook } from './take-hook.ts';
import { updateFlatRate } from './update-flat-rate.ts';
import { findGroupCode, useGroupCode } from './use-group-code.ts';

const pricingKinds: Record<(typeof calls.defaultPricings)[number], PricingKind> = {
  payg: 'pay-as-you-go',
  monthly: 'monthly',
  unlimited: 'unlimited',
  enhanced: 'enhanced',
};

export function purchaseRoutes(app: App): void {
  const till: Till = { processor: createCardProcessor(app.config), salesTax: createSalesTax(app.config) };
  app.http.addHook('onClose', async () => {
    await Promise.all([till.processor?.close(), till.salesTax.close()]);
  });
  if (till.processor !== undefined) stripeHook(app, till.processor);
  cardRoutes(app, till);
  chargeRoutes(app, till);
  planRoutes(app);
}

function cardRoutes(app: App, till: Till): void {
  serve(app, calls.getCardFields, async () => ({
    ScriptUrl: till.processor?.fields.scriptUrl ?? '',
    PublishableKey: till.processor?.fields.publishableKey ?? '',
  }));

  serve(app, calls.getCreditCard, async (trx, actor) => {
    const card = await findCard(trx, actor.accountId);
    if (card === undefined) return {};
    const whole = toCreditCard(card);
    if (may(actor, 'manageCard')) return whole;
    // Whoever pays with the card has to know which one it is, and nothing about its holder.
    const { NumberMasked, Brand, LastFour } = whole;
    return { NumberMasked, Brand, LastFour };
  });

  serveOutside(app, calls.createCardSetup, async (_app, actor) => {
    const processor = requireProcessor(till.processor);
    const customerId = await ensurePayer(app, actor, processor);
    const { setupId, clientSecret } = await asking(processor.createSetup(customerId));
    return { SetupIntentID: setupId, ClientSecret: clientSecret };
  });

  serveOutside(app, calls.addCreditCard, (_app, actor, { body }) =>
    saveCard(app, actor, till.processor, body),
  );
  serveOutside(app, calls.updateCreditCard, (_app, actor, { body }) =>
    saveCard(app, actor, till.processor, body),
  );
  serveOutside(app, calls.deleteCreditCard, (_app, actor) => deleteCard(app, actor, till.processor));
}

function chargeRoutes(app: App, till: Till): void {
  serveOutside(app, calls.previewCharge, (_app, actor, { body }) => previewCharge(app, actor, till, body));

  serveOutside(app, calls.createCharge, (_app, actor, { body, headers }) =>
    createCharge(app, actor, till, { body, key: headers['idempotency-key'] }),
  );

  serveOutside(app, invoiceCalls.payInvoice, (_app, actor, { params, body, headers }) =>
    createCharge(app, actor, till, {
      body: { ...body, ChargeType: 'InvoicePayment', InvoiceID: params.InvoiceID },
      key: headers['idempotency-key'],
    }),
  );

  serveOutside(app, calls.getCharge, async (_app, actor, { params }) => {
    const charge = await asAccount(app.database, actor.accountId, (trx) =>
      getCharge(trx, actor.accountId, params.ChargeID),
    );
    const { charge: current, clientSecret } = await lookAgain(app, till, charge);
    return asAccount(app.database, actor.accountId, (trx) => toChargeReply(trx, current, clientSecret));
  });
}

function planRoutes(app: App): void {
  serve(app, calls.getPricing, async (trx, actor, { params: { PricingId } }) => {
    if (typeof PricingId === 'string') return getDefaultPrices(trx, pricingKinds[PricingId]);
    const own = await trx
      .selectFrom('accounts')
      .select(['payg_pricing_plan_id', 'monthly_pricing_plan_id', 'flat_rate_conversation_pricing_id'])
      .where('account_id', '=', actor.accountId)
      .executeTakeFirstOrThrow();
    const list = await findPrices(trx, { pricingId: PricingId });
    const isDefault = list !== undefined && (await isDefaultPricing(trx, PricingId));
    // Other organizations can't see these prices.
    if (list === undefined || !(isDefault || Object.values(own).includes(PricingId)))
      throw new Refusal('notFound');
    return list;
  });

  // Served here, because switching to credits involves payments; the rest of it belongs to accounts.
  serve(app, accountCalls.updateAccount, async (trx, actor, input) => {
    const { AccountTypeID, IsMonthlyMMSEnabled, InvoiceRenewal } = input.body;
    if (AccountTypeID !== undefined) {
      refuseUnless(actor, 'convertToPayAsYouGo');
      await convertToCredits(trx, actor);
    }
    if (IsMonthlyMMSEnabled !== undefined) await setEnhancedAddOn(trx, actor, IsMonthlyMMSEnabled);
    if (InvoiceRenewal !== undefined) {
      refuseUnless(actor, 'payInvoices');
      const changes = await changePlan(trx, actor.accountId, {
        ...(InvoiceRenewal.AutoRenewal === undefined
          ? {}
          : { invoice_auto_renewal: InvoiceRenewal.AutoRenewal }),
        ...(InvoiceRenewal.InvoiceDuration === undefined
          ? {}
          : { invoice_duration: InvoiceRenewal.InvoiceDuration }),
      });
      if (input.query.updateinvoices && InvoiceRenewal.AutoRenewal !== undefined)
        await renewOpenInvoices(trx, actor.accountId, InvoiceRenewal.AutoRenewal);
      await recordEvents(trx, actor, [{ kind: 'account.planChanged', changes }]);
    }
    const { CompanyName: before } = await getAccount(trx, actor, app.config);
    await updateAccount(trx, actor, input, app.config);
    const account = await getAccount(trx, actor, app.config);
    if (input.query.updateinvoices)
      await renameOnInvoices(trx, actor.accountId, { before, after: account.CompanyName });
    return account;
  });

  serve(app, calls.cancelAccount, cancelAccount);
  serve(app, calls.updateFlatRate, updateFlatRate);

  serve(app, calls.getAutoRefill, (trx, actor) => getAutoRefill(trx, actor.accountId));
  serve(app, calls.addAutoRefill, (trx, actor, { body }) => setAutoRefill(trx, actor, { body }));
  serve(app, calls.updateAutoRefill, setAutoRefill);
  serve(app, calls.getAutoRefillStatus, (trx, actor) => getRefillStatus(trx, actor.accountId));
  serve(app, calls.dismissAutoRefillError, (trx, actor, { params }) =>
    dismissRefillError(trx, actor, params.AutoRefillRequestID),
  );

  serve(app, groupCodeCalls.useGroupCode, (trx, actor, { body }) =>
    useGroupCode(trx, actor, body.Name, app.config),
  );
  servePublic(app, groupCodeCalls.validatePromoCode, async ({ database }, { body }) => {
    const code = body.Source === '' ? undefined : await findGroupCode(database.system, body.Source);
    return code === undefined
      ? { Success: false, ErrorMessage: 'This is not a valid promo code.' }
      : { Success: true, ErrorMessage: null };
  });
}

async function getDefaultPrices(trx: Parameters<typeof getPrices>[0], kind: PricingKind) {
  const list = await findPrices(trx, { kind });
  if (list === undefined) throw new Refusal('notFound');
  return list;
}

async function isDefaultPricing(trx: Parameters<typeof getPrices>[0], pricingId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('pricings')
    .select('is_default')
    .where('pricing_id', '=', pricingId)
    .executeTakeFirst();
  return row?.is_default === true;
}
