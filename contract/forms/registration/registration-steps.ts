import { fieldErrors, onlyFields } from '../../fields/form.ts';
import {
  asksForCampaign,
  type RegistrationContext,
  type RegistrationField,
  registrationFailures,
  registrationForm,
  registrationFormFields,
} from './registration-form.ts';

/**
 * The wizard's routes in order. "contacts" asks whether the account texts people in Canada. Those who do are
 * shown "apply-for-tfn" next, since local numbers don't reach Canada.
 */
export const registrationRoutes = [
  'contacts',
  'apply-for-tfn',
  'tax-id',
  'organization-details',
  'message-details',
  'review',
  'sole-proprietor-review',
] as const;
export type RegistrationRoute = (typeof registrationRoutes)[number];

export const registrationStepGroups = [
  'Contacts',
  'Tax ID',
  'Organization Details',
  'Message Details',
  'Review & Submit',
] as const;

const groupOfRoute: Record<RegistrationRoute, (typeof registrationStepGroups)[number]> = {
  contacts: 'Contacts',
  'apply-for-tfn': 'Contacts',
  'tax-id': 'Tax ID',
  'organization-details': 'Organization Details',
  'message-details': 'Message Details',
  review: 'Review & Submit',
  'sole-proprietor-review': 'Review & Submit',
};

export function registrationStepGroup(route: RegistrationRoute) {
  return groupOfRoute[route];
}

export interface RegistrationWay extends RegistrationContext {
  sendsTextsToCanada: boolean;
  isSoleProprietor: boolean;
}

function takesShortReview(way: RegistrationWay): boolean {
  return !asksForCampaign({ IsSoleProprietor: way.isSoleProprietor }, way);
}

export function nextRoute(route: RegistrationRoute, way: RegistrationWay): RegistrationRoute {
  const afterContacts = way.isSoleProprietor ? 'organization-details' : 'tax-id';
  switch (route) {
    case 'contacts':
      return way.sendsTextsToCanada ? 'apply-for-tfn' : afterContacts;
    case 'apply-for-tfn':
      return afterContacts;
    case 'tax-id':
      return 'organization-details';
    case 'organization-details':
      return 'message-details';
    case 'message-details':
      return takesShortReview(way) ? 'sole-proprietor-review' : 'review';
    case 'review':
    case 'sole-proprietor-review':
      return route;
  }
}

export function previousRoute(route: RegistrationRoute, way: RegistrationWay): RegistrationRoute {
  switch (route) {
    case 'contacts':
    case 'apply-for-tfn':
    // Going back from tax ID skips two steps: the toll-free page is an answer, not a question.
    case 'tax-id':
      return 'contacts';
    case 'organization-details':
      return way.isSoleProprietor ? 'contacts' : 'tax-id';
    case 'message-details':
      return 'organization-details';
    case 'review':
    case 'sole-proprietor-review':
      return 'message-details';
  }
}

const taxId: readonly RegistrationField[] = ['Country', 'Ein', 'CanadianBusinessNumber'];
const organization: readonly RegistrationField[] = [
  ...(['EntityType', 'CompanyName', 'DisplayName', 'Vertical', 'StockSymbol', 'StockExchange'] as const),
  ...(['Street', 'City', 'State', 'PostalCode', 'Email', 'PhoneNumber', 'BrandWebsite'] as const),
  ...(['BusinessContactEmail', 'FirstName', 'LastName'] as const),
];
const message: readonly RegistrationField[] = [
  ...(['IsPromotionalRegistration', 'ConsentType', 'Description', 'Sample1', 'Sample2'] as const),
  ...(['PrivacyPolicyUserSelection', 'PrivacyPolicyUrl'] as const),
];

/** The fields that each route shows; the reviews show all of them. */
export const fieldsOfRoute: Record<RegistrationRoute, readonly RegistrationField[]> = {
  contacts: [],
  'apply-for-tfn': [],
  'tax-id': taxId,
  'organization-details': organization,
  'message-details': message,
  review: [...taxId, ...organization, ...message],
  'sole-proprietor-review': [...taxId, ...organization, ...message],
};

/** A step advances only when it validates; otherwise these errors are written into the form and it stays. */
export function registrationStepErrors(
  route: RegistrationRoute,
  values: unknown,
  context: RegistrationContext,
): Record<string, string> {
  return onlyFields(formErrors(values, context), fieldsOfRoute[route]);
}

/**
 * The errors of the whole form. A schema with the rules is made and compiled again for each context, which
 * takes longer than validating the form, and the wizard validates after every letter. So this calls the rules
 * directly.
 */
function formErrors(values: unknown, context: RegistrationContext): Record<string, string> {
  const typed = registrationFormFields.safeParse(values);
  if (!typed.success) return fieldErrors(registrationForm(context), values);
  const failures = Object.entries(registrationFailures(typed.data, context));
  return Object.fromEntries(failures.filter((each): each is [string, string] => each[1] !== undefined));
}
