import { z } from 'zod';
import { maxLength, required } from '../fields/basic-rules.ts';
import { email, number } from '../fields/character-rules.ts';
import { failures, trimmedField } from '../fields/form.ts';
import { phoneField } from '../fields/phone-rules.ts';
import { ruleThat, when } from '../fields/rule.ts';
import { limits } from '../reference/limits.ts';
import { isPostalCodeInState } from '../reference/zip-states.ts';
import { postalAddressRules } from './postal-address.ts';

/** The account's country, and the extra questions that its partner asks for. */
export interface OnboardingContext {
  countryId: number;
  CollectInvoiceBillingAddress?: boolean;
  CollectAmazonInfo?: boolean;
  CollectOnboardingRepublicInfo?: boolean;
  CollectPO?: boolean;
}

const figures = limits.onboarding;

const zipElsewhere = 'ZIP Code not found in State.';

/** The company step (Activation). Fields that the account isn't asked for have no rules. */
export function onboardingForm(context: OnboardingContext) {
  const address = postalAddressRules(context.countryId);
  const asksAddress = context.CollectInvoiceBillingAddress ?? false;
  return (
    z
      .object({
        CompanyName: trimmedField(required('Account Name'), maxLength('Account Name', figures.companyName)),
        HowTheyHeard: trimmedField(maxLength('How you heard about us', figures.howTheyHeard)),
        Industry: trimmedField(required('Industry')),
        Phone: phoneField(context.countryId, required('Phone Number')),
        State: trimmedField(...address.state),
        Address3: trimmedField(...when(asksAddress, ...address.line1)),
        Address4: trimmedField(...when(asksAddress, ...address.line2)),
        City: trimmedField(...when(asksAddress, ...address.city)),
        PostalCode: trimmedField(...when(asksAddress, ...address.postalCode)),
        LawsonNumber: trimmedField(
          ...when(
            context.CollectOnboardingRepublicInfo ?? false,
            number(),
            maxLength('Lawson Number', figures.lawsonNumber, 'Lawson Number must be at most 4 digits'),
          ),
        ),
        AmazonEmail: trimmedField(
          ...when(
            context.CollectAmazonInfo ?? false,
            maxLength('Email', figures.amazonEmail),
            email('Email'),
          ),
        ),
        BlanketPO: trimmedField(
          ...when(context.CollectPO ?? false, maxLength('Blanket PO', figures.blanketPO)),
        ),
      })
      // Sales tax depends on it: whoever corrects it here isn’t stopped by it when they pay.
      .superRefine(
        failures(({ State, PostalCode }) =>
          asksAddress && context.countryId <= 2 && !isPostalCodeInState(PostalCode, State)
            ? { PostalCode: zipElsewhere }
            : {},
        ),
      )
  );
}

export type OnboardingForm = z.output<ReturnType<typeof onboardingForm>>;

const areaCodeMessage = 'Enter a 3 digit area code';

/** The local number's area code. Only the server knows whether a number is available there. */
export const areaCodeForm = z.object({
  LocalNumberAreaCode: trimmedField(
    required('Area Code', areaCodeMessage),
    ruleThat((value) => /^[0-9]{3}$/.test(value), areaCodeMessage),
  ),
});

/** Company errors mentioning phone, zip, postal, state or province are mapped to the matching field. */
export function companyErrorField(message: string): 'Phone' | 'PostalCode' | 'State' | undefined {
  const text = message.toLowerCase();
  if (text.includes('phone')) return 'Phone';
  if (text.includes('zip') || text.includes('postal')) return 'PostalCode';
  // "The United States" isn't an error about the state.
  if (text.replaceAll('united states', '').includes('state') || text.includes('province')) return 'State';
  return undefined;
}
