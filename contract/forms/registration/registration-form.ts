import { z } from 'zod';
import { accessDenied } from '../../errors.ts';
import { maxLength, minLength, required, requiredMessage } from '../../fields/basic-rules.ts';
import { email, url } from '../../fields/character-rules.ts';
import { failures, flagField, textField, trimmedField } from '../../fields/form.ts';
import { canadianBusinessNumber, ein, postalCode } from '../../fields/identifier-rules.ts';
import { phone } from '../../fields/phone-rules.ts';
import { firstFailure, type Rule, ruleThat, when } from '../../fields/rule.ts';
import { isConsentType } from '../../reference/consent-types.ts';
import { entityTypesFor, registrationCountries } from '../../reference/entity-types.ts';
import { isFreeMail, isSharedMailbox } from '../../reference/free-mail-domains.ts';
import { isIndustry } from '../../reference/industries.ts';
import { limits } from '../../reference/limits.ts';
import { findState } from '../../reference/states.ts';
import { isStockExchange } from '../../reference/stock-exchanges.ts';

const figures = limits.registration;

export interface RegistrationContext {
  /** True if the account already has text numbers at aggregator 5 (Infobip). */
  hasInfobipNumbers: boolean;
  /** The host of the privacy policy that the product offers by default; nobody may register with it. */
  productPrivacyHost: string;
  /** True if the account has the feature PromotionalTextMessaging. */
  mayPromote?: boolean;
  /** True to describe the campaign even where it needn’t be: somebody corrects what a registry refused. */
  describesCampaign?: boolean;
}

const noOption = 'Please select an option.';
export const invalidWebsite = 'Please enter a valid website.';

/** The form as it is typed. Absent counts as empty; IsSoleProprietor says which of the two forms it is. */
export const registrationFormFields = z.object({
  IsSoleProprietor: flagField(),
  Country: z.enum(registrationCountries, { error: requiredMessage('Country') }).default('United States'),
  Ein: trimmedField(),
  CanadianBusinessNumber: trimmedField(),
  EntityType: trimmedField(),
  CompanyName: trimmedField(),
  DisplayName: trimmedField(),
  Vertical: trimmedField(),
  StockSymbol: trimmedField(),
  StockExchange: trimmedField(),
  Street: trimmedField(),
  City: trimmedField(),
  State: trimmedField(),
  PostalCode: trimmedField(),
  Email: trimmedField(),
  PhoneNumber: trimmedField(),
  BrandWebsite: trimmedField(),
  BusinessContactEmail: trimmedField(),
  FirstName: trimmedField(),
  LastName: trimmedField(),
  IsPromotionalRegistration: z
    .boolean({ error: noOption })
    .nullish()
    .transform((value) => value ?? null),
  ConsentType: trimmedField(),
  Description: textField(),
  Sample1: textField(),
  Sample2: textField(),
  PrivacyPolicyUserSelection: trimmedField(),
  PrivacyPolicyUrl: trimmedField(),
});
export type RegistrationForm = z.output<typeof registrationFormFields>;
export type RegistrationField = keyof RegistrationForm;

/** The whole registration wizard: what each field needs depends on country, entity type and account. */
export function registrationForm(context: RegistrationContext) {
  return registrationFormFields.superRefine(failures((values) => registrationFailures(values, context)));
}

export function registrationFailures(
  values: RegistrationForm,
  context: RegistrationContext,
): Partial<Record<RegistrationField, string | undefined>> {
  const rules = registrationRules(values, context);
  const messages: Partial<Record<RegistrationField, string | undefined>> = {};
  for (const [field, list] of Object.entries(rules) as [keyof typeof rules, readonly Rule[]][]) {
    messages[field] = firstFailure(values[field], list);
  }
  messages.IsPromotionalRegistration = promotionalFailure(values, context);
  return messages;
}

/** Promotional texts are for accounts with the feature; nobody should register as something else instead. */
function promotionalFailure(
  { IsPromotionalRegistration }: RegistrationForm,
  { mayPromote = true }: RegistrationContext,
): string | undefined {
  if (IsPromotionalRegistration === null) return noOption;
  return IsPromotionalRegistration && !mayPromote ? accessDenied : undefined;
}

type TextFieldName = {
  [Name in RegistrationField]: RegistrationForm[Name] extends string ? Name : never;
}[RegistrationField];

function registrationRules(
  values: RegistrationForm,
  context: RegistrationContext,
): Partial<Record<TextFieldName, readonly Rule[]>> {
  return {
    ...taxIdRules(values),
    ...organizationRules(values),
    ...addressRules(values),
    ...campaignRules(values, context),
  };
}

function taxIdRules({
  Country,
  IsSoleProprietor,
}: RegistrationForm): Partial<Record<TextFieldName, readonly Rule[]>> {
  const isCanadian = Country === 'Canada';
  return {
    Ein: when(!isCanadian && !IsSoleProprietor, required('EIN'), ein()),
    CanadianBusinessNumber: when(isCanadian, required('Canadian Business Number'), canadianBusinessNumber()),
  };
}

