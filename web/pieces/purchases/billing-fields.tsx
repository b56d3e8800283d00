import Box from '@mui/material/Box';
import type { Control } from 'react-hook-form';
import { z } from 'zod';
import { billingFields, canSaveBillingAddress } from '../../../contract/forms/card.ts';
import { FormText } from '../../ui/form-fields.tsx';

export interface BillingValues {
  FirstName: string;
  LastName: string;
  BillingAddress1: string;
  BillingCity: string;
  BillingState: string;
  BillingZipCode: string;
}

/** The values that the fields start with: those on file. */
export function billingOf(card: { [Name in keyof BillingValues]?: string | undefined }): BillingValues {
  return {
    FirstName: card.FirstName ?? '',
    LastName: card.LastName ?? '',
    BillingAddress1: card.BillingAddress1 ?? '',
    BillingCity: card.BillingCity ?? '',
    BillingState: card.BillingState ?? '',
    BillingZipCode: card.BillingZipCode ?? '',
  };
}

export function billingRules(countryId: number | undefined): z.ZodType<BillingValues, BillingValues> {
  return z.object(billingFields(countryId)) as unknown as z.ZodType<BillingValues, BillingValues>;
}

/** An address that sales tax can be asked for: whole, and its postal code has at least 5 characters. */
export function wholeAddress(typed: Partial<BillingValues>): BillingValues | undefined {
  const address = billingOf(typed);
  const trimmed = Object.fromEntries(
    Object.entries(address).map(([name, text]) => [name, text.trim()]),
  ) as unknown as BillingValues;
  const { BillingAddress1, BillingCity, BillingState, BillingZipCode } = trimmed;
  const isWhole =
    BillingAddress1 !== '' &&
    BillingCity !== '' &&
    BillingState !== '' &&
    canSaveBillingAddress(BillingZipCode);
  return isWhole ? trimmed : undefined;
}

/** The cardholder's name and billing address. */
export function BillingFields<Output>({ control }: { control: Control<BillingValues, unknown, Output> }) {
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: 'repeat(6, 1fr)' } }}>
      <Box sx={{ gridColumn: { sm: 'span 3' } }}>
        <FormText control={control} name="FirstName" label="First name" autoComplete="cc-given-name" />
      </Box>
      <Box sx={{ gridColumn: { sm: 'span 3' } }}>
        <FormText control={control} name="LastName" label="Last name" autoComplete="cc-family-name" />
      </Box>
      <Box sx={{ gridColumn: { sm: 'span 6' } }}>
        <FormText
          control={control}
          name="BillingAddress1"
          label="Billing address"
          autoComplete="billing address-line1"
        />
      </Box>
      <Box sx={{ gridColumn: { sm: 'span 2' } }}>
        <FormText control={control} name="BillingCity" label="City" autoComplete="billing address-level2" />
      </Box>
      <Box sx={{ gridColumn: { sm: 'span 2' } }}>
        <FormText control={control} name="BillingState" label="State" autoComplete="billing address-level1" />
      </Box>
      <Box sx={{ gridColumn: { sm: 'span 2' } }}>
        <FormText
          control={control}
          name="BillingZipCode"
          label="ZIP code"
          autoComplete="billing postal-code"
        />
      </Box>
    </Box>
  );
}
