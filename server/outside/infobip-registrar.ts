import { withScheme } from '../../contract/fields/character-rules.ts';
import type { NewBrand, NewCampaign } from '../../contract/registration.ts';
import type { CarrierLine, Exchange } from './carrier-line.ts';
import { enumOf, isGood, isPassing, readReply, recordsOf, textOf } from './number-provider.ts';
import {
  failed,
  type Made,
  type Progress,
  type Registrar,
  type RegistrationWork,
  type RegistryReason,
  runSteps,
  Stop,
  unavailable,
} from './registrar.ts';
import {
  confirmationMessage,
  cut,
  digitsOf,
  hasPhone,
  helpMessage,
  isLinked,
  optInPictureUrl,
  plainName,
  samplesOf,
  stopMessage,
  termsUrl,
} from './registration-texts.ts';

const json = 'application/json';
const brands = '/number-registration/1/brands';
const campaigns = '/number-registration/1/campaigns';
/** The wizard allows more; the whole description stays in the request. */
const summaryLength = 500;
const callToActionLength = 1024;

interface InfobipRegistrarSettings {
  publicUrl: string;
  /** Has brands vetted before their campaign is registered. The registry charges for it. */
  vets: boolean;
}

/**
 * Infobip’s number registration. A brand is created (a draft), registered, and polled until it is active;
 * then the same with its campaign. Toll-free numbers need brand and campaign in one call. Everything has our
 * reference, which is unique there, so that an object whose creation we missed is found again.
 */
