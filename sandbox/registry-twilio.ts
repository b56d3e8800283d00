// Twilio's numbers, Trust Hub, brands, campaigns and toll-free verifications, the part that Muster speaks.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Carrier } from './carrier.ts';
import { drawFault } from './faults.ts';
import { readBody, sendJson } from './http.ts';
import { listForSale, numberSid, soldInstead } from './number-stock.ts';
import { formatNumber, parseCarrierNumber } from './numbers.ts';
import { newId, type Registry } from './registry.ts';
import { refuseUnlessAuthenticated, TwilioError } from './twilio.ts';

type Arrival = {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  hold: () => void;
};

const products =
  /^\/v1\/(a2p|Services|Tollfree|CustomerProfiles|TrustProducts|EndUsers|SupportingDocuments|Policies)(\/|$)/;
const numbers = /^\/2010-04-01\/Accounts\/[^/]+\/(AvailablePhoneNumbers|IncomingPhoneNumbers|Addresses)/;

export function isTwilioRegistryPath(path: string): boolean {
  return products.test(path) || numbers.test(path);
}

type Call = {
  carrier: Carrier;
  registry: Registry;
  method: string;
  path: string;
  form: URLSearchParams;
  query: URLSearchParams;
};
type Reply = { status: number; body?: unknown };

