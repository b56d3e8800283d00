import type { SalesTaxError } from '../../contract/reference/error-codes.ts';
import { findState } from '../../contract/reference/states.ts';
import { isPostalCodeInState } from '../../contract/reference/zip-states.ts';
import type { Config } from '../config.ts';
import { ProcessorError } from './card-processor.ts';
import { isRecord } from './carrier-line.ts';
import { openStripeLine, StripeCardError, type StripeLine, type StripeObject } from './stripe-line.ts';

export interface TaxAddress {
  line1: string;
  city: string;
  state: string;
  postalCode: string;
  countryId: number;
}

export interface TaxQuote {
  taxCents: number;
  /** "Tennessee 9.25%". */
  label: string;
  /** The tax office's id of it; null if the sale needn't be reported. */
  quoteId: string | null;
}

/** A service that calculates sales tax, in our terms. */
export interface SalesTax {
  /** False: no tax is charged at all, and addresses don't matter. */
  isCharged: boolean;
  quote(amountCents: number, address: TaxAddress): Promise<TaxQuote | { error: SalesTaxError }>;
  /** Reports the sale. The same reference is reported once. Returns the service's id, if it has one. */
  record(quoteId: string, reference: string): Promise<string | null>;
  /** A part of a sale was refunded, including tax. */
  reverse(refund: { transactionId: string; refundKey: string; totalCents: number }): Promise<void>;
  close(): Promise<void>;
}

const none: TaxQuote = { taxCents: 0, label: '', quoteId: null };

export function createSalesTax(config: Config): SalesTax {
  if (config.SALES_TAX === 'table') return tableTax(readRates(config.TAX_RATES ?? ''));
  if (config.SALES_TAX === 'stripe' && config.STRIPE_SECRET_KEY) {
    return stripeTax(
      openStripeLine({
        baseUrl: config.STRIPE_BASE_URL,
        secretKey: config.STRIPE_SECRET_KEY,
        timeoutMs: config.STRIPE_TIMEOUT_MS,
      }),
    );
  }
  return {
    isCharged: false,
    quote: async () => none,
    record: async () => null,
    reverse: async () => undefined,
    close: async () => undefined,
  };
}

/** Checks of an address that need no request. */
function checkAddress(address: TaxAddress): SalesTaxError | undefined {
  const { line1, city, state, postalCode, countryId } = address;
  if ([line1, city, postalCode].some((part) => part.trim() === '')) return 'Incomplete';
  if (countryId > 2) return undefined;
  if (state.trim() === '') return 'Incomplete';
  const known = findState(state);
  if (known === undefined) return 'Invalid';
  return isPostalCodeInState(postalCode, known.code) ? undefined : 'ZipNotFound';
}

function readRates(text: string): Map<string, string> {
  return new Map(
    text
      .split(',')
      .filter((pair) => pair !== '')
      .map((pair) => pair.split('=') as [string, string]),
  );
}

function labelOf(stateCode: string, percent: string): string {
  const name = findState(stateCode)?.name ?? stateCode;
  return `${name} ${percent}%`;
}

/** The operator's own table, for a few registrations. */
function tableTax(rates: Map<string, string>): SalesTax {
  return {
    isCharged: true,
    async quote(amountCents, address) {
      const error = checkAddress(address);
      if (error !== undefined) return { error };
      const code = findState(address.state)?.code ?? '';
      const percent = rates.get(code);
      if (percent === undefined) return none;
      // In ten-thousandths of a percent, so that no fraction is lost; half a cent is rounded up.
      const taxCents = Math.floor((amountCents * Math.round(Number(percent) * 10_000) + 500_000) / 1_000_000);
      return { taxCents, label: labelOf(code, percent), quoteId: null };
    },
    record: async () => null,
    reverse: async () => undefined,
    close: async () => undefined,
  };
}

/** Stripe Tax's code for software that is used over the network. */
const taxCode = 'txcd_10103001';

function stripeTax(line: StripeLine): SalesTax {
  return {
    isCharged: true,
    async quote(amountCents, address) {
      const error = checkAddress(address);
      if (error !== undefined) return { error };
      // Other countries' taxes are the buyer's to declare.
      if (address.countryId > 2 || amountCents === 0) return none;
      const state = findState(address.state);
      try {
        return readQuote(
          await line.post('/v1/tax/calculations', {
            currency: 'usd',
            'line_items[0][amount]': amountCents,
            'line_items[0][reference]': 'L1',
            'line_items[0][tax_code]': taxCode,
            'line_items[0][tax_behavior]': 'exclusive',
            'customer_details[address][line1]': address.line1,
            'customer_details[address][city]': address.city,
            'customer_details[address][state]': state?.code ?? address.state,
            'customer_details[address][postal_code]': address.postalCode,
            'customer_details[address][country]': state?.country ?? 'US',
            'customer_details[address_source]': 'billing',
          }),
        );
      } catch (failure) {
        return { error: errorOf(failure) };
      }
    },
    async record(quoteId, reference) {
      try {
        const reply = await line.post(
          '/v1/tax/transactions/create_from_calculation',
          { calculation: quoteId, reference },
          `tax-${reference}`,
        );
        return typeof reply.id === 'string' ? reply.id : null;
      } catch (error) {
        // Reported before, or an expired quote: asking again would not change it.
        if (error instanceof ProcessorError && error.kind === 'refused') return null;
        throw error;
      }
    },
    async reverse({ transactionId, refundKey, totalCents }) {
      try {
        await line.post(
          '/v1/tax/transactions/create_reversal',
          {
            mode: 'partial',
            original_transaction: transactionId,
            reference: refundKey,
            flat_amount: -totalCents,
          },
          refundKey,
        );
      } catch (error) {
        if (!(error instanceof ProcessorError) || error.kind !== 'refused') throw error;
      }
    },
    close: () => line.close(),
  };
}

function readQuote(reply: StripeObject): TaxQuote {
  const taxCents = Number(reply.tax_amount_exclusive ?? 0);
  const [first] = Array.isArray(reply.tax_breakdown) ? reply.tax_breakdown : [];
  const details = isRecord(first) && isRecord(first.tax_rate_details) ? first.tax_rate_details : {};
  const label =
    taxCents > 0 ? labelOf(String(details.state ?? ''), String(details.percentage_decimal ?? '')) : '';
  return { taxCents, label, quoteId: typeof reply.id === 'string' ? reply.id : null };
}

/** Stripe only says that an address is wrong; a provider that names the part is handled separately. */
function errorOf(failure: unknown): SalesTaxError {
  if (failure instanceof StripeCardError) return 'MalformedRequest';
  if (!(failure instanceof ProcessorError) || failure.kind === 'lost') return 'ServiceFailure';
  if (failure.code === 'customer_tax_location_invalid') return 'Invalid';
  if (failure.code === 'city_not_found') return 'CityNotFound';
  if (failure.code === 'taxes_calculation_failed') return 'ServiceFailure';
  return 'MalformedRequest';
}
