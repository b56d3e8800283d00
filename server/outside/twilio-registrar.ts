import { withScheme } from '../../contract/fields/character-rules.ts';
import type { CarrierLine, Exchange } from './carrier-line.ts';
import { isGood, isPassing, readReply, recordsOf, textOf } from './number-provider.ts';
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
  samplesOf,
  stopMessage,
  termsUrl,
} from './registration-texts.ts';

interface TwilioRegistrarSettings {
  api: CarrierLine;
  accountSid: string;
  messaging: CarrierLine;
  trusthub: CarrierLine;
  publicUrl: string;
  /** Our own approved profile, which our customers' profiles are assigned to. */
  primaryProfileSid: string | undefined;
}

const form = 'application/x-www-form-urlencoded';
/** Twilio’s policies that are the same for everybody. */
const starterPolicy = 'RN806dd6cd175f314e1f96a9727ee271f4';
const solePolicy = 'RN670d5d2e282a6130ae063b234b6019c8';
const profilesPath = '/v1/CustomerProfiles';
const productsPath = '/v1/TrustProducts';
const brandsPath = '/v1/a2p/BrandRegistrations';
const tollFreePath = '/v1/Tollfree/Verifications';

/**
 * Twilio, for sole proprietors and for its toll-free numbers. A sole proprietor is a bundle of parts (the
 * person, their address, the business name), then a brand, then a campaign on a messaging service with the number. Twilio
 * allows duplicates: each object is searched by our reference before it is created.
 */