export function infobipRegistrar(
  line: CarrierLine,
  { publicUrl, vets }: InfobipRegistrarSettings,
): Registrar {
  return {
    aggregatorId: 5,
    // It has no brand for sole proprietors, except for toll-free numbers.
    takes: (kind, entityType) => kind === 'TollFree' || entityType !== 'SOLE_PROPRIETOR',
    advance: (work) =>
      runSteps(async () =>
        work.kind === 'TollFree' ? advanceTollFree(work) : advanceCampaign(work, await advanceBrand(work)),
      ),
    async resend(made) {
      const reply = readReply(await line.post(`${brands}/${made.brandId}/resend2fa`, json, ''));
      return reply !== undefined && isGood(reply.status);
    },
    async attach(made, { phone }) {
      const body = JSON.stringify({ numbers: [phone] });
      const reply = readReply(await line.post(`${campaigns}/${made.campaignId}/add-numbers`, json, body));
      return reply !== undefined && isGood(reply.status);
    },
  };

  /** The brand, created and registered, once it is active; stops if it isn’t. */
  async function advanceBrand(work: RegistrationWork): Promise<Made> {
    let { made } = work;
    const body = brandBody(work.brand, work.reference);
    if (made.brandId === undefined) {
      const id = await makeOnce(brands, `${brands}?referenceId=${work.reference}`, body);
      made = await remember(work, { ...made, brandId: id, brandBody: 'told' });
    } else if (made.brandBody !== 'told') {
      // A refused brand that was corrected.
      need(await line.put(`${brands}/${made.brandId}`, json, JSON.stringify({ ...body, id: made.brandId })));
      made = await remember(work, { ...made, brandBody: 'told', brandStage: '' });
    }
    if (made.brandStage !== 'registered') {
      need(await line.post(`${brands}/${made.brandId}/register`, json, ''));
      made = await remember(work, { ...made, brandStage: 'registered' });
    }
    const exchange = await line.get(`${brands}/${made.brandId}/registrar-statuses`);
    if (exchange.kind !== 'reply' || !isGood(exchange.status)) throw unavailable('no status of the brand');
    const [status] = readList(exchange.text);
    stopUnlessActive(status ?? {});
    return vets ? vet(work, made) : made;
  }

  /**
   * An outside company scores the brand, and carriers accept more texts from one with a high score. It has to
   * be done before the campaign is registered. A brand that can’t be vetted continues without a score.
   */
  async function vet(work: RegistrationWork, made: Made): Promise<Made> {
    if (made.score !== undefined) return made;
    const path = `${brands}/${made.brandId}/vets`;
    const last = recordsOf(need(await line.get(path)).results).at(-1);
    if (last === undefined) {
      const asked = readReply(await line.post(path, json, JSON.stringify({ type: 'STANDARD' })));
      if (asked === undefined || isPassing(asked.status)) throw unavailable('no whole answer');
      if (!isGood(asked.status)) return remember(work, { ...made, score: '' });
      throw new Stop({ state: 'Processing' });
    }
    const status = enumOf(last.status);
    if (status === 'PENDING') throw new Stop({ state: 'Processing' });
    return remember(work, { ...made, score: status === 'SUCCESS' ? String(last.score ?? '') : '' });
  }

  async function advanceCampaign(work: RegistrationWork, given: Made): Promise<Progress> {
    let made = given;
    if (made.campaignId === undefined) {
      const reference = `${work.reference}-c`;
      const body = campaignBody(work, made.brandId ?? '', publicUrl);
      const id = await makeOnce(campaigns, `${campaigns}?referenceId=${reference}`, body);
      const numbers = work.numbers.map(({ phone }) => phone).join();
      made = await remember(work, { ...made, campaignId: id, campaignBody: 'told', numbers });
    } else if (made.campaignBody !== 'told') {
      const body = { ...campaignBody(work, made.brandId ?? '', publicUrl), id: made.campaignId };
      need(await line.put(`${campaigns}/${made.campaignId}`, json, JSON.stringify(body)));
      made = await remember(work, { ...made, campaignBody: 'told', campaignStage: '' });
    }
    const progress = await registerCampaign(work, made);
    if (progress.state === 'Complete') await addNumbers(work, made);
    return progress;
  }

  /** Numbers that were added while the campaign was under review. */
  async function addNumbers(work: RegistrationWork, made: Made): Promise<void> {
    const there = (made.numbers ?? '').split(',');
    const numbers = work.numbers.map(({ phone }) => phone).filter((phone) => !there.includes(phone));
    if (numbers.length === 0) return;
    need(await line.post(`${campaigns}/${made.campaignId}/add-numbers`, json, JSON.stringify({ numbers })));
    await remember(work, { ...made, numbers: [...there, ...numbers].join() });
  }

  async function advanceTollFree(work: RegistrationWork): Promise<Progress> {
    let { made } = work;
    if (work.numbers.length === 0) return { state: 'Processing' };
    if (
      made.campaignId !== undefined &&
      made.campaignStage !== 'registered' &&
      made.campaignBody !== 'told'
    ) {
      // One that was refused and corrected. This kind of campaign can’t be changed there, only created again.
      await deleteCampaign(made.campaignId);
      const { campaignId: _, ...rest } = made;
      made = await remember(work, rest);
    }
    if (made.campaignId === undefined) {
      const reference = `${work.reference}-t`;
      const body = tollFreeBody(work, publicUrl);
      const id = await makeOnce(`${campaigns}/toll-free`, `${campaigns}?referenceId=${reference}`, body);
      made = await remember(work, { ...made, campaignId: id, campaignBody: 'told' });
    }
    return registerCampaign(work, made);
  }

  async function deleteCampaign(id: string): Promise<void> {
    const reply = await line.delete(`${campaigns}/${id}`);
    const isGone = reply.kind === 'reply' && (isGood(reply.status) || reply.status === 404);
    if (!isGone) throw unavailable('the refused campaign is still there');
  }

  async function registerCampaign(work: RegistrationWork, given: Made): Promise<Progress> {
    let made = given;
    if (made.campaignStage !== 'registered') {
      need(await line.post(`${campaigns}/${made.campaignId}/register`, json, '{}'));
      made = await remember(work, { ...made, campaignStage: 'registered' });
    }
    const reply = need(await line.get(`${campaigns}/${made.campaignId}`));
    return readCampaign(reply, made.score);
  }

  /**
   * Found by our reference, or created. The search comes first: after a lost response a second one must not
   * be created.
   */
  async function makeOnce(at: string, lookFor: string, body: object): Promise<string> {
    const known = recordsOf(need(await line.get(lookFor)).results)
      .map(({ id }) => textOf(id))
      .find((id) => id !== '');
    const id = known ?? textOf(need(await line.post(at, json, JSON.stringify(body))).id);
    if (id === '') throw unavailable('the answer names no id');
    return id;
  }

  async function remember(work: RegistrationWork, made: Made): Promise<Made> {
    await work.keep(made);
    return made;
  }
}

/** The response’s body. Refused fields end it as failed, every other error as unknown. */
function need(exchange: Exchange): Record<string, unknown> {
  const reply = readReply(exchange);
  if (reply === undefined || isPassing(reply.status)) throw unavailable('no whole answer');
  if (isGood(reply.status)) return reply.body;
  const reasons: RegistryReason[] = recordsOf(reply.body.violations).map(({ property, violation }) => ({
    property: textOf(property),
    words: textOf(violation),
  }));
  if (reply.status === 400 && reasons.length > 0) throw failed(reasons);
  throw unavailable(`the answer was ${reply.status}`);
}

function readList(text: string): Record<string, unknown>[] {
  try {
    return recordsOf(JSON.parse(text));
  } catch {
    return [];
  }
}

function stopUnlessActive({ state: given, rejectionReason }: Record<string, unknown>): void {
  const state = enumOf(given);
  if (state === 'ACTIVE') return;
  if (state === 'REJECTED') throw failed([{ property: '', words: textOf(rejectionReason) }]);
  throw new Stop({ state: state === 'PENDING_2FA' ? 'PendingContactAuthentication' : 'Processing' });
}