export async function serveTwilioRegistry(
  carrier: Carrier,
  registry: Registry,
  { request, response, path, hold }: Arrival,
): Promise<void> {
  const buys = request.method === 'POST' && path.endsWith('/IncomingPhoneNumbers.json');
  const fault = drawFault(carrier.faults, carrier.random, {
    provider: 'twilio',
    channel: 'texts',
    sends: buys,
  });
  if (fault === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  const body = request.method === 'POST' ? (await readBody(request)).toString() : '';
  if (fault === 'tooMany') throw new TwilioError(20429, 'Too Many Requests', 429);
  if (fault === 'serverError') throw new TwilioError(20500, 'An internal server error has occurred', 500);
  if (fault === 'holdBefore') return hold();
  refuseUnlessAuthenticated(carrier, request);
  const query = new URL(request.url ?? '/', 'http://sandbox').searchParams;
  const method = request.method ?? 'GET';
  const call = { carrier, registry, method, path, form: new URLSearchParams(body), query };
  const reply = numbers.test(path) ? serveNumbers(call) : serveProducts(call);
  if (reply === undefined) throw new TwilioError(20404, `The requested resource ${path} was not found`, 404);
  if (fault === 'holdAfter') return hold();
  if (reply.status === 204) response.writeHead(204).end();
  else sendJson(response, reply.status, reply.body);
}

const capabilities = { voice: true, SMS: true, MMS: true, fax: false };

function composeOwned({ carrier, registry }: Call, number: string) {
  const account = carrier.config.twilioAccountSid;
  const sid = numberSid(number);
  const date = new Date(0).toUTCString();
  return {
    sid,
    account_sid: account,
    phone_number: `+${number}`,
    friendly_name: registry.owned.get(number)?.label || formatNumber(number),
    api_version: '2010-04-01',
    capabilities: { voice: true, sms: true, mms: true, fax: false },
    date_created: date,
    date_updated: date,
    sms_url: carrier.numbers.get(number)?.inboundUrl ?? '',
    sms_method: 'POST',
    voice_url: carrier.numbers.get(number)?.voiceUrl ?? '',
    voice_method: 'POST',
    origin: 'twilio',
    status: 'in-use',
    beta: false,
    uri: `/2010-04-01/Accounts/${account}/IncomingPhoneNumbers/${sid}.json`,
  };
}

function serveNumbers(call: Call): Reply | undefined {
  const { carrier, registry, method, path, form, query } = call;
  const account = `/2010-04-01/Accounts/${carrier.config.twilioAccountSid}`;
  if (!path.startsWith(`${account}/`)) return undefined;
  const sale = /\/AvailablePhoneNumbers\/US\/(Local|TollFree)\.json$/.exec(path);
  if (sale && method === 'GET') {
    const size = Math.min(1000, Number(query.get('PageSize') ?? 50));
    const page = Number(query.get('Page') ?? 0);
    const wanted = {
      areaCode: query.get('AreaCode') ?? '',
      contains: (query.get('Contains') ?? '').replace(/\D/g, ''),
      isTollFree: sale[1] === 'TollFree',
    };
    const all = listForSale(wanted, registry.owned);
    const items = all.slice(page * size, (page + 1) * size).map((number) => ({
      friendly_name: formatNumber(number),
      phone_number: `+${number}`,
      lata: null,
      locality: null,
      rate_center: null,
      latitude: null,
      longitude: null,
      region: null,
      postal_code: null,
      iso_country: 'US',
      address_requirements: 'none',
      beta: false,
      capabilities,
    }));
    return { status: 200, body: { uri: path, available_phone_numbers: items } };
  }
  if (path === `${account}/IncomingPhoneNumbers.json`) {
    if (method === 'POST') return buy(call, form);
    const wanted = parseCarrierNumber(query.get('PhoneNumber') ?? '');
    const ours = [...registry.owned]
      .filter(
        ([number, { provider }]) => provider === 'twilio' && (wanted === undefined || number === wanted),
      )
      .map(([number]) => composeOwned(call, number));
    return {
      status: 200,
      body: { uri: path, page: 0, page_size: 50, next_page_uri: null, incoming_phone_numbers: ours },
    };
  }
  if (path.startsWith(`${account}/Addresses`)) return serveAddresses(call, path);
  const sid = /\/IncomingPhoneNumbers\/(PN[0-9a-f]{32})\.json$/.exec(path)?.[1];
  const number = [...registry.owned.keys()].find((each) => numberSid(each) === sid);
  if (number === undefined) return undefined;
  if (method === 'DELETE') {
    registry.takeBack(number);
    return { status: 204 };
  }
  if (method === 'POST') pointHooks(call, number, form);
  return { status: 200, body: composeOwned(call, number) };
}

function serveAddresses(call: Call, path: string): Reply | undefined {
  const { registry, method, form, query } = call;
  const sid = /\/Addresses\/(AD[0-9a-f]{32})\.json$/.exec(path)?.[1];
  if (sid === undefined) {
    if (method === 'POST') return { status: 201, body: keep(registry, composeThing(call, 'AD', 'address')) };
    const name = query.get('FriendlyName');
    const addresses = listThings(registry, 'address').filter(
      (each) => name === null || each.friendly_name === name,
    );
    return { status: 200, body: { uri: path, page: 0, page_size: 50, next_page_uri: null, addresses } };
  }
  const address = registry.memory.things[sid];
  if (address === undefined) return undefined;
  if (method === 'POST')
    for (const [name, value] of form)
      address[name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()] = value;
  registry.save();
  return { status: 200, body: address };
}

function buy(call: Call, form: URLSearchParams): Reply {
  const { registry } = call;
  const number = parseCarrierNumber((form.get('PhoneNumber') ?? '').trim());
  if (number === undefined) throw new TwilioError(21421, 'PhoneNumber is not valid');
  const areaCode = number.slice(1, 4);
  const isFree = listForSale({ areaCode, contains: number.slice(1), isTollFree: true }, registry.owned);
  const isLocal = listForSale({ areaCode, contains: number.slice(1), isTollFree: false }, registry.owned);
  const sold = isFree.length + isLocal.length > 0 ? soldInstead(number) : undefined;
  if (sold === undefined) throw new TwilioError(21422, `${form.get('PhoneNumber')} is not available`);
  registry.sell(sold, 'twilio', form.get('FriendlyName') ?? '');
  pointHooks(call, sold, form);
  return { status: 201, body: composeOwned(call, sold) };
}

function pointHooks({ registry }: Call, number: string, form: URLSearchParams): void {
  const url = form.get('SmsUrl');
  const voiceUrl = form.get('VoiceUrl');
  if (url !== null) registry.pointTo(number, url);
  if (voiceUrl !== null && voiceUrl !== '') registry.pointCallsTo(number, voiceUrl);
}

type Thing = Record<string, unknown>;

function newSid(prefix: string): string {
  return prefix + createHash('md5').update(newId()).digest('hex');
}

/** The form's fields under the names that replies use. */
function composeThing(call: Call, prefix: string, type: string): Thing {
  const given = Object.fromEntries(
    [...call.form].map(([name, value]) => [
      name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).toLowerCase(),
      value,
    ]),
  );
  const date = new Date().toISOString();
  const sid = newSid(prefix);
  return {
    ...given,
    ...(typeof given.attributes === 'string' && { attributes: JSON.parse(given.attributes) as unknown }),
    sid,
    account_sid: call.carrier.config.twilioAccountSid,
    x_type: type,
    date_created: date,
    date_updated: date,
  };
}

