// Infobip's numbers and number registration, the part that Muster speaks.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Carrier } from './carrier.ts';
import { drawFault } from './faults.ts';
import { isRecord, readBody, sendJson } from './http.ts';
import type { Violation } from './infobip-check.ts';
import { sendInfobipError } from './infobip-errors.ts';
import { isTollFree, listForSale, numberKey, soldInstead } from './number-stock.ts';
import { newId, type Registry } from './registry.ts';

type Arrival = {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  hold: () => void;
};

export function isInfobipRegistryPath(path: string): boolean {
  // /numbers/4235550100 is the control API's.
  return /^\/numbers\/\d\//.test(path) || path.startsWith('/number-registration/');
}

export async function serveInfobipRegistry(
  carrier: Carrier,
  registry: Registry,
  { request, response, path, hold }: Arrival,
): Promise<void> {
  const buys = request.method === 'POST' && path === '/numbers/1/numbers';
  const fault = drawFault(carrier.faults, carrier.random, {
    provider: 'infobip',
    channel: 'texts',
    sends: buys,
  });
  if (fault === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  const raw =
    request.method === 'GET' || request.method === 'DELETE' ? '' : (await readBody(request)).toString();
  if (fault === 'tooMany') return sendInfobipError(response, 429);
  if (fault === 'serverError') return sendInfobipError(response, 500);
  if (fault === 'holdBefore') return hold();
  if (request.headers.authorization !== `App ${carrier.config.infobipApiKey}`)
    return sendInfobipError(response, 401);
  const body = parse(raw);
  const query = new URL(request.url ?? '/', 'http://sandbox').searchParams;
  const call = { registry, method: request.method ?? 'GET', path, body, query };
  const reply = path.startsWith('/numbers/') ? serveNumbers(call) : serveRegistration(call);
  if (fault === 'holdAfter') return hold();
  if (reply.status === 204 || reply.status === 202) {
    response.writeHead(reply.status).end();
    return;
  }
  if (reply.violations !== undefined) return sendInfobipError(response, 400, reply.violations);
  if (reply.status === 404) return sendInfobipError(response, 404);
  sendJson(response, reply.status, reply.body);
}

type Call = {
  registry: Registry;
  method: string;
  path: string;
  body: Record<string, unknown>;
  query: URLSearchParams;
};
type Reply = { status: number; body?: unknown; violations?: Violation[] };
const missing: Reply = { status: 404 };

function parse(raw: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(raw || '{}');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function composeNumber(number: string) {
  return {
    numberKey: numberKey(number),
    number,
    country: 'US',
    countryName: 'United States',
    type: 'VIRTUAL_LONG_NUMBER',
    capabilities: ['SMS', 'MMS', 'VOICE'],
    shared: false,
    price: { pricePerMonth: 1, setupPrice: 0, initialMonthPrice: 1, currency: 'USD' },
  };
}

function ownedByKey(registry: Registry, key: string): string | undefined {
  return [...registry.owned.keys()].find((number) => numberKey(number) === key);
}

function serveNumbers({ registry, method, path, body, query }: Call): Reply {
  const limit = Math.min(1000, Number(query.get('limit') ?? 10));
  const page = Number(query.get('page') ?? 0);
  const slice = (all: string[]) => ({
    numbers: all.slice(page * limit, (page + 1) * limit).map(composeNumber),
    numberCount: all.length,
  });
  if (method === 'GET' && path === '/numbers/1/numbers/available') {
    const areaCode = query.get('npa') ?? '';
    const isFree = isTollFree(`1${areaCode}`);
    const wanted = { areaCode, contains: query.get('number') ?? '', isTollFree: isFree };
    return { status: 200, body: slice(listForSale(wanted, registry.owned)) };
  }
  if (path === '/numbers/1/numbers' && method === 'GET') {
    const contains = query.get('number') ?? '';
    const ours = [...registry.owned]
      .filter(([number, { provider }]) => provider === 'infobip' && number.includes(contains))
      .map(([number]) => number);
    return { status: 200, body: slice(ours) };
  }
  if (path === '/numbers/1/numbers' && method === 'POST') return buy(registry, String(body.numberKey ?? ''));
  const one = /^\/numbers\/1\/numbers\/([^/]+)$/.exec(path);
  if (one && method === 'DELETE') {
    const number = ownedByKey(registry, one[1] ?? '');
    if (number === undefined) return missing;
    registry.takeBack(number);
    return { status: 204 };
  }
  const forward = /^\/numbers\/2\/numbers\/([^/]+)\/(sms|mms)$/.exec(path);
  const number = forward ? ownedByKey(registry, forward[1] ?? '') : undefined;
  if (!forward || number === undefined) return missing;
  if (method === 'GET') return { status: 200, body: { configurations: [], totalCount: 0 } };
  const action = isRecord(body.action) ? body.action : {};
  if (forward[2] === 'sms' && typeof action.url === 'string') registry.pointTo(number, action.url);
  return { status: 200, body: { ...body, key: newId() } };
}

function buy(registry: Registry, key: string): Reply {
  for (const areaCode of allAreaCodes()) {
    const wanted = { areaCode, contains: '', isTollFree: isTollFree(`1${areaCode}`) };
    const number = listForSale(wanted, registry.owned).find((each) => numberKey(each) === key);
    if (number === undefined) continue;
    const sold = soldInstead(number);
    if (sold === undefined) return missing;
    registry.sell(sold, 'infobip', '');
    return { status: 200, body: composeNumber(sold) };
  }
  return missing;
}

function allAreaCodes(): string[] {
  return Array.from({ length: 800 }, (_, i) => String(200 + i));
}

const brandsPath = '/number-registration/1/brands';
const campaignsPath = '/number-registration/1/campaigns';

function serveRegistration(call: Call): Reply {
  const { registry, method, path, body, query } = call;
  const { brands, campaigns } = registry.memory;
  const byReference = (all: Record<string, Record<string, unknown>>) => {
    const results = Object.values(all).filter(({ referenceId }) => referenceId === query.get('referenceId'));
    const paging = { page: 0, size: 20, totalPages: 1, totalResults: results.length };
    return { status: 200, body: { results, paging } };
  };
  if (path === brandsPath && method === 'GET') return byReference(brands);
  if (path === campaignsPath && method === 'GET') return byReference(campaigns);
  if (method === 'POST' && path === brandsPath) return make(registry, brands, body, checkBrand(body));
  if (method === 'POST' && path === campaignsPath)
    return make(registry, campaigns, body, checkCampaign(body));
  if (method === 'POST' && path === `${campaignsPath}/toll-free`) return make(registry, campaigns, body, []);
  const [, kind, id = '', verb] =
    /^\/number-registration\/1\/(brands|campaigns)\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
  const thing = kind === 'brands' ? brands[id] : campaigns[id];
  if (thing === undefined) return missing;
  if (verb === undefined && method === 'GET')
    return { status: 200, body: withStage(registry, kind ?? '', thing) };
  if (verb === undefined && method === 'PUT') {
    if (thing.type === 'TOLL_FREE_UNIFIED_NUMBER') return missing;
    const violations = kind === 'brands' ? checkBrand(body) : checkCampaign(body);
    if (violations.length > 0) return { status: 400, violations };
    Object.assign(thing, body, { id, lastModifiedDate: new Date().toISOString() });
    registry.save();
    return { status: 200, body: thing };
  }
  if (verb === undefined && method === 'DELETE' && kind === 'campaigns') {
    delete campaigns[id];
    registry.withdraw(id);
    return { status: 204 };
  }
  return kind === 'brands'
    ? brandVerb(registry, thing, verb ?? '', method)
    : campaignVerb(registry, thing, verb ?? '', body);
}

function make(
  registry: Registry,
  into: Record<string, Record<string, unknown>>,
  body: Record<string, unknown>,
  violations: Violation[],
): Reply {
  const isTwice = Object.values(into).some(({ referenceId }) => referenceId === body.referenceId);
  if (isTwice) violations.push({ property: 'referenceId', violation: 'must be unique' });
  if (violations.length > 0) return { status: 400, violations };
  const id = newId();
  into[id] = { ...body, id, stage: 'DRAFT', createdDate: new Date().toISOString() };
  registry.save();
  return { status: 201, body: into[id] };
}

const brandNeeds = [
  'name',
  'legalName',
  'taxId',
  'website',
  'vertical',
  'supportEmail',
  'supportPhone',
  'countryCode',
];

function checkBrand(body: Record<string, unknown>): Violation[] {
  const needs = [
    ...brandNeeds,
    ...(body.type === 'TENDLC_PUBLIC_COMPANY'
      ? ['stockSymbol', 'stockExchange', 'businessContactEmail']
      : []),
  ];
  return needs
    .filter((name) => typeof body[name] !== 'string' || body[name] === '')
    .map((property) => ({ property, violation: 'must not be blank' }));
}

function checkCampaign(body: Record<string, unknown>): Violation[] {
  const summary = String(body.programSummary ?? '');
  const found: Violation[] = [];
  if (summary.length < 40 || summary.length > 500)
    found.push({ property: 'programSummary', violation: 'size must be between 40 and 500' });
  for (const name of ['confirmationMessage', 'helpMessage', 'stopMessage']) {
    const size = String(body[name] ?? '').length;
    if (size < 20 || size > 320) found.push({ property: name, violation: 'size must be between 20 and 320' });
  }
  return found;
}

function brandVerb(registry: Registry, brand: Record<string, unknown>, verb: string, method: string): Reply {
  const id = String(brand.id);
  const application = registry.find(id);
  if (verb === 'register') {
    brand.stage = 'SUBMITTED';
    const isPublic = brand.type === 'TENDLC_PUBLIC_COMPANY';
    // A second one of the same, while the first lies on the desk, is the first.
    if (application === undefined || application.state === 'Rejected')
      registry.apply({
        id,
        kind: 'Organization',
        provider: 'infobip',
        name: String(brand.name),
        state: isPublic ? 'AwaitingEmail' : 'Pending',
        email: String(brand.businessContactEmail ?? ''),
        taxId: String(brand.taxId ?? ''),
      });
    return { status: 202 };
  }
  if (verb === 'resend2fa' || verb === 'brand-auth-verification') {
    if (application?.state !== 'AwaitingEmail') return missing;
    registry.sendEmail(application);
    return { status: 204 };
  }
  if (verb === 'vets') {
    const vets = Array.isArray(brand.vets) ? brand.vets : [];
    const paging = { page: 0, size: 20, totalPages: 1, totalResults: vets.length };
    if (method === 'GET') return { status: 200, body: { results: vets, paging } };
    // Everybody is a believable organization here.
    const vetted = { vetId: newId(), brandId: id, score: 82, status: 'SUCCESS', type: 'STANDARD' };
    brand.vets = [{ ...vetted, vettedDate: new Date().toISOString() }];
    registry.save();
    return { status: 202 };
  }
  if (verb !== 'registrar-statuses' || application === undefined) return missing;
  const state = { Approved: 'ACTIVE', Rejected: 'REJECTED', AwaitingEmail: 'PENDING_2FA' } as Record<
    string,
    string
  >;
  return {
    status: 200,
    body: [
      {
        registrar: 'CAMPAIGN_REGISTRY',
        state: state[application.state] ?? 'PENDING',
        brandIdentityStatus: application.state === 'Approved' ? 'VERIFIED' : 'UNVERIFIED',
        ...(application.reason !== '' && { rejectionReason: application.reason }),
      },
    ],
  };
}

function campaignVerb(
  registry: Registry,
  campaign: Record<string, unknown>,
  verb: string,
  body: Record<string, unknown>,
): Reply {
  const id = String(campaign.id);
  if (verb === 'register') {
    campaign.stage = 'SUBMITTED';
    const known = registry.find(id);
    if (campaign.type === 'TOLL_FREE_UNIFIED_NUMBER' && (known === undefined || known.state === 'Rejected'))
      registry.apply({
        id,
        kind: 'Toll-free number',
        provider: 'infobip',
        name: String(campaign.businessName ?? campaign.name),
        taxId: String(campaign.taxId ?? ''),
      });
    registry.save();
    return { status: 202 };
  }
  if (verb === 'add-numbers') {
    const added = Array.isArray(body.numbers) ? body.numbers : [];
    campaign.numbers = [...(Array.isArray(campaign.numbers) ? campaign.numbers : []), ...added];
    registry.save();
    return { status: 202 };
  }
  return missing;
}

/** An organization's campaign is decided with the organization; a toll-free one lies on the desk itself. */
function withStage(
  registry: Registry,
  kind: string,
  thing: Record<string, unknown>,
): Record<string, unknown> {
  if (kind !== 'campaigns' || thing.stage === 'DRAFT') return thing;
  const application = registry.find(String(thing.brandId ?? thing.id));
  const stage = { Approved: 'REGISTERED', Rejected: 'REJECTED' } as Record<string, string>;
  return {
    ...thing,
    stage: stage[application?.state ?? ''] ?? 'IN_REVIEW',
    ...(application?.reason && {
      campaignFeedback: { rejectionDetails: [{ errorCode: '1', description: application.reason }] },
    }),
  };
}