const failedStages = [
  'REJECTED',
  'REJECTED_EXTERNALLY',
  'UPDATE_REQUESTED_BY_INTERNAL_REVIEWER',
  'BLOCKED',
  'SUSPENDED',
];

/** The carriers’ limits for a brand by its score: AT&T per minute, T-Mobile per day. */
const classes = [
  { from: 75, perMinute: 4_500, messagesPerDay: 200_000 },
  { from: 50, perMinute: 2_400, messagesPerDay: 40_000 },
  { from: 25, perMinute: 240, messagesPerDay: 10_000 },
  { from: 1, perMinute: 240, messagesPerDay: 2_000 },
] as const;

function readCampaign(reply: Record<string, unknown>, score = ''): Progress {
  const stage = enumOf(reply.stage);
  // Infobip returns no pace here: the brand’s score determines it, and the carriers enforce it. Without a
  // score it is unknown.
  const { perMinute = null, messagesPerDay = null } =
    classes.find(({ from }) => score !== '' && Number(score) >= from) ?? {};
  if (stage === 'REGISTERED') return { state: 'Complete', perMinute, messagesPerDay };
  if (!failedStages.includes(stage)) return { state: 'Processing' };
  const feedback = (reply.campaignFeedback ?? {}) as Record<string, unknown>;
  const details = recordsOf(feedback.rejectionDetails).map(({ description }) => textOf(description));
  const plain = Array.isArray(feedback.rejectionReasons) ? feedback.rejectionReasons.map(textOf) : [];
  const words = details.length > 0 ? details : plain;
  return { state: 'Failed', reasons: words.map((each) => ({ property: '', words: each })) };
}

const brandTypes: Readonly<Record<string, string>> = {
  PUBLIC_PROFIT: 'TENDLC_PUBLIC_COMPANY',
  PRIVATE_PROFIT: 'TENDLC_PRIVATE_COMPANY',
  NON_PROFIT: 'TENDLC_NON_PROFIT',
  GOVERNMENT: 'TENDLC_GOVERNMENT',
};

/** The industries whose names differ; the others are the same. */
const verticals: Readonly<Record<string, string>> = {
  COMMUNICATION: 'MASS_MEDIA_AND_COMMUNICATION',
  CONSTRUCTION: 'CONSTRUCTION_AND_MATERIALS',
  ENERGY: 'ENERGY_AND_UTILITIES',
  FINANCIAL: 'FINANCIAL_SERVICES',
  GAMBLING: 'GAMBLING_AND_LOTTERY',
  GOVERNMENT: 'PUBLIC_SECTOR',
  HEALTHCARE: 'HEALTHCARE_AND_LIFESCIENCES',
  HUMAN_RESOURCES: 'HUMAN_RESOURCES_STAFFING_RECRUITMENT',
  NGO: 'NON_PROFIT_ORGANIZATION',
  POSTAL: 'POSTAL_DELIVERY',
  PROFESSIONAL: 'PROFESSIONAL_SERVICES',
  RETAIL: 'RETAIL_AND_CONSUMER_PRODUCTS',
  TECHNOLOGY: 'INFORMATION_TECHNOLOGY_SERVICES',
  TRANSPORTATION: 'TRANSPORTATION_LOGISTICS',
};

function countryCode({ Country }: NewBrand): 'US' | 'CA' {
  return Country === 'Canada' ? 'CA' : 'US';
}

function addressOf({ Street, City, State, PostalCode }: NewBrand) {
  return { street: Street, city: cut(City, 50), state: State, zipCode: PostalCode.slice(0, 10) };
}

function brandBody(brand: NewBrand, reference: string): object {
  const country = countryCode(brand);
  return {
    type: brandTypes[brand.EntityType] ?? 'TENDLC_PRIVATE_COMPANY',
    name: cut(brand.DisplayName, 100),
    referenceId: reference,
    legalName: brand.CompanyName,
    taxId: brand.Ein,
    taxIdIssuingCountry: country,
    countryCode: country,
    address: addressOf(brand),
    supportEmail: brand.Email,
    supportPhone: digitsOf(brand.PhoneNumber),
    website: withScheme(brand.Website),
    vertical: verticals[brand.Vertical] ?? brand.Vertical,
    ...(brand.EntityType === 'PUBLIC_PROFIT' && {
      stockExchange: brand.StockExchange,
      stockSymbol: brand.StockSymbol,
      businessContactEmail: brand.BusinessContactEmail,
    }),
  };
}

