import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { registrationFormFields } from './forms/registration/registration-form.ts';
import { registrationRoutes } from './forms/registration/registration-steps.ts';
import { sizedList } from './list.ts';
import { limits } from './reference/limits.ts';
import { registrationDisallowedReasons } from './states/registration-allowed.ts';
import { registrationRequestStatuses } from './states/registration-request.ts';

/** Ordering text numbers, and registering the organizations that text with them. */

/** A number that a provider has for sale. */
const availableNumber = z.object({
  /** Ten digits. */
  PhoneNumber: z.string(),
  /** Its town, where the provider says it; otherwise empty. */
  City: z.string(),
  /** Its state, or that of the area code. */
  State: z.string(),
  IsTollFree: z.boolean(),
});

export const listLocalNumbers = call({
  method: 'GET',
  path: '/account/localnumbers',
  summary: 'Searches for numbers that the account can get, by area code.',
  allow: 'buyLocalNumber',
  query: z.object({
    areacode: z.string().max(10).default(''),
    /** Digits that the number should contain. */
    q: z.string().max(20).default(''),
    page: z.coerce.number().int().min(1).max(100).default(1),
    pagesize: z.coerce.number().int().min(1).max(50).default(12),
  }),
  reply: z.object({
    Items: z.array(availableNumber),
    Size: z.number().int(),
    /** The state of the area code and its best-known town; null if we don’t know it. */
    Place: z.object({ State: z.string(), City: z.string(), TimeZones: z.array(z.string()) }).nullable(),
  }),
  errors: ['notFound', 'product'],
});

const phoneNumber = z.string().trim().min(10, 'Choose a number').max(16);

export const reserveLocalNumber = call({
  method: 'POST',
  path: '/account/reservelocalnumber',
  summary: 'Holds a number for the account for ten minutes.',
  allow: 'buyLocalNumber',
  event: 'none',
  body: z.object({ PhoneNumber: phoneNumber }),
  reply: z.object({ ReservationID: z.number().int(), PhoneNumber: z.string(), ReservedUntil: moment }),
  errors: ['notFound', 'product'],
});

const orderStatus = z.enum(['Reserved', 'Buying', 'Bought', 'Failed']);

const numberOrder = z.object({
  OrderID: z.number().int(),
  Status: orderStatus,
  PhoneNumber: z.string(),
  /** The text number it became; null until then. */
  TextNumberID: z.number().int().nullable(),
  /** The message about it; empty if everything went as requested. */
  Message: z.string(),
});
export type NumberOrder = z.output<typeof numberOrder>;

export const buyLocalNumber = call({
  method: 'POST',
  path: '/account/localnumbers',
  summary: 'Gets a number. Asking again for the same number has no further effect.',
  allow: 'buyLocalNumber',
  event: 'none',
  body: z.object({
    PhoneNumber: phoneNumber,
    Name: z
      .string()
      .trim()
      .max(limits.textNumberName, `Name must be at most ${limits.textNumberName} characters`)
      .default(''),
    /** Users who may use it; owners and admins always may. */
    UserIDs: z.array(id).max(1000).default([]),
  }),
  reply: numberOrder,
  errors: ['notFound', 'product', 'refused'],
});

export const listNumberOrders = call({
  method: 'GET',
  path: '/account/localnumbers/orders',
  summary: 'Lists the account’s orders of numbers, newest first.',
  allow: 'buyLocalNumber',
  reply: z.object({ Items: z.array(numberOrder) }),
});

export const getUnregisteredNumber = call({
  method: 'POST',
  path: '/account/unregisteredlocalnumber',
  summary: 'Gets the free number of a trial. If the account already has one, returns it.',
  // And getFreeTextNumber, which the verb checks itself.
  allow: 'buyLocalNumber',
  event: 'none',
  body: z.object({ AreaCode: z.string().max(10).default('') }),
  reply: z.object({ phoneNumber: z.string(), Message: z.string() }),
  errors: ['notFound', 'product', 'refused'],
});

export const releaseTextNumber = call({
  method: 'POST',
  path: '/textnumbers/:TextNumberID/release',
  summary: 'Gives a text number up. It keeps working for seven days and can be kept until then.',
  allow: 'releaseTextNumbers',
  event: 'textNumber.released',
  params: z.object({ TextNumberID: id }),
  reply: z.object({ TextNumberID: z.number().int(), ReleaseDate: moment }),
  errors: ['notFound', 'refused'],
});

export const keepTextNumber = call({
  method: 'POST',
  path: '/textnumbers/:TextNumberID/keep',
  summary: 'Keeps a text number that was given up.',
  allow: 'releaseTextNumbers',
  event: 'textNumber.kept',
  params: z.object({ TextNumberID: id }),
  reply: z.object({ TextNumberID: z.number().int() }),
  errors: ['notFound', 'refused'],
});