export function twilioRegistrar(settings: TwilioRegistrarSettings): Registrar {
  const { api, accountSid, messaging, trusthub, publicUrl, primaryProfileSid } = settings;
  const addressesPath = `/2010-04-01/Accounts/${accountSid}/Addresses`;

  return {
    aggregatorId: 2,
    takes: (kind, entityType) => kind === 'TollFree' || entityType === 'SOLE_PROPRIETOR',
    advance: (work) =>
      runSteps(async () =>
        work.kind === 'TollFree' ? advanceTollFree(work) : advanceCampaign(work, await advanceBrand(work)),
      ),
    async resend(made) {
      const reply = readReply(await messaging.post(`${brandsPath}/${made.brandSid}/SmsOtp`, form, ''));
      return reply !== undefined && isGood(reply.status);
    },
    attach: (made, { key }) => putIntoService(made.serviceSid ?? '', key),
  };

  async function advanceBrand(work: RegistrationWork): Promise<Made> {
    let made = await makeProfile(work, work.made);
    made = await makeProduct(work, made);
    if (made.brandSid === undefined) {
      const bundles = {
        CustomerProfileBundleSid: made.profileSid ?? '',
        A2PProfileBundleSid: made.productSid ?? '',
      };
      const listed = recordsOf(need(await messaging.get(`${brandsPath}?PageSize=1000`)).data);
      const known = listed.find(
        (brand) => brand.customer_profile_bundle_sid === bundles.CustomerProfileBundleSid,
      );
      const brandSid =
        textOf(known?.sid) ||
        sidOf(
          need(await messaging.post(brandsPath, form, encode({ ...bundles, BrandType: 'SOLE_PROPRIETOR' }))),
        );
      made = await remember(work, { ...made, brandSid, brandBody: 'told' });
    }
    const at = `${brandsPath}/${made.brandSid}`;
    let brand = need(await messaging.get(at));
    if (made.brandBody === 'corrected') {
      // One that still waits for its bundles reads them itself.
      if (brand.status === 'FAILED') brand = need(await messaging.post(at, form, ''));
      made = await remember(work, { ...made, brandBody: 'told' });
    }
    if (brand.status !== 'APPROVED') await stopIfRejected(made);
    stopUnlessVerified(brand);
    return made;
  }

  /** Address of the person, as a document of the profile. */
  async function makeAddress(work: RegistrationWork, given: Made): Promise<Made> {
    const { brand, reference } = work;
    let made = given;
    const fields = {
      CustomerName: `${brand.FirstName} ${brand.LastName}`,
      Street: brand.Street,
      City: brand.City,
      Region: brand.State,
      PostalCode: brand.PostalCode,
      FriendlyName: reference,
    };
    if (made.addressSid === undefined) {
      const listed = recordsOf(
        need(await api.get(`${addressesPath}.json?${encode({ FriendlyName: reference })}`)).addresses,
      );
      const IsoCountry = brand.Country === 'Canada' ? 'CA' : 'US';
      const addressSid =
        textOf(listed[0]?.sid) ||
        sidOf(need(await api.post(`${addressesPath}.json`, form, encode({ ...fields, IsoCountry }))));
      made = await remember(work, { ...made, addressSid, addressBody: 'told' });
    } else if (made.addressBody === undefined) {
      need(await api.post(`${addressesPath}/${made.addressSid}.json`, form, encode(fields)));
      made = await remember(work, { ...made, addressBody: 'told' });
    }
    if (made.documentSid === undefined) {
      const Type = 'customer_profile_address';
      const Attributes = JSON.stringify({ address_sids: made.addressSid });
      const body = encode({ FriendlyName: reference, Type, Attributes });
      const documentSid = sidOf(need(await trusthub.post('/v1/SupportingDocuments', form, body)));
      made = await remember(work, { ...made, documentSid });
    }
    return made;
  }

  /** The person. */
  async function makeProfile(work: RegistrationWork, given: Made): Promise<Made> {
    if (given.profileStage === 'submitted') return given;
    const { brand } = work;
    let made = await makeAddress(work, given);
    made = await tellOfPart(work, made, {
      part: 'person',
      Type: 'starter_customer_profile_information',
      attributes: {
        first_name: brand.FirstName,
        last_name: brand.LastName,
        email: brand.Email,
        phone_number: `+${digitsOf(brand.PhoneNumber)}`,
      },
    });
    if (made.profileSid === undefined) {
      const profileSid = await makeBundle(profilesPath, work, starterPolicy);
      made = await remember(work, { ...made, profileSid });
    }
    const ours = primaryProfileSid === undefined ? [] : [primaryProfileSid];
    const parts = [made.personSid ?? '', made.documentSid ?? '', ...ours];
    await assignAndSubmit(`${profilesPath}/${made.profileSid}`, parts, starterPolicy);
    return remember(work, { ...made, profileStage: 'submitted' });
  }

  /** The business name in texts. */
  async function makeProduct(work: RegistrationWork, given: Made): Promise<Made> {
    if (given.productStage === 'submitted') return given;
    const { brand } = work;
    let made = await tellOfPart(work, given, {
      part: 'sole',
      Type: 'sole_proprietor_information',
      attributes: {
        brand_name: brand.DisplayName,
        vertical: brand.Vertical,
        mobile_phone_number: `+${digitsOf(brand.PhoneNumber)}`,
      },
    });
    if (made.brandSid !== undefined) made = await remember(work, { ...made, brandBody: 'corrected' });
    if (made.productSid === undefined) {
      const productSid = await makeBundle(productsPath, work, solePolicy);
      made = await remember(work, { ...made, productSid });
    }
    const parts = [made.soleSid ?? '', made.profileSid ?? ''];
    await assignAndSubmit(`${productsPath}/${made.productSid}`, parts, solePolicy);
    return remember(work, { ...made, productStage: 'submitted' });
  }

  /** Creates a part of a bundle, or corrects the one that was refused. */
  async function tellOfPart(
    work: RegistrationWork,
    made: Made,
    { part, Type, attributes }: { part: 'person' | 'sole'; Type: string; attributes: object },
  ): Promise<Made> {
    const Attributes = JSON.stringify(attributes);
    const FriendlyName = work.reference;
    const sid = made[`${part}Sid`];
    const told = { [`${part}Body`]: 'told' };
    if (sid === undefined) {
      const body = encode({ FriendlyName, Type, Attributes });
      const created = sidOf(need(await trusthub.post('/v1/EndUsers', form, body)));
      return remember(work, { ...made, ...told, [`${part}Sid`]: created });
    }
    if (made[`${part}Body`] !== undefined) return made;
    need(await trusthub.post(`/v1/EndUsers/${sid}`, form, encode({ FriendlyName, Attributes })));
    return remember(work, { ...made, ...told });
  }

  /** Twilio reviews the bundles too. The brand waits for them, and doesn't name their errors. */
  async function stopIfRejected({ profileSid, productSid }: Made): Promise<void> {
    for (const at of [`${profilesPath}/${profileSid}`, `${productsPath}/${productSid}`]) {
      const bundle = need(await trusthub.get(at));
      if (bundle.status === 'twilio-rejected') throw failed(readErrors(bundle));
    }
  }

  async function makeBundle(at: string, work: RegistrationWork, PolicySid: string): Promise<string> {
    const FriendlyName = work.reference;
    const listed = recordsOf(need(await trusthub.get(`${at}?${encode({ FriendlyName })}`)).results);
    const known = textOf(listed[0]?.sid);
    const body = encode({ FriendlyName, Email: work.brand.Email, PolicySid });
    return known || sidOf(need(await trusthub.post(at, form, body)));
  }

  async function assignAndSubmit(at: string, parts: string[], PolicySid: string): Promise<void> {
    const assigned = recordsOf(need(await trusthub.get(`${at}/EntityAssignments?PageSize=50`)).results);
    const there = new Set(assigned.map((each) => textOf(each.object_sid)));
    for (const ObjectSid of parts) {
      if (there.has(ObjectSid)) continue;
      need(await trusthub.post(`${at}/EntityAssignments`, form, encode({ ObjectSid })));
    }
    const evaluation = need(await trusthub.post(`${at}/Evaluations`, form, encode({ PolicySid })));
    if (evaluation.status === 'noncompliant') throw failed(readEvaluation(evaluation));
    need(await trusthub.post(at, form, encode({ Status: 'pending-review' })));
  }

  async function advanceCampaign(work: RegistrationWork, given: Made): Promise<Progress> {
    let made = given;
    if (made.serviceSid === undefined) {
      const listed = recordsOf(need(await messaging.get('/v1/Services?PageSize=1000')).services);
      const known = listed.find((service) => service.friendly_name === work.reference);
      const body = encode({ FriendlyName: work.reference, UseInboundWebhookOnNumber: 'true' });
      const serviceSid = textOf(known?.sid) || sidOf(need(await messaging.post('/v1/Services', form, body)));
      made = await remember(work, { ...made, serviceSid });
    }
    const at = `/v1/Services/${made.serviceSid}/Compliance/Usa2p`;
    if (made.campaignSid === undefined) {
      const listed = recordsOf(need(await messaging.get(at)).compliance);
      const campaignSid =
        textOf(listed[0]?.sid) ||
        sidOf(need(await messaging.post(at, form, campaignBody(work, made.brandSid ?? '', publicUrl))));
      made = await remember(work, { ...made, campaignSid, campaignBody: 'told' });
    }
    for (const { key } of work.numbers) {
      if (!(await putIntoService(made.serviceSid ?? '', key)))
        throw unavailable('the number is not in the service');
    }
    const progress = readCampaign(need(await messaging.get(`${at}/${made.campaignSid}`)));
    if (progress.state !== 'Failed' || made.campaignBody === 'told') return progress;
    // A refused one that was corrected.
    const change = campaignChange(work, publicUrl).toString();
    need(await messaging.post(`${at}/${made.campaignSid}`, form, change));
    await remember(work, { ...made, campaignBody: 'told' });
    return { state: 'Processing' };
  }

  /** True also if it was already in it. */
  async function putIntoService(serviceSid: string, key: string): Promise<boolean> {
    const at = `/v1/Services/${serviceSid}/PhoneNumbers`;
    const known = readReply(await messaging.get(`${at}/${key}`));
    if (known !== undefined && isGood(known.status)) return true;
    const reply = readReply(await messaging.post(at, form, encode({ PhoneNumberSid: key })));
    return reply !== undefined && isGood(reply.status);
  }

  async function advanceTollFree(work: RegistrationWork): Promise<Progress> {
    const [number] = work.numbers;
    if (number === undefined) return { state: 'Processing' };
    let { made } = work;
    if (made.verificationSid === undefined) {
      const ExternalReferenceId = work.reference;
      const listed = need(await messaging.get(`${tollFreePath}?${encode({ ExternalReferenceId })}`));
      const known = textOf(recordsOf(listed.verifications)[0]?.sid);
      const body = tollFreeBody(work, number.key, publicUrl);
      const verificationSid = known || sidOf(need(await messaging.post(tollFreePath, form, body)));
      made = await remember(work, { ...made, verificationSid, verificationBody: 'told' });
    }
    const at = `${tollFreePath}/${made.verificationSid}`;
    const reply = need(await messaging.get(at));
    if (reply.status === 'TWILIO_REJECTED' && made.verificationBody !== 'told')
      return correctTollFree(work, made, { at, isOver: reply.edit_allowed === false });
    if (reply.status === 'TWILIO_APPROVED')
      return { state: 'Complete', perMinute: null, messagesPerDay: null };
    if (reply.status !== 'TWILIO_REJECTED') return { state: 'Processing' };
    const reasons = recordsOf(reply.rejection_reasons).map(({ reason }) => textOf(reason));
    const words = reasons.length > 0 ? reasons : [textOf(reply.rejection_reason)];
    return { state: 'Failed', reasons: words.map((each) => ({ property: '', words: each })) };
  }

  /**
   * A refused one is edited. If Twilio allows no edit any more, it is deleted and created again at the next
   * run.
   */
  async function correctTollFree(
    work: RegistrationWork,
    made: Made,
    { at, isOver }: { at: string; isOver: boolean },
  ): Promise<Progress> {
    if (isOver) {
      const taken = readReply(await messaging.delete(at));
      if (taken === undefined || (!isGood(taken.status) && taken.status !== 404))
        throw unavailable('the refused verification is still there');
      const { verificationSid: _, ...rest } = made;
      await remember(work, rest);
    } else {
      const edit = new URLSearchParams(tollFreeBody(work, '', publicUrl));
      edit.delete('TollfreePhoneNumberSid');
      edit.delete('ExternalReferenceId');
      need(await messaging.post(at, form, edit.toString()));
      await remember(work, { ...made, verificationBody: 'told' });
    }
    return { state: 'Processing' };
  }

  async function remember(work: RegistrationWork, made: Made): Promise<Made> {
    await work.keep(made);
    return made;
  }
}

