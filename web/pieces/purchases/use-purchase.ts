import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { updateCreditCard } from '../../../contract/addresses/purchases.gen.ts';
import { consentMessage, needsConsent } from '../../../contract/forms/purchase.ts';
import type { ChargePreview, ChargeReply } from '../../../contract/purchases.ts';
import { purchaseDialogTitle } from '../../../contract/states/purchase-kind.ts';
import { callApi, shownMessage } from '../../api.ts';
import { useAccount, useCan } from '../../queries/current-user.ts';
import { queryClient } from '../../queries/query-client.ts';
import { useContractForm } from '../../ui/use-contract-form.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { type BillingValues, billingOf, billingRules, wholeAddress } from './billing-fields.tsx';
import { useCardInput } from './card-fields.tsx';
import { cardFieldNames } from './card-words.ts';
import { chargePreviewQuery } from './charge-preview.ts';
import { formatDollars } from './money-words.ts';
import type { PurchaseRequest } from './purchase-form.tsx';
import { consentWords, purchaseFailures, taxWords } from './purchase-words.ts';
import { useBillingOnFile } from './use-billing-on-file.ts';
import { CardRefused, usePayment } from './use-payment.ts';

type OnPaid = (charge: ChargeReply, preview: ChargePreview) => void;

/** The state of a purchase: card, address, tax, consent, and the one press that pays. */
export function usePurchase(request: PurchaseRequest, onPaid: OnPaid) {
  const { mode, purchase, isReactivation = false } = request;
  const account = useAccount();
  const canAdd = useCan('manageCard');
  const { card, hasCard, values } = useBillingOnFile();
  const [isNewCard, setNewCard] = useState(false);
  const usesNew = !hasCard || isNewCard;
  const input = useCardInput();
  const [hasConsented, setConsented] = useState(false);
  const [consentProblem, setConsentProblem] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isWorking, setWorking] = useState(false);
  /** The sentence about the tax, once it has kept a press from paying: it may be out of sight. */
  const taxNotice = useRef<HTMLDivElement>(null);
  const isTaxRefused = useRef(false);
  const isBusy = useRef(false);
  const pay = usePayment();

  const form = useContractForm<BillingValues, BillingValues>({
    rules: billingRules(account?.CountryID),
    values,
    failed: purchaseFailures[mode],
    serverNames: Object.fromEntries(
      Object.keys(billingOf({})).map((name) => [`CreditCard.${name}`, name as keyof BillingValues]),
    ),
    save: (billing) => press(billing),
  });
  // As text, because the form returns a new object on every read.
  const typed = wholeAddress(JSON.parse(useDebounced(JSON.stringify(form.form.watch()))));
  // The address on file is the server's to know. It is typed again only where it turned out to be wrong.
  const [mendsAddress, setMendsAddress] = useState(false);
  const asksAddress = usesNew || mendsAddress;
  const address = asksAddress ? typed : undefined;
  const preview = useQuery(chargePreviewQuery(purchase, address));
  const taxError = preview.data?.SalesTax.ErrorCode ?? null;
  // Somebody without a card is asked for the address in any case: that none is on file is not an error yet.
  const isTaxKnown = taxError === null;
  const taxProblem =
    taxError === null || preview.isPlaceholderData || (usesNew && address === undefined)
      ? undefined
      : taxWords(taxError, { isOfCardOnFile: !usesNew && address === undefined, canManageCard: canAdd });
  if (taxError !== null && taxError !== 'ServiceFailure' && !usesNew && canAdd && !mendsAddress)
    setMendsAddress(true);
  const totalCents = Math.round((preview.data?.TotalAmount ?? 0) * 100);
  const isFree = preview.data !== undefined && totalCents === 0;

  useEffect(() => {
    if (!isTaxRefused.current || isWorking || taxNotice.current === null) return;
    isTaxRefused.current = false;
    taxNotice.current.scrollIntoView({ block: 'center' });
  });

  /** Runs when Pay is pressed. Everything that can be checked is checked before the card is used. */
  async function press(billing: BillingValues | undefined): Promise<void> {
    if (isBusy.current) return;
    setProblem(undefined);
    const lacksConsent = needsConsent(mode) && !hasConsented;
    setConsentProblem(lacksConsent ? consentMessage : undefined);
    const isCardWhole = isFree || input.isWhole(usesNew ? cardFieldNames : ['cardCvc']);
    if (!isCardWhole || lacksConsent) return;
    isBusy.current = true;
    setWorking(true);
    try {
      const agreed = await agreeOnTotal(billing);
      if (agreed === undefined) return;
      if (billing && !usesNew) await callApi(updateCreditCard, { body: billing }, { missing: 'refuse' });
      const charge = await pay({
        purchase,
        totalAmount: agreed.TotalAmount,
        consentText: needsConsent(mode) ? consentWords(mode, agreed) : undefined,
        billing: usesNew ? billing : undefined,
        isFree,
      });
      await request.finish?.();
      onPaid(charge, agreed);
      void queryClient.invalidateQueries();
    } catch (error) {
      if (error instanceof CardRefused) setProblem(error.message);
      // The form puts the server's errors beside their fields.
      else if (billing) throw error;
      else setProblem(shownMessage(error, purchaseFailures[mode]));
      // It may have been paid after all, or the price has changed.
      void queryClient.invalidateQueries();
    } finally {
      isBusy.current = false;
      setWorking(false);
    }
  }

  /** Only the amount on the screen is charged: if the total has changed by now, it is shown first. */
  async function agreeOnTotal(billing: BillingValues | undefined): Promise<ChargePreview | undefined> {
    const fresh = await queryClient.fetchQuery(
      chargePreviewQuery(purchase, billing && wholeAddress(billing)),
    );
    const { ErrorCode } = fresh.SalesTax;
    if (ErrorCode !== null) {
      isTaxRefused.current = true;
      return undefined;
    }
    if (Math.round(fresh.TotalAmount * 100) === totalCents) return fresh;
    setProblem(`The total is ${formatDollars(fresh.TotalAmount)} now. Look at it and press Pay again.`);
    return undefined;
  }

  return {
    card,
    hasCard,
    canAdd,
    usesNew,
    chooseNew: setNewCard,
    input,
    form,
    asksAddress,
    preview,
    isTaxKnown,
    taxProblem,
    taxNotice,
    isFree,
    title: purchaseDialogTitle({
      mode,
      IsFreeTrial: account?.IsFreeTrial ?? false,
      isReactivation,
      totalCents,
    }),
    hasConsented,
    consentProblem,
    agree(isAgreed: boolean) {
      setConsented(isAgreed);
      if (isAgreed) setConsentProblem(undefined);
    },
    problem: problem ?? (asksAddress ? form.problem : undefined),
    isWorking,
    canPay:
      request.isInvalid !== true &&
      card.isSuccess &&
      preview.data !== undefined &&
      !preview.isPlaceholderData &&
      !isWorking &&
      (asksAddress || isTaxKnown),
    submit() {
      if (isFree || !asksAddress) return void press(undefined);
      // Missing card fields are marked together with missing address fields.
      if (usesNew) input.isWhole(cardFieldNames);
      form.submit();
    },
  };
}
