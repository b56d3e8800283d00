import { z } from 'zod';
import { maxLength, required } from '../fields/basic-rules.ts';
import { trimmedField } from '../fields/form.ts';
import { isState, postalCode } from '../fields/identifier-rules.ts';
import { type Rule, when } from '../fields/rule.ts';
import { isInternational } from '../reference/countries.ts';
import { limits } from '../reference/limits.ts';

const { address, city } = limits.onboarding;

/**
 * Mailing address of invoices. Address3 is line 1 and Address4 line 2; Address1 and 2 hold the organization and a
 * person.
 */
export function postalAddressRules(
  countryId = 1,
): Record<'line1' | 'line2' | 'city' | 'state' | 'postalCode', Rule[]> {
  const isForeign = isInternational(countryId);
  return {
    line1: [required('Address'), maxLength('Address', address)],
    line2: [maxLength('Address 2', address)],
    city: [required('City'), maxLength('City', city)],
    state: [...when<string>(!isForeign, required('State'), maxLength('State', 2), isState())],
    postalCode: [required('Zip Code'), ...when<string>(!isForeign, postalCode())],
  };
}

export function invoiceAddressForm({ countryId = 1 }: { countryId?: number } = {}) {
  const rules = postalAddressRules(countryId);
  return z.object({
    Address1: trimmedField(maxLength('Organization', address)),
    Address2: trimmedField(maxLength('Attention', address)),
    Address3: trimmedField(...rules.line1),
    Address4: trimmedField(...rules.line2),
    City: trimmedField(...rules.city),
    State: trimmedField(...rules.state),
    PostalCode: trimmedField(...rules.postalCode),
  });
}