/** Nothing longer is stored, whatever the field; the sentences are in contract/forms/registration/. */
const typed = z.string().max(5000).default('');

const newBrand = z.object({
  Country: z.string().max(50).default('United States'),
  Ein: typed,
  EntityType: typed,
  CompanyName: typed,
  DisplayName: typed,
  Vertical: typed,
  StockSymbol: typed,
  StockExchange: typed,
  Street: typed,
  City: typed,
  State: typed,
  PostalCode: typed,
  Email: typed,
  PhoneNumber: typed,
  Website: typed,
  BusinessContactEmail: typed,
  FirstName: typed,
  LastName: typed,
});
export type NewBrand = z.output<typeof newBrand>;

const newCampaign = z.object({
  IsPromotionalRegistration: z.boolean().nullable().default(null),
  ConsentType: typed,
  MessageFlow: typed,
  Description: typed,
  Sample1: typed,
  Sample2: typed,
  PrivacyPolicyUserSelection: typed,
  PrivacyPolicyUrl: typed,
});
export type NewCampaign = z.output<typeof newCampaign>;

const registrationBody = z.object({ NewBrand: newBrand, NewCampaign: newCampaign });

const requestKinds = ['Local', 'TollFree'] as const;

/** Reason why the registry refused, in plain words, and the field to change where it names one. */
const registrationReason = z.object({ field: z.string(), message: z.string() });

const registrationRequest = z.object({
  requestId: z.number().int(),
  kind: z.enum(requestKinds),
  status: z.enum(registrationRequestStatuses),
  brand: z.object({
    entityType: z.string(),
    displayName: z.string(),
    companyName: z.string(),
    contactPhone: z.string(),
    authPlusEmail: z.string(),
  }),
  reasons: z.array(registrationReason),
  submittedAt: moment,
  updatedAt: moment,
  /** Time when the email or text can be sent again. */
  resendAt: moment,
});
export type RegistrationRequest = z.output<typeof registrationRequest>;

export const createRegistrationRequest = call({
  method: 'POST',
  path: '/aws/texting/registration/requests',
  summary: 'Submits the organization and its campaign to the registry.',
  allow: 'setUpTexting',
  event: 'registration.submitted',
  takesIdempotencyKey: true,
  body: registrationBody,
  reply: registrationRequest,
  errors: ['refused', 'conflict'],
});

export const listRegistrationRequests = call({
  method: 'GET',
  path: '/aws/texting/registration/requests',
  summary: 'Lists the account’s registrations, newest first.',
  allow: 'seeTextNumbers',
  reply: sizedList(registrationRequest),
});

export const getCurrentRegistration = call({
  method: 'GET',
  path: '/aws/texting/registration/requests/current',
  summary: 'Returns the registration that counts now.',
  allow: 'seeTextNumbers',
  reply: registrationRequest,
  errors: ['notFound'],
});

const resent = z.object({ resendAt: moment });

export const resendRegistrationEmail = call({
  method: 'POST',
  path: '/aws/texting/registration/resendauthplusemail',
  summary: 'Has the registry send its verification email again. At most once a minute and five times a day.',
  allow: 'setUpTexting',
  event: 'registration.resent',
  reply: resent,
  errors: ['notFound', 'tooManyAttempts', 'product'],
});

export const resendRegistrationText = call({
  method: 'POST',
  path: '/aws/texting/registration/resendsmsotp',
  summary: 'Has the registry send its verification text again. At most once a minute and five times a day.',
  allow: 'setUpTexting',
  event: 'registration.resent',
  reply: resent,
  errors: ['notFound', 'tooManyAttempts', 'product'],
});

export const getTollFreeRegistration = call({
  method: 'GET',
  path: '/account/toll-free-registration',
  summary: 'Returns the registration of the account’s toll-free number.',
  allow: 'seeTextNumbers',
  reply: registrationRequest,
  errors: ['notFound'],
});

export const getTollFreeForm = call({
  method: 'GET',
  path: '/account/toll-free-registration/form',
  summary: 'Returns the answers to register a toll-free number with: those that were submitted last.',
  allow: 'registerTollFree',
  reply: z.object({ Form: registrationFormFields }),
  errors: ['notFound'],
});

export const registerTollFree = call({
  method: 'POST',
  path: '/account/toll-free-registration',
  summary: 'Gets a toll-free number if the account has none, and submits its verification.',
  allow: 'registerTollFree',
  event: 'registration.submitted',
  takesIdempotencyKey: true,
  body: registrationBody,
  reply: registrationRequest,
  errors: ['refused', 'conflict'],
});