function need(exchange: Exchange): Record<string, unknown> {
  const reply = readReply(exchange);
  if (reply === undefined || isPassing(reply.status)) throw unavailable('no whole answer');
  if (isGood(reply.status)) return reply.body;
  const words = textOf(reply.body.message);
  if (reply.status === 400 && words !== '') throw failed([{ property: '', words }]);
  throw unavailable(`the answer was ${reply.status}`);
}

function sidOf({ sid }: Record<string, unknown>): string {
  const text = textOf(sid);
  if (text === '') throw unavailable('the answer names no SID');
  return text;
}

function encode(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}

function readEvaluation({ results }: Record<string, unknown>) {
  const invalid = recordsOf(results).flatMap((result) => recordsOf(result.invalid));
  const reasons = invalid.map((each) => ({
    property: textOf(each.object_field),
    words: textOf(each.failure_reason) || textOf(each.friendly_name),
  }));
  return reasons.length > 0 ? reasons : [{ property: '', words: '' }];
}

/** The errors of a brand, a campaign or a bundle. */
function readErrors({ errors, failure_reason: reason }: Record<string, unknown>): RegistryReason[] {
  const reasons = recordsOf(errors).map((each) => ({
    property: Array.isArray(each.fields) ? textOf(each.fields[0]) : textOf(each.object_field),
    words: textOf(each.description) || textOf(each.failure_reason) || textOf(each.message),
  }));
  return reasons.length > 0 ? reasons : [{ property: '', words: textOf(reason) }];
}