function serveProducts(call: Call): Reply | undefined {
  const { path } = call;
  const [, , collection = '', ...rest] = path.split('/');
  switch (collection) {
    case 'EndUsers':
    case 'SupportingDocuments':
      return serveSimple(call, collection === 'EndUsers' ? 'IT' : 'RD', rest);
    case 'CustomerProfiles':
    case 'TrustProducts':
      return serveBundle(call, collection, rest);
    case 'a2p':
      return serveBrands(call, rest.slice(1));
    case 'Services':
      return serveServices(call, rest);
    case 'Tollfree':
      return serveTollFree(call, rest.slice(1));
    default:
      return undefined;
  }
}

function listThings(registry: Registry, type: string): Thing[] {
  return Object.values(registry.memory.things).filter((thing) => thing.x_type === type);
}

function keep(registry: Registry, thing: Thing): Thing {
  registry.memory.things[String(thing.sid)] = thing;
  registry.save();
  return thing;
}

const meta = (key: string) => ({
  page: 0,
  page_size: 50,
  first_page_url: '',
  previous_page_url: null,
  url: '',
  next_page_url: null,
  key,
});

function serveSimple(call: Call, prefix: string, [sid]: string[]): Reply | undefined {
  const { registry, method, form } = call;
  if (sid === undefined && method === 'POST')
    return { status: 201, body: keep(registry, composeThing(call, prefix, prefix)) };
  const thing = registry.memory.things[sid ?? ''];
  if (thing === undefined) return undefined;
  const attributes = form.get('Attributes');
  if (method === 'POST' && attributes !== null) thing.attributes = JSON.parse(attributes);
  registry.save();
  return { status: 200, body: thing };
}

function serveBundle(call: Call, type: string, [sid, part]: string[]): Reply | undefined {
  const { registry, method, form, query } = call;
  if (sid === undefined) {
    if (method === 'POST') {
      const made = { ...composeThing(call, 'BU', type), status: 'draft', objects: [] };
      return { status: 201, body: keep(registry, made) };
    }
    const name = query.get('FriendlyName');
    const results = listThings(registry, type).filter((each) => name === null || each.friendly_name === name);
    return { status: 200, body: { results, meta: meta('results') } };
  }
  const bundle = registry.memory.things[sid];
  if (bundle === undefined) return undefined;
  const objects = (Array.isArray(bundle.objects) ? bundle.objects : []) as string[];
  if (part === 'EntityAssignments') {
    if (method === 'GET') {
      const results = objects.map((object_sid) => ({ sid: newSid('BV'), object_sid }));
      return { status: 200, body: { results, meta: meta('results') } };
    }
    bundle.objects = [...objects, form.get('ObjectSid') ?? ''];
    registry.save();
    return { status: 201, body: { sid: newSid('BV'), object_sid: form.get('ObjectSid') } };
  }
  if (part === 'Evaluations') {
    const isWhole = type !== 'CustomerProfiles' || findAddress(registry, objects) !== undefined;
    const missing = { friendly_name: 'Address', failure_reason: 'An address is required.', object_field: '' };
    const results = isWhole ? [] : [{ passed: false, invalid: [missing] }];
    const status = isWhole ? 'compliant' : 'noncompliant';
    return { status: 201, body: { sid: newSid('EL'), status, results } };
  }
  if (method === 'POST' && form.get('Status') === 'pending-review') {
    // No letter arrives at such an address.
    const isNowhere = /nowhere/i.test(String(findAddress(registry, objects)?.street));
    bundle.status = isNowhere ? 'twilio-rejected' : 'twilio-approved';
    bundle.errors = isNowhere ? [{ code: 22217, description: 'The address could not be verified.' }] : [];
    registry.save();
  }
  return { status: 200, body: bundle };
}