function organizationRules(values: RegistrationForm): Partial<Record<TextFieldName, readonly Rule[]>> {
  const { Country, EntityType, IsSoleProprietor } = values;
  const isPublic = EntityType === 'PUBLIC_PROFIT' && !IsSoleProprietor;
  const displayName = IsSoleProprietor ? 'Organization Name' : 'Brand Name';
  return {
    EntityType: when(
      !IsSoleProprietor || Country === 'Canada',
      ...chosen('Organization Type', (value) => entityTypesFor(Country).some((type) => type.value === value)),
    ),
    DisplayName: [required(displayName), maxLength(displayName, figures.displayName)],
    CompanyName: when(
      !IsSoleProprietor,
      required('Company Name'),
      maxLength('Company Name', figures.companyName),
    ),
    Vertical: chosen('Industry', isIndustry),
    StockSymbol: when(isPublic, required('Stock Symbol'), maxLength('Stock Symbol', figures.stockSymbol)),
    StockExchange: when(
      isPublic,
      ...chosen('Stock Exchange', (value) => isStockExchange(value) && value !== 'NONE'),
    ),
    Email: [required('Email'), maxLength('Email', figures.email), email('Email')],
    PhoneNumber: [required('Phone Number'), phone()],
    BrandWebsite: [
      required('Website', 'Enter a Website.'),
      maxLength('Website', figures.website),
      url(invalidWebsite),
    ],
    BusinessContactEmail: when(
      isPublic,
      required('Business Contact Email'),
      maxLength('Business Contact Email', figures.email),
      companyEmail(),
    ),
    FirstName: when(IsSoleProprietor, required('First Name')),
    LastName: when(IsSoleProprietor, required('Last Name')),
  };
}

function addressRules({ Country }: RegistrationForm): Partial<Record<TextFieldName, readonly Rule[]>> {
  const isCanadian = Country === 'Canada';
  const country = isCanadian ? 'CA' : 'US';
  const postal = isCanadian ? 'Postal Code' : 'Zip Code';
  const selectState = isCanadian ? 'Select a province' : 'Select a state';
  return {
    Street: [required('Address'), maxLength('Address', figures.street)],
    City: [required('City'), maxLength('City', figures.city)],
    PostalCode: [required(postal), maxLength(postal, figures.postalCode), postalCode(country)],
    State: [
      required('State', selectState),
      maxLength(isCanadian ? 'Province' : 'State', figures.state),
      ruleThat((value) => findState(value)?.country === country, selectState),
    ],
  };
}

function campaignRules(
  values: RegistrationForm,
  context: RegistrationContext,
): Partial<Record<TextFieldName, readonly Rule[]>> {
  const describes = asksForCampaign(values, context);
  const hasPolicy = values.PrivacyPolicyUserSelection === 'Yes';
  const { description, sample } = figures;
  const sampleLength = [minLength('Sample Message', sample.min), maxLength('Sample Message', sample.max)];
  return {
    Description: when(
      describes,
      required('Description'),
      minLength('Description', description.min),
      maxLength('Description', description.max),
    ),
    Sample1: when(describes, required('Sample Message'), ...sampleLength),
    Sample2: when(describes, ...sampleLength, differentSample(values.Sample1)),
    ConsentType: when(describes, ...chosen('Consent Type', isConsentType, 'Select a consent type')),
    PrivacyPolicyUserSelection: chosen(
      'privacy policy',
      (value) => value === 'Yes' || value === 'Not Yet',
      'Select if you have a privacy policy',
    ),
    PrivacyPolicyUrl: when(
      hasPolicy,
      required('Privacy Policy URL'),
      maxLength('Privacy Policy URL', figures.privacyPolicyUrl),
      ownPrivacyPolicy(context.productPrivacyHost),
      url('Must be a valid website. ex: https://www.example.org/privacy'),
    ),
  };
}

/** A value picked from a list: no value, and a value that isn't in the list, get the same message. */
function chosen(
  label: string,
  isListed: (value: string) => boolean,
  message = requiredMessage(label),
): Rule[] {
  return [required(label, message), ruleThat(isListed, message)];
}

/** Required unless the account has Infobip numbers or is on the sole-proprietor form. */
export function asksForCampaign(
  { IsSoleProprietor }: { IsSoleProprietor: boolean },
  context: RegistrationContext,
): boolean {
  return context.describesCampaign === true || (!context.hasInfobipNumbers && !IsSoleProprietor);
}

/** Two samples that say the same count as one; case and spacing don't make them different. */
function differentSample(first: string): Rule {
  const comparable = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim();
  return ruleThat((value) => comparable(value) !== comparable(first), 'Sample messages must be different.');
}

export const companyEmailMessage =
  'Must be a valid email. The email should reflect your company domain e.g., @company.com. Do not use shared email addresses like support@ or info@ or free email domains like @gmail.com.';

function companyEmail(): Rule {
  const valid = email('Business Contact Email');
  return ruleThat(
    (value) => valid(value) === undefined && !isSharedMailbox(value) && !isFreeMail(value),
    companyEmailMessage,
  );
}

function ownPrivacyPolicy(productHost: string): Rule {
  const host = productHost.toLowerCase();
  return ruleThat(
    (value) => host === '' || !value.toLowerCase().includes(host),
    'You must use your own privacy policy.',
  );
}