/** The registry texts the person after it has approved the brand; until they answer YES it is unverified. */
function stopUnlessVerified(brand: Record<string, unknown>): void {
  const { status, identity_status: identity } = brand;
  if (status === 'FAILED' || status === 'SUSPENDED') {
    throw failed(readErrors(brand));
  }
  if (status !== 'APPROVED') throw new Stop({ state: 'Processing' });
  if (identity === 'UNVERIFIED') throw new Stop({ state: 'PendingContactAuthentication' });
}

/** Daily texts by T-Mobile’s classes. */
const tiers: Readonly<Record<string, number>> = {
  TOP: 200_000,
  UPPER_MID: 40_000,
  HIGH_MID: 40_000,
  LOWER_MID: 10_000,
  LOW_MID: 10_000,
  LOW: 2_000,
  SOLE_PROPRIETOR: 1_000,
};

function readCampaign(campaign: Record<string, unknown>): Progress {
  const status = textOf(campaign.campaign_status);
  if (status === 'FAILED') return { state: 'Failed', reasons: readErrors(campaign) };
  if (status !== 'VERIFIED') return { state: 'Processing' };
  const limits = (campaign.rate_limits ?? {}) as {
    att?: { mps?: unknown };
    tmobile?: { brand_tier?: unknown };
  };
  const perSecond = Number(limits.att?.mps ?? 0);
  const tier = textOf(limits.tmobile?.brand_tier);
  return {
    state: 'Complete',
    perMinute: perSecond > 0 ? Math.floor(perSecond * 60) : null,
    messagesPerDay: tiers[tier] ?? null,
  };
}