function findAddress(registry: Registry, objects: string[]): Thing | undefined {
  const { things } = registry.memory;
  for (const object of objects) {
    const attributes = things[object]?.attributes as { address_sids?: string } | undefined;
    if (attributes?.address_sids !== undefined) return things[attributes.address_sids];
  }
  return undefined;
}

function serveBrands(call: Call, [sid, part]: string[]): Reply | undefined {
  const { registry, method } = call;
  if (sid === undefined && method === 'GET') {
    const data = listThings(registry, 'brand').map((brand) => composeBrand(registry, brand));
    return { status: 200, body: { data, meta: meta('data') } };
  }
  if (sid === undefined) {
    const brand = keep(registry, composeThing(call, 'BN', 'brand'));
    brand.customer_profile_bundle_sid = call.form.get('CustomerProfileBundleSid');
    brand.a2p_profile_bundle_sid = call.form.get('A2PProfileBundleSid');
    if (isReviewed(registry, brand)) apply(registry, brand);
    return { status: 201, body: composeBrand(registry, brand) };
  }
  const brand = registry.memory.things[sid];
  if (brand === undefined) return undefined;
  // It has waited for its bundles.
  if (registry.find(sid) === undefined && isReviewed(registry, brand)) apply(registry, brand);
  const application = registry.find(sid);
  if (part === 'SmsOtp') {
    if (application?.state !== 'AwaitingText') return undefined;
    registry.sendText(application);
    return { status: 201, body: { account_sid: brand.account_sid, brand_registration_sid: sid } };
  }
  // A refused one that was corrected.
  if (method === 'POST' && application?.state === 'Rejected') apply(registry, brand);
  return { status: method === 'POST' ? 202 : 200, body: composeBrand(registry, brand) };
}

function isReviewed(registry: Registry, brand: Thing): boolean {
  const profile = registry.memory.things[String(brand.customer_profile_bundle_sid)];
  return profile?.status === 'twilio-approved';
}

/** The person's name and mobile are in the product that the brand names. */
function apply(registry: Registry, brand: Thing): void {
  const product = registry.memory.things[String(brand.a2p_profile_bundle_sid)];
  const parts = (Array.isArray(product?.objects) ? product.objects : []).map(
    (sid) => registry.memory.things[String(sid)]?.attributes as Record<string, string> | undefined,
  );
  const sole = parts.find((attributes) => attributes?.brand_name !== undefined);
  registry.apply({
    id: String(brand.sid),
    kind: 'Sole proprietor',
    provider: 'twilio',
    name: sole?.brand_name ?? 'Somebody',
    state: 'AwaitingText',
    phone: parseCarrierNumber(sole?.mobile_phone_number ?? '') ?? '',
  });
}

function composeBrand(registry: Registry, brand: Thing): Thing {
  const application = registry.find(String(brand.sid));
  const isRejected = application?.state === 'Rejected';
  return {
    ...brand,
    brand_type: 'SOLE_PROPRIETOR',
    status: application === undefined ? 'PENDING' : isRejected ? 'FAILED' : 'APPROVED',
    identity_status:
      application === undefined ? null : application.state === 'AwaitingText' ? 'UNVERIFIED' : 'VERIFIED',
    failure_reason: isRejected ? application.reason : null,
    errors: isRejected ? [{ code: 30795, description: application.reason, fields: [] }] : [],
    brand_score: null,
    brand_feedback: [],
    mock: false,
  };
}

