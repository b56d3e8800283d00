import { withScheme } from '../../fields/character-rules.ts';
import { normalizePhone } from '../../phone/normalize-phone.ts';
import { messageFlow } from '../../reference/consent-types.ts';
import { errorCatalog } from '../../reference/error-catalog.ts';
import { invalidWebsite, type RegistrationField, type RegistrationForm } from './registration-form.ts';

/** The body of the registration call, from a form that passed. */
export function registrationPayload(form: RegistrationForm) {
  const isPublic = form.EntityType === 'PUBLIC_PROFIT' && !form.IsSoleProprietor;
  const hasPolicy = form.PrivacyPolicyUserSelection === 'Yes';
  return {
    NewBrand: {
      Country: form.Country,
      // For Canada the Ein field carries the Canadian business number.
      Ein: form.Country === 'Canada' ? form.CanadianBusinessNumber : form.Ein,
      EntityType: form.IsSoleProprietor ? 'SOLE_PROPRIETOR' : form.EntityType,
      CompanyName: form.CompanyName,
      DisplayName: form.DisplayName,
      Vertical: form.Vertical,
      // Kept only for publicly traded companies.
      ...(isPublic ? { StockSymbol: form.StockSymbol, StockExchange: form.StockExchange } : {}),
      Street: form.Street,
      City: form.City,
      State: form.State,
      PostalCode: form.PostalCode,
      Email: form.Email,
      PhoneNumber: normalizePhone(form.PhoneNumber) ?? form.PhoneNumber,
      Website: form.BrandWebsite,
      ...(isPublic ? { BusinessContactEmail: form.BusinessContactEmail } : {}),
      FirstName: form.FirstName,
      LastName: form.LastName,
    },
    NewCampaign: {
      IsPromotionalRegistration: form.IsPromotionalRegistration,
      ConsentType: form.ConsentType,
      MessageFlow: messageFlow(form.ConsentType),
      Description: form.Description,
      Sample1: form.Sample1,
      Sample2: form.Sample2,
      PrivacyPolicyUserSelection: form.PrivacyPolicyUserSelection,
      // Dropped unless the user has a privacy policy; http:// is prepended if missing.
      ...(hasPolicy ? { PrivacyPolicyUrl: withScheme(form.PrivacyPolicyUrl) } : {}),
    },
  };
}

/** The registration call's error reply. */
export interface RegistrationProblem {
  type?: string;
  detail?: string;
  errors?: Readonly<Record<string, readonly { description?: string }[]>>;
}

/** Names under which the payload carries a field that the form calls something else. */
const payloadNames = new Map<string, RegistrationField>([['website', 'BrandWebsite']]);

/**
 * Server field errors are mapped to matching fields by case-insensitive name, using the first error's
 * description. Errors that match no field are left out here and shown as the general message.
 */
export function registrationFieldErrors(
  errors: RegistrationProblem['errors'],
  form: RegistrationForm,
): Partial<Record<RegistrationField, string>> {
  const byName = new Map<string, RegistrationField>(
    (Object.keys(form) as RegistrationField[]).map((field) => [field.toLowerCase(), field]),
  );
  const mapped: Partial<Record<RegistrationField, string>> = {};
  for (const [name, list] of Object.entries(errors ?? {})) {
    const last = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
    const field =
      last === 'ein' && form.Country === 'Canada'
        ? 'CanadianBusinessNumber'
        : (byName.get(last) ?? payloadNames.get(last));
    const description = list[0]?.description;
    if (field && description && mapped[field] === undefined) mapped[field] = description;
  }
  return mapped;
}

export const registrationMessages = {
  exists: errorCatalog.registrationExists,
  network: errorCatalog.registrationNetwork,
  invalidFields: 'One or more fields in the request contained an invalid value.',
  unknown: errorCatalog.somethingWrong,
} as const;

export type RegistrationOutcome =
  | { show: 'fields'; errors: Partial<Record<RegistrationField, string>>; message?: string }
  | { show: 'message'; message: string }
  | { show: 'error-route' };

/**
 * Page to show to somebody whose registration was refused. `problem` is undefined when the network failed before
 * there was an answer.
 */
export function registrationOutcome(
  problem: RegistrationProblem | undefined,
  form: RegistrationForm,
): RegistrationOutcome {
  if (problem === undefined) return { show: 'message', message: registrationMessages.network };
  if (problem.type?.endsWith('registration-request-exists')) {
    const { exists } = registrationMessages;
    return { show: 'fields', errors: { Ein: exists }, message: exists };
  }
  const errors = registrationFieldErrors(problem.errors, form);
  if (Object.keys(errors).length > 0) return { show: 'fields', errors };
  if (problem.detail === registrationMessages.invalidFields) return { show: 'error-route' };
  return { show: 'message', message: registrationMessages.unknown };
}

/** The website check's reply: the address to keep, or its problem. */
export function websiteOutcome(
  reply:
    | {
        Valid?: boolean;
        ErrorMessage?: string | null;
        OriginalUri?: string | null;
        RedirectedUri?: string | null;
      }
    | undefined,
): { website: string } | { error: string } {
  if (reply === undefined) return { error: errorCatalog.website };
  if (typeof reply.Valid !== 'boolean') return { error: errorCatalog.websiteResponse };
  if (!reply.Valid) return { error: invalidWebsite };
  return { website: reply.RedirectedUri || reply.OriginalUri || '' };
}
