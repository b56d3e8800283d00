import { findState } from '../../reference/states.ts';
import type { RegistrationForm } from './registration-form.ts';

/**
 * Changes that follow from changing one answer. Every function returns a new form and leaves the old one unchanged.
 */

/** Typed input is auto-formatted as XX-XXXXXXX. */
export function formatEin(text: string): string {
  const digits = text
    .slice(0, 40)
    .replace(/[^0-9]/g, '')
    .slice(0, 9);
  return digits.length > 2 ? `${digits.slice(0, 2)}-${digits.slice(2)}` : digits;
}

/** The 9 digits without the hyphen, at which a lookup starts. */
export function einToLookUp(text: string): string | undefined {
  const digits = formatEin(text).replace('-', '');
  return digits.length === 9 ? digits : undefined;
}

/** Everything that the sole-proprietor form took from the user. */
const noSoleProprietor = {
  IsSoleProprietor: false,
  FirstName: '',
  LastName: '',
  Email: '',
  PhoneNumber: '',
} as const;

/**
 * US to Canada clears Ein; the reverse clears CanadianBusinessNumber, Sample2 and EntityType. Sole proprietors
 * register in the US only.
 */
export function changeCountry(
  form: RegistrationForm,
  Country: RegistrationForm['Country'],
): RegistrationForm {
  if (form.Country === Country) return form;
  const changed = { ...form, Country };
  if (Country === 'Canada') {
    const left = form.IsSoleProprietor ? noSoleProprietor : {};
    // GOVERNMENT isn't offered in Canada, so it can't stay chosen.
    return {
      ...changed,
      ...left,
      Ein: '',
      EntityType: form.EntityType === 'GOVERNMENT' ? '' : form.EntityType,
    };
  }
  return { ...changed, CanadianBusinessNumber: '', Sample2: '', EntityType: '' };
}

/** Changing the entity type clears StockExchange, StockSymbol and Sample2. */
export function changeEntityType(form: RegistrationForm, EntityType: string): RegistrationForm {
  return form.EntityType === EntityType
    ? form
    : { ...form, EntityType, StockExchange: '', StockSymbol: '', Sample2: '' };
}

export interface RegisteringUser {
  FirstName: string;
  LastName: string;
  Email: string;
  Phone: string;
}

/** Sets the flag, clears the tax ID, and prefills name, e-mail and phone from the user. */
export function switchToSoleProprietor(form: RegistrationForm, user: RegisteringUser): RegistrationForm {
  return {
    ...form,
    IsSoleProprietor: true,
    Ein: '',
    CanadianBusinessNumber: '',
    FirstName: user.FirstName,
    LastName: user.LastName,
    Email: user.Email,
    PhoneNumber: user.Phone,
  };
}

/** Entering an EIN while on the sole-proprietor form turns the flag off and resets its fields. */
export function enterEin(form: RegistrationForm, text: string): RegistrationForm {
  const Ein = formatEin(text);
  if (!form.IsSoleProprietor || Ein === '') return { ...form, Ein };
  return { ...form, Ein, ...noSoleProprietor };
}

/** The EIN lookup's first entry prefills company fields; what it doesn't know stays as typed. */
export interface EinLookupEntry {
  companyName?: string | null;
  address1?: string | null;
  city?: string | null;
  state?: string | null;
  zipCode?: string | null;
  website?: string | null;
}

export function applyEinLookup(form: RegistrationForm, entries: readonly EinLookupEntry[]): RegistrationForm {
  const [found] = entries;
  if (!found) return form;
  return {
    ...form,
    CompanyName: found.companyName || form.CompanyName,
    Street: found.address1 || form.Street,
    City: found.city || form.City,
    State: findState(found.state ?? '')?.code ?? form.State,
    PostalCode: found.zipCode || form.PostalCode,
    BrandWebsite: found.website || form.BrandWebsite,
  };
}

/** The fields that have what the lookup found: filled in by it, and not changed since. */
export function filledByEinLookup(
  form: RegistrationForm,
  entries: readonly EinLookupEntry[],
): (keyof RegistrationForm)[] {
  const [found] = entries;
  if (!found) return [];
  const given = {
    CompanyName: found.companyName,
    Street: found.address1,
    City: found.city,
    State: findState(found.state ?? '')?.code,
    PostalCode: found.zipCode,
    BrandWebsite: found.website,
  };
  return (Object.keys(given) as (keyof typeof given)[]).filter(
    (field) => given[field] && given[field] === form[field],
  );
}

/** The brand of a returning user, as registered before. */
export interface RegisteredBrand {
  website?: string | null;
  businessContactEmail?: string | null;
  ein?: string | null;
  city?: string | null;
  companyName?: string | null;
  country?: string | null;
  displayName?: string | null;
  email?: string | null;
  entityType?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  phoneNumber?: string | null;
  postalCode?: string | null;
  state?: string | null;
  stockExchange?: string | null;
  stockSymbol?: string | null;
  street?: string | null;
  vertical?: string | null;
}

export function applyRegisteredBrand(form: RegistrationForm, brand: RegisteredBrand): RegistrationForm {
  const isCanadian = brand.country === 'Canada' || brand.country === 'CA';
  const taxId = brand.ein ?? '';
  return {
    ...form,
    Country: isCanadian ? 'Canada' : 'United States',
    Ein: isCanadian ? '' : formatEin(taxId),
    CanadianBusinessNumber: isCanadian ? taxId : '',
    IsSoleProprietor: brand.entityType === 'SOLE_PROPRIETOR',
    EntityType: brand.entityType === 'SOLE_PROPRIETOR' ? '' : (brand.entityType ?? ''),
    CompanyName: brand.companyName ?? '',
    DisplayName: brand.displayName ?? '',
    Vertical: brand.vertical ?? '',
    StockSymbol: brand.stockSymbol ?? '',
    StockExchange: brand.stockExchange ?? '',
    Street: brand.street ?? '',
    City: brand.city ?? '',
    State: brand.state ?? '',
    PostalCode: brand.postalCode ?? '',
    Email: brand.email ?? '',
    PhoneNumber: brand.phoneNumber ?? '',
    BrandWebsite: brand.website ?? '',
    BusinessContactEmail: brand.businessContactEmail ?? '',
    FirstName: brand.firstName ?? '',
    LastName: brand.lastName ?? '',
  };
}

/** Puts the refused description of the texts into the form. Anything typed since, or still there, stays. */
export function applyRefusedCampaign(
  form: RegistrationForm,
  campaign: Pick<RegistrationForm, 'ConsentType' | 'Description' | 'Sample1' | 'Sample2'> | null,
): RegistrationForm {
  if (campaign === null) return form;
  return {
    ...form,
    ConsentType: form.ConsentType || campaign.ConsentType,
    Description: form.Description || campaign.Description,
    Sample1: form.Sample1 || campaign.Sample1,
    Sample2: form.Sample2 || campaign.Sample2,
  };
}
