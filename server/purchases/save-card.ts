import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { billingFields, isExpiredOn } from '../../contract/forms/card.ts';
import type { CardToSave } from '../../contract/purchases.ts';
import { findState } from '../../contract/reference/states.ts';
import { listReachableOwners } from '../accounts/list-reachable-owners.ts';
import { now, nowMs } from '../clock.ts';
import { asAccount, type Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { type CardProcessor, ProcessorError } from '../outside/card-processor.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { findCard, toCreditCard } from './queries.ts';
import type { CardToKeep } from './rules.ts';

const noProcessor = 'Cards can’t be taken at the moment. Please contact us.';

/** The processor, or the message that there is none. */
export function requireProcessor(processor: CardProcessor | undefined): CardProcessor {
  if (processor === undefined) throw new Refusal('refused', noProcessor);
  return processor;
}

/** An unreachable processor is reported as such; our own bugs stay errors. */
export async function asking<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProcessorError)
      throw new Refusal(
        'product',
        'The card processor can’t be reached right now. You were not charged. Try again in a moment.',
      );
    throw error;
  }
}

/** The processor's customer for the account; created when it is first needed. */
export async function ensurePayer(app: App, actor: Actor, processor: CardProcessor): Promise<string> {
  const known = await asAccount(app.database, actor.accountId, async (trx) => {
    const payer = await trx
      .selectFrom('payers')
      .select('customer_id')
      .where('account_id', '=', actor.accountId)
      .executeTakeFirst();
    const account = await trx
      .selectFrom('accounts')
      .select('company_name')
      .where('account_id', '=', actor.accountId)
      .executeTakeFirstOrThrow();
    const [owner] = await listReachableOwners(trx, actor.accountId);
    return { customerId: payer?.customer_id, name: account.company_name, email: owner?.email ?? '' };
  });
  if (known.customerId !== undefined) return known.customerId;
  const customerId = await asking(
    processor.createCustomer({
      accountId: actor.accountId,
      name: known.name,
      email: known.email,
      key: randomUUID(),
    }),
  );
  return asAccount(app.database, actor.accountId, async (trx) => {
    await trx
      .insertInto('payers')
      .values({ account_id: actor.accountId, customer_id: customerId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Two concurrent requests created two customers: the saved one counts.
    const row = await trx
      .selectFrom('payers')
      .select('customer_id')
      .where('account_id', '=', actor.accountId)
      .executeTakeFirstOrThrow();
    return row.customer_id;
  });
}

type Billing = Omit<CardToSave, 'SetupIntentID'>;

/** The billing address by the rules of the card form. */
export function refuseUnlessBilling(actor: Actor, billing: Billing, prefix = ''): void {
  const form = z.object(billingFields(actor.account.CountryID));
  for (const [field, message] of Object.entries(fieldErrors(form, billing)))
    throw refuseField(prefix + field, message);
}

/** The card saved by a setup, checked to belong to this account. */
export async function readNewCard(
  app: App,
  actor: Actor,
  processor: CardProcessor,
  card: CardToSave,
): Promise<CardToKeep> {
  const customerId = await ensurePayer(app, actor, processor);
  const setup = await asking(processor.findSetup(card.SetupIntentID));
  if (setup === undefined || setup.customerId !== customerId)
    throw new Refusal('cardRefused', 'Your card could not be saved. Enter it again.', {
      extendedData: { isCcError: true },
    });
  const known = await asking(processor.readCard(setup.paymentMethodId));
  return {
    paymentMethodId: setup.paymentMethodId,
    ...known,
    firstName: card.FirstName,
    lastName: card.LastName,
    address: card.BillingAddress1,
    city: card.BillingCity,
    state: findState(card.BillingState)?.code ?? card.BillingState,
    zipCode: card.BillingZipCode,
  };
}

export function refuseExpired(card: { expiresMonth: number; expiresYear: number }): void {
  const date = `${card.expiresYear}-${String(card.expiresMonth).padStart(2, '0')}-01`;
  if (isExpiredOn(date, nowMs()))
    throw new Refusal('cardRefused', 'Credit card is expired.', { extendedData: { isCcError: true } });
}

/** Makes it the card on file. A failing renewal is retried with it at once. */
export async function keepCard(
  trx: Trx,
  accountId: number,
  card: CardToKeep,
  userId: number | null,
): Promise<void> {
  const row = {
    payment_method_id: card.paymentMethodId,
    brand: card.brand,
    last_four: card.lastFour,
    expires_month: card.expiresMonth,
    expires_year: card.expiresYear,
    first_name: card.firstName,
    last_name: card.lastName,
    address: card.address,
    city: card.city,
    state: card.state,
    zip_code: card.zipCode,
    user_id: userId,
    updated_at: now(),
  };
  await trx
    .insertInto('cards')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
  await trx
    .updateTable('subscriptions')
    .set({ try_at: now() })
    .where('account_id', '=', accountId)
    .where('failing_since', 'is not', null)
    .execute();
}

/** Saves a card, or changes the address of the one on file. */
export async function saveCard(
  app: App,
  actor: Actor,
  processor: CardProcessor | undefined,
  body: Billing & { SetupIntentID?: string | undefined },
) {
  refuseUnlessBilling(actor, body);
  const { SetupIntentID } = body;
  const card =
    SetupIntentID === undefined
      ? undefined
      : await readNewCard(app, actor, requireProcessor(processor), { ...body, SetupIntentID });
  if (card !== undefined) refuseExpired(card);
  const { reply, replaced } = await asAccount(app.database, actor.accountId, async (trx) => {
    const before = await findCard(trx, actor.accountId);
    if (card !== undefined) await keepCard(trx, actor.accountId, card, actor.userId);
    else {
      if (before === undefined) throw new Refusal('notFound');
      await trx
        .updateTable('cards')
        .set({
          first_name: body.FirstName,
          last_name: body.LastName,
          address: body.BillingAddress1,
          city: body.BillingCity,
          state: findState(body.BillingState)?.code ?? body.BillingState,
          zip_code: body.BillingZipCode,
          updated_at: now(),
        })
        .where('account_id', '=', actor.accountId)
        .execute();
    }
    await recordEvents(trx, actor, [{ kind: 'card.saved' }]);
    await notify(trx, actor.accountId, [{ type: 'billing.changed' }]);
    const after = await findCard(trx, actor.accountId);
    if (after === undefined) throw new Refusal('notFound');
    const isReplaced = before !== undefined && before.payment_method_id !== after.payment_method_id;
    return { reply: toCreditCard(after), replaced: isReplaced ? before.payment_method_id : undefined };
  });
  // Deletes the old one at the processor. If that fails, no harm is done: it is never charged again.
  if (replaced !== undefined) await processor?.forgetCard(replaced).catch(() => undefined);
  return reply;
}

export async function deleteCard(app: App, actor: Actor, processor: CardProcessor | undefined) {
  const paymentMethodId = await asAccount(app.database, actor.accountId, async (trx) => {
    const card = await findCard(trx, actor.accountId);
    if (card === undefined) throw new Refusal('notFound');
    const underWay = await trx
      .selectFrom('charges')
      .select('charge_id')
      .where('account_id', '=', actor.accountId)
      .where('state', 'in', ['open', 'action'])
      .executeTakeFirst();
    if (underWay !== undefined)
      throw new Refusal('refused', 'A payment with this card is being processed. Try again in a moment.');
    await trx.deleteFrom('cards').where('account_id', '=', actor.accountId).execute();
    await trx
      .updateTable('auto_refills')
      .set({ is_enabled: false })
      .where('account_id', '=', actor.accountId)
      .execute();
    await recordEvents(trx, actor, [{ kind: 'card.deleted' }]);
    await notify(trx, actor.accountId, [{ type: 'billing.changed' }]);
    return card.payment_method_id;
  });
  await processor?.forgetCard(paymentMethodId).catch(() => undefined);
  return {};
}