function serveServices(call: Call, [sid, part, id, campaign]: string[]): Reply | undefined {
  const { registry, method, form } = call;
  if (sid === undefined) {
    if (method === 'GET')
      return { status: 200, body: { services: listThings(registry, 'service'), meta: meta('services') } };
    return { status: 201, body: keep(registry, { ...composeThing(call, 'MG', 'service'), numbers: [] }) };
  }
  const service = registry.memory.things[sid];
  if (service === undefined) return undefined;
  if (part === 'PhoneNumbers') {
    const inside = (Array.isArray(service.numbers) ? service.numbers : []) as string[];
    if (method === 'GET') return inside.includes(id ?? '') ? { status: 200, body: { sid: id } } : undefined;
    const added = form.get('PhoneNumberSid') ?? '';
    if (![...registry.owned.keys()].some((number) => numberSid(number) === added)) return undefined;
    service.numbers = [...inside, added];
    registry.save();
    return { status: 201, body: { sid: added, service_sid: sid } };
  }
  if (part !== 'Compliance') return undefined;
  const campaigns = listThings(registry, 'campaign').filter((each) => each.messaging_service_sid === sid);
  if (campaign === undefined && method === 'POST') {
    if (form.getAll('MessageSamples').length < 2)
      throw new TwilioError(21703, 'MessageSamples must contain between 2 and 5 samples');
    const made = {
      ...composeThing(call, 'QE', 'campaign'),
      messaging_service_sid: sid,
      brand_registration_sid: form.get('BrandRegistrationSid'),
      message_samples: form.getAll('MessageSamples'),
    };
    return { status: 201, body: composeCampaign(registry, keep(registry, made)) };
  }
  if (campaign === undefined)
    return {
      status: 200,
      body: {
        compliance: campaigns.map((each) => composeCampaign(registry, each)),
        meta: meta('compliance'),
      },
    };
  const one = campaigns.find((each) => each.sid === campaign);
  if (one !== undefined && method === 'POST') {
    Object.assign(one, {
      description: form.get('Description'),
      message_flow: form.get('MessageFlow'),
      message_samples: form.getAll('MessageSamples'),
    });
    registry.save();
  }
  return one && { status: 200, body: composeCampaign(registry, one) };
}

function composeCampaign(registry: Registry, campaign: Thing): Thing {
  const application = registry.find(String(campaign.brand_registration_sid));
  // Nobody knows what such a campaign is about.
  if (/lorem ipsum/i.test(String(campaign.description)))
    return {
      ...campaign,
      campaign_status: 'FAILED',
      errors: [{ error_code: 30886, description: 'The description is not clear.', fields: ['DESCRIPTION'] }],
    };
  return {
    ...campaign,
    campaign_status: application?.state === 'Approved' ? 'VERIFIED' : 'IN_PROGRESS',
    rate_limits: { att: { mps: 1.25, msg_class: 'T' }, tmobile: { brand_tier: 'SOLE_PROPRIETOR' } },
    errors: [],
  };
}

function serveTollFree(call: Call, [sid]: string[]): Reply | undefined {
  const { registry, method, query } = call;
  if (sid === undefined && method === 'GET') {
    const reference = query.get('ExternalReferenceId');
    const verifications = listThings(registry, 'verification').filter(
      (each) => reference === null || each.external_reference_id === reference,
    );
    return { status: 200, body: { verifications, meta: meta('verifications') } };
  }
  if (sid === undefined) {
    const made = keep(registry, composeThing(call, 'HH', 'verification'));
    registry.apply({
      id: String(made.sid),
      kind: 'Toll-free number',
      provider: 'twilio',
      name: call.form.get('BusinessName') ?? '',
    });
    return { status: 201, body: { ...made, status: 'PENDING_REVIEW' } };
  }
  const made = registry.memory.things[sid];
  if (made === undefined) return undefined;
  if (method === 'DELETE') {
    delete registry.memory.things[sid];
    registry.withdraw(sid);
    return { status: 204 };
  }
  // A refused one that was corrected.
  if (method === 'POST' && registry.find(sid)?.state === 'Rejected') {
    const { sid: _, date_created: __, ...edited } = composeThing(call, 'HH', 'verification');
    const { business_name } = Object.assign(made, edited);
    registry.apply({ id: sid, kind: 'Toll-free number', provider: 'twilio', name: String(business_name) });
  }
  const application = registry.find(sid);
  const status = { Approved: 'TWILIO_APPROVED', Rejected: 'TWILIO_REJECTED' } as Record<string, string>;
  return {
    status: 200,
    body: {
      ...made,
      status: status[application?.state ?? ''] ?? 'IN_REVIEW',
      rejection_reasons: application?.reason ? [{ reason: application.reason, code: '30485' }] : [],
      // Some reasons allow no correction.
      edit_allowed: !application?.reason.includes('may not be edited'),
    },
  };
}
