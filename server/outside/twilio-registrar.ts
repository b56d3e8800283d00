import { withScheme } from '../../contract/fields/character-rules.ts';
import type { CarrierLine, Exchange } from './carrier-line.ts';
import { isGood, isPassing, readReply, recordsOf, textOf } from './number-provider.ts';
import {
  failed,
  type Made,
  type Progress,
  type Registrar,
  type RegistrationWork,
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
const brandsPath = '/v1/a2p/BrandRegistrations';
const tollFreePath = '/v1/Tollfree/Verifications';

/**
 * Twilio, for sole proprietors and for its toll-free numbers. A sole proprietor is a bundle of parts (the
 * person, the business name), then a brand, then a campaign on a messaging service with the number. Twilio
 * allows duplicates: each object is searched by our reference before it is created.
 */
export function twilioRegistrar(settings: TwilioRegistrarSettings): Registrar {
  const { messaging, trusthub, publicUrl, primaryProfileSid } = settings;

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
    } else if (made.brandBody === 'corrected') {
      need(await messaging.post(`${brandsPath}/${made.brandSid}`, form, ''));
      made = await remember(work, { ...made, brandBody: 'told' });
    }
    const brand = need(await messaging.get(`${brandsPath}/${made.brandSid}`));
    stopUnlessVerified(brand);
    return made;
  }

  /** The person. */
  async function makeProfile(work: RegistrationWork, given: Made): Promise<Made> {
    const { brand, reference } = work;
    let made = given;
    const attributes = JSON.stringify({
      first_name: brand.FirstName,
      last_name: brand.LastName,
      email: brand.Email,
      phone_number: `+${digitsOf(brand.PhoneNumber)}`,
    });
    if (made.personSid === undefined) {
      const Type = 'starter_customer_profile_information';
      const body = encode({ FriendlyName: reference, Type, Attributes: attributes });
      made = await remember(work, {
        ...made,
        personSid: sidOf(need(await trusthub.post('/v1/EndUsers', form, body))),
      });
    } else if (made.brandBody === undefined && made.brandSid !== undefined) {
      const at = `/v1/EndUsers/${made.personSid}`;
      need(await trusthub.post(at, form, encode({ FriendlyName: work.reference, Attributes: attributes })));
    }
    if (made.profileSid === undefined) {
      const profileSid = await makeBundle('/v1/CustomerProfiles', work, starterPolicy);
      made = await remember(work, { ...made, profileSid });
    }
    if (made.profileStage !== 'submitted') {
      const at = `/v1/CustomerProfiles/${made.profileSid}`;
      const parts = [made.personSid ?? '', ...(primaryProfileSid === undefined ? [] : [primaryProfileSid])];
      await assignAndSubmit(at, parts, starterPolicy);
      made = await remember(work, { ...made, profileStage: 'submitted' });
    }
    return made;
  }

  /** The business name in texts. */
  async function makeProduct(work: RegistrationWork, given: Made): Promise<Made> {
    const { brand, reference } = work;
    let made = given;
    const attributes = JSON.stringify({
      brand_name: brand.DisplayName,
      vertical: brand.Vertical,
      mobile_phone_number: `+${digitsOf(brand.PhoneNumber)}`,
    });
    if (made.soleSid === undefined) {
      const Type = 'sole_proprietor_information';
      const body = encode({ FriendlyName: reference, Type, Attributes: attributes });
      made = await remember(work, {
        ...made,
        soleSid: sidOf(need(await trusthub.post('/v1/EndUsers', form, body))),
      });
    } else if (made.brandBody === undefined && made.brandSid !== undefined) {
      const at = `/v1/EndUsers/${made.soleSid}`;
      need(await trusthub.post(at, form, encode({ FriendlyName: work.reference, Attributes: attributes })));
      made = await remember(work, { ...made, brandBody: 'corrected' });
    }
    if (made.productSid === undefined) {
      const productSid = await makeBundle('/v1/TrustProducts', work, solePolicy);
      made = await remember(work, { ...made, productSid });
    }
    if (made.productStage !== 'submitted') {
      const at = `/v1/TrustProducts/${made.productSid}`;
      await assignAndSubmit(at, [made.soleSid ?? '', made.profileSid ?? ''], solePolicy);
      made = await remember(work, { ...made, productStage: 'submitted' });
    }
    return made;
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

/** The registry texts the person after it has approved the brand; until they answer YES it is unverified. */
function stopUnlessVerified(brand: Record<string, unknown>): void {
  const { status, identity_status: identity } = brand;
  if (status === 'FAILED' || status === 'SUSPENDED') {
    const errors = recordsOf(brand.errors).map((each) => ({
      property: Array.isArray(each.fields) ? textOf(each.fields[0]) : '',
      words: textOf(each.description),
    }));
    throw failed(errors.length > 0 ? errors : [{ property: '', words: textOf(brand.failure_reason) }]);
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
  if (status === 'FAILED') {
    const errors = recordsOf(campaign.errors).map((each) => ({
      property: Array.isArray(each.fields) ? textOf(each.fields[0]) : '',
      words: textOf(each.description),
    }));
    return { state: 'Failed', reasons: errors };
  }
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