export const getCapabilities = call({
  method: 'GET',
  path: '/aws/capabilities',
  summary: 'Says whether the account may register, and if not, why.',
  allow: 'useMuster',
  reply: z.object({
    texting: z.object({
      createRegistrationRequest: z.object({
        allowed: z.boolean(),
        reasons: z.array(z.object({ type: z.enum(registrationDisallowedReasons) })),
      }),
    }),
  }),
});

export const lookUpEin = call({
  method: 'GET',
  path: '/aws/texting/registration/ein-lookup/:ein',
  summary: 'Looks an organization up by its EIN. Returns an empty list if nothing is known.',
  allow: 'setUpTexting',
  params: z.object({
    ein: z.string().regex(/^\d{2}-?\d{7}$/, 'Invalid EIN. Must be a 9 digit number.'),
  }),
  reply: z.array(
    z.object({
      companyName: z.string().nullable(),
      address1: z.string().nullable(),
      city: z.string().nullable(),
      state: z.string().nullable(),
      zipCode: z.string().nullable(),
      website: z.string().nullable(),
    }),
  ),
});

export const validateWebsite = call({
  method: 'POST',
  path: '/registration/website/validate',
  summary: 'Opens a website and says whether it answers. Only public addresses are opened.',
  allow: 'setUpTexting',
  event: 'none',
  body: z.object({ Url: z.string().trim().max(300) }),
  reply: z.object({
    Valid: z.boolean(),
    ErrorMessage: z.string().nullable(),
    OriginalUri: z.string(),
    RedirectedUri: z.string().nullable(),
  }),
});

const brandText = z.string().nullable();
const registeredBrand = z.object({
  website: brandText,
  businessContactEmail: brandText,
  ein: brandText,
  city: brandText,
  companyName: brandText,
  country: brandText,
  displayName: brandText,
  email: brandText,
  entityType: brandText,
  firstName: brandText,
  lastName: brandText,
  phoneNumber: brandText,
  postalCode: brandText,
  state: brandText,
  stockExchange: brandText,
  stockSymbol: brandText,
  street: brandText,
  vertical: brandText,
});

export const getReturningBrand = call({
  method: 'GET',
  path: '/texting/registration/getBrandWithReturningUserStatus',
  summary: 'Returns the brand that the account registered before, if any.',
  allow: 'setUpTexting',
  reply: z.object({
    apiData: z.object({
      isReturningUser: z.boolean(),
      /** The registry refused it: it has to be corrected. */
      requiresFormResubmission: z.boolean(),
      registeredBrand: registeredBrand.nullable(),
    }),
  }),
});

const textsByIndustry = z.record(z.string(), z.array(z.string()));
const textsByKind = z.object({ Promotional: textsByIndustry, Informational: textsByIndustry });

export const getCampaignDetails = call({
  method: 'GET',
  path: '/cdn/registration/CampaignDetailsV2.json',
  summary: 'Returns sample campaign descriptions and messages by industry.',
  allow: 'useMuster',
  reply: z.object({ CampaignDescriptions: textsByKind, SampleMessages: textsByKind }),
});

const registrationDraft = z.object({
  Form: registrationFormFields,
  /** The step of the wizard that the person was at. */
  Route: z.enum(registrationRoutes).nullable(),
  /** True if the account texts people in Canada; null until somebody has said so. */
  TextsToCanada: z.boolean().nullable(),
  WantsTollFree: z.boolean(),
});

export const getRegistrationDraft = call({
  method: 'GET',
  path: '/aws/texting/registration/draft',
  summary: 'Returns what was typed into the registration wizard so far.',
  allow: 'setUpTexting',
  reply: registrationDraft.extend({
    SavedAt: moment.nullable(),
    /** The account's data that the wizard needs. */
    HasInfobipNumbers: z.boolean(),
    ProductPrivacyHost: z.string(),
    /** True if it may register for promotional texts. */
    CanRegisterPromotional: z.boolean(),
    /** The description of the texts, if the registry refused it: the wizard asks everyone who registers for it. */
    RefusedCampaign: z
      .object({ ConsentType: z.string(), Description: z.string(), Sample1: z.string(), Sample2: z.string() })
      .nullable(),
  }),
});

export const saveRegistrationDraft = call({
  method: 'PUT',
  path: '/aws/texting/registration/draft',
  summary: 'Keeps what was typed into the registration wizard.',
  allow: 'setUpTexting',
  event: 'none',
  body: registrationDraft,
  reply: z.object({ SavedAt: moment }),
});