/** The kind of texts: promotional ones, or those of the industry. */
function kindsOfTexts({ Vertical, EntityType }: NewBrand, campaign: NewCampaign): string[] {
  if (campaign.IsPromotionalRegistration) return ['PROMOTIONAL_MARKETING'];
  if (Vertical === 'EDUCATION') return ['EDUCATION', 'ALERTS'];
  return EntityType === 'GOVERNMENT' || Vertical === 'GOVERNMENT'
    ? ['PUBLIC_SERVICE_ANNOUNCEMENT']
    : ['ALERTS'];
}

/**
 * Ways in which people agree, by kind. On paper and on site are reported as verbal consent: there is no kind for
 * them.
 */
function optInsOf(work: RegistrationWork): object {
  const { ConsentType, MessageFlow, PrivacyPolicyUrl } = work.campaign;
  const policy = PrivacyPolicyUrl === '' ? '' : ` Privacy policy: ${PrivacyPolicyUrl}`;
  const callToAction = cut(MessageFlow, callToActionLength - policy.length) + policy;
  if (ConsentType === 'Text Keyword') return { keyword: { callToAction, keywords: ['JOIN'] } };
  if (ConsentType === 'Automated System (IVR)') return { interactiveVoiceResponse: { callToAction } };
  if (ConsentType === 'Online Form/Website')
    return { web: { callToAction, url: withScheme(work.brand.Website) } };
  return { verbal: { callToAction } };
}

function campaignBody(work: RegistrationWork, brandId: string, publicUrl: string): object {
  const { brand, campaign, reference, numbers } = work;
  const exampleMessages = samplesOf(campaign, 320);
  return {
    type: 'TEN_DIGIT_LONG_CODE',
    name: plainName(brand.DisplayName, 30),
    referenceId: `${reference}-c`,
    brandId,
    programSummary: cut(campaign.Description, summaryLength),
    exampleMessages,
    confirmationMessage: confirmationMessage(brand),
    helpMessage: helpMessage(brand),
    stopMessage: stopMessage(brand),
    messageTypes: ['SMS', 'MMS'],
    lowVolume: false,
    useCases: kindsOfTexts(brand, campaign),
    customerCareEmail: brand.Email,
    customerCarePhone: digitsOf(brand.PhoneNumber),
    termsAndConditionsUrl: termsUrl(publicUrl, reference),
    optIns: optInsOf(work),
    numbers: numbers.map(({ phone }) => phone),
    ageGated: false,
    directLending: false,
    embeddedLink: isLinked(exampleMessages),
    embeddedPhone: hasPhone(exampleMessages),
  };
}

const legalEntityTypes: Readonly<Record<string, string>> = {
  PUBLIC_PROFIT: 'PUBLIC_COMPANY',
  PRIVATE_PROFIT: 'PRIVATE_COMPANY',
  NON_PROFIT: 'NON_PROFIT',
  GOVERNMENT: 'GOVERNMENT',
  SOLE_PROPRIETOR: 'SOLE_PROPRIETOR',
};

function tollFreeBody(work: RegistrationWork, publicUrl: string): object {
  const { brand, campaign, contact, reference, numbers } = work;
  const country = countryCode(brand);
  const isSole = brand.EntityType === 'SOLE_PROPRIETOR';
  return {
    type: 'TOLL_FREE_UNIFIED_NUMBER',
    name: plainName(brand.DisplayName, 30),
    referenceId: `${reference}-t`,
    numbers: numbers.map(({ phone }) => phone),
    useCase: campaign.IsPromotionalRegistration
      ? 'GENERAL_MARKETING'
      : brand.Vertical === 'EDUCATION'
        ? 'EDUCATIONAL'
        : 'NOTIFICATIONS',
    messageVolume: 'TEN_THOUSAND',
    programSummary: cut(campaign.Description, summaryLength),
    exampleMessage: cut(campaign.Sample1, 1000),
    optIns: optInsOf(work),
    optInImageURLs: [optInPictureUrl(publicUrl, reference)],
    ...(campaign.PrivacyPolicyUrl !== '' && { privacyPolicyUrl: campaign.PrivacyPolicyUrl }),
    termsAndConditionsUrl: termsUrl(publicUrl, reference),
    countryCode: country,
    address: addressOf(brand),
    supportPhone: digitsOf(brand.PhoneNumber),
    supportEmail: brand.Email,
    customerCareEmail: brand.Email,
    businessContactFirstName: contact.firstName,
    businessContactLastName: contact.lastName,
    legalName: brand.CompanyName || brand.DisplayName,
    businessName: brand.DisplayName,
    businessWebsite: withScheme(brand.Website),
    legalEntityType: legalEntityTypes[brand.EntityType] ?? 'PRIVATE_COMPANY',
    ...(!isSole && {
      taxId: brand.Ein,
      taxIdIssuingCountry: country,
      businessRegistrationType: country === 'CA' ? 'CBN' : 'EIN',
    }),
  };
}
