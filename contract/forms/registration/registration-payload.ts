import type { NewBrand, NewCampaign } from '../../registration.ts';
import { formatEin } from './registration-changes.ts';
import { type RegistrationForm, registrationFormFields } from './registration-form.ts';

/** The form that a submission came from: the server judges it by the same rules as the page. */
export function formOfPayload(brand: NewBrand, campaign: NewCampaign): RegistrationForm {
  const isCanadian = brand.Country === 'Canada';
  return registrationFormFields.parse({
    ...brand,
    ...campaign,
    Country: isCanadian ? 'Canada' : 'United States',
    Ein: isCanadian ? '' : formatEin(brand.Ein),
    CanadianBusinessNumber: isCanadian ? brand.Ein : '',
    IsSoleProprietor: brand.EntityType === 'SOLE_PROPRIETOR',
    EntityType: brand.EntityType === 'SOLE_PROPRIETOR' ? '' : brand.EntityType,
    BrandWebsite: brand.Website,
  });
}