function campaignBody(work: RegistrationWork, brandSid: string, publicUrl: string): string {
  const { brand } = work;
  const body = campaignTexts(work, publicUrl);
  const more = {
    BrandRegistrationSid: brandSid,
    UsAppToPersonUsecase: 'SOLE_PROPRIETOR',
    OptInMessage: confirmationMessage(brand),
    OptOutMessage: stopMessage(brand),
    HelpMessage: helpMessage(brand),
    SubscriberOptIn: 'true',
  };
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  return body.toString();
}

/** The changeable fields of a campaign; all of them are sent each time. */
function campaignChange(work: RegistrationWork, publicUrl: string): URLSearchParams {
  const body = campaignTexts(work, publicUrl);
  body.set('AgeGated', 'false');
  body.set('DirectLending', 'false');
  return body;
}

function campaignTexts({ campaign, reference }: RegistrationWork, publicUrl: string): URLSearchParams {
  const samples = samplesOf(campaign, 1024);
  const body = new URLSearchParams({
    Description: cut(campaign.Description, 4096),
    MessageFlow: cut(campaign.MessageFlow, 2048),
    HasEmbeddedLinks: String(isLinked(samples)),
    HasEmbeddedPhone: String(hasPhone(samples)),
    TermsAndConditionsUrl: termsUrl(publicUrl, reference),
    ...(campaign.PrivacyPolicyUrl !== '' && { PrivacyPolicyUrl: campaign.PrivacyPolicyUrl }),
  });
  for (const sample of samples) body.append('MessageSamples', sample);
  return body;
}

const optInTypes: Readonly<Record<string, string>> = {
  Verbal: 'VERBAL',
  Written: 'PAPER_FORM',
  'POS or On-site': 'PAPER_FORM',
  'Text Keyword': 'VIA_TEXT',
  'Automated System (IVR)': 'VERBAL',
  'Online Form/Website': 'WEB_FORM',
};

function tollFreeBody(work: RegistrationWork, numberSid: string, publicUrl: string): string {
  const { brand, campaign, contact, reference } = work;
  const isCanadian = brand.Country === 'Canada';
  const isSole = brand.EntityType === 'SOLE_PROPRIETOR';
  return encode({
    TollfreePhoneNumberSid: numberSid,
    BusinessName: brand.CompanyName || brand.DisplayName,
    BusinessWebsite: withScheme(brand.Website),
    NotificationEmail: brand.Email,
    UseCaseCategories: campaign.IsPromotionalRegistration ? 'MARKETING' : 'ACCOUNT_NOTIFICATIONS',
    UseCaseSummary: cut(campaign.Description, 500),
    ProductionMessageSample: cut(campaign.Sample1, 1000),
    OptInImageUrls: optInPictureUrl(publicUrl, reference),
    OptInType: optInTypes[campaign.ConsentType] ?? 'VERBAL',
    MessageVolume: '10000',
    BusinessStreetAddress: brand.Street,
    BusinessCity: brand.City,
    BusinessStateProvinceRegion: brand.State,
    BusinessPostalCode: brand.PostalCode,
    BusinessCountry: isCanadian ? 'CA' : 'US',
    BusinessContactFirstName: contact.firstName,
    BusinessContactLastName: contact.lastName,
    BusinessContactEmail: brand.Email,
    BusinessContactPhone: `+${digitsOf(brand.PhoneNumber)}`,
    BusinessType: brand.EntityType,
    ...(!isSole && {
      BusinessRegistrationNumber: brand.Ein,
      BusinessRegistrationAuthority: isCanadian ? 'CBN' : 'EIN',
      BusinessRegistrationCountry: isCanadian ? 'CA' : 'US',
    }),
    ExternalReferenceId: reference,
  });
}
