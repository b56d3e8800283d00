// Infobip's voice API, the part that Muster speaks: IVR scenarios, calls that run one, and what happened to them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Call, isOver, talkedSeconds } from './call.ts';
import { attemptKey } from './call-ends.ts';
import type { Carrier } from './carrier.ts';
import { formatInfobipDate } from './dates.ts';
import type { Exchange } from './exchange.ts';
import { delayAnswer, drawFault } from './faults.ts';
import { isRecord, readBody, sendJson } from './http.ts';
import type { Violation } from './infobip-check.ts';
import { infobipRetryAfterMs } from './infobip-webhooks.ts';
import { type Action, checkScenario, type Scenario } from './ivr-check.ts';
import { ivrScript } from './ivr-flow.ts';
import { parseCarrierNumber } from './numbers.ts';
import { infobipStatus } from './outcomes.ts';

export const isVoicePath = (path: string) => path.startsWith('/voice/') || path.startsWith('/tts/');

const mostDestinations = 20_000;

type Arrival = { request: IncomingMessage; response: ServerResponse; path: string; hold: () => void };

export async function serveInfobipVoice(
  carrier: Carrier,
  { request, response, path, hold }: Arrival,
): Promise<void> {
  const sends = request.method === 'POST' && path === '/voice/ivr/1/messages';
  const fault = drawFault(carrier.faults, carrier.random, { provider: 'infobip', channel: 'calls', sends });
  if (fault === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  const hasBody = request.method === 'POST' || request.method === 'PUT';
  const body = hasBody ? parseJson(await readBody(request)) : undefined;
  if (fault === 'holdBefore') return hold();
  if (fault === 'tooMany') response.setHeader('retry-after', carrier.faults.RetryAfterSeconds);
  const { status, json } =
    fault === 'tooMany'
      ? refusal(429, 'TOO_MANY_REQUESTS', 'Too many requests')
      : fault === 'serverError'
        ? refusal(500, 'GENERAL_ERROR', 'Something went wrong')
        : answer(carrier, request, path, body);
  if (fault === 'holdAfter') return hold();
  if (fault === 'resetAfter') {
    request.socket.resetAndDestroy();
    return;
  }
  if (sends) await delayAnswer(carrier.faults, 'infobip', 'calls');
  if (json === undefined) response.writeHead(status).end();
  else sendJson(response, status, json);
}

function answer(carrier: Carrier, request: IncomingMessage, path: string, body: unknown): Answer {
  if (request.headers.authorization !== `App ${carrier.config.infobipApiKey}`) {
    return refusal(401, 'UNAUTHORIZED', 'Invalid login details');
  }
  const method = request.method ?? 'GET';
  const query = new URL(request.url ?? '/', 'http://sandbox').searchParams;
  if (path.startsWith('/voice/ivr/1/scenarios'))
    return answerScenarios(carrier, { method, path, query, body });
  if (method === 'GET' && path === '/voice/1/reports') return listReports(carrier, query);
  if (method === 'GET' && path === '/tts/3/logs') return listLogs(carrier, query);
  if (method !== 'POST' || path !== '/voice/ivr/1/messages') {
    return refusal(404, 'NOT_FOUND', 'There is nothing here');
  }
  const violations = checkLaunch(carrier, body);
  if (violations.length > 0) return refusalOf(violations);
  const json = launch(carrier, body as LaunchRequest);
  carrier.events.figuresChanged();
  return { status: 200, json };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function refusalOf(violations: readonly Violation[]): Answer {
  const validationErrors: Record<string, string[]> = {};
  for (const { property, violation } of violations) {
    validationErrors[property] ??= [];
    validationErrors[property].push(violation);
  }
  const serviceException = { messageId: 'BAD_REQUEST', text: 'Bad Request', validationErrors };
  return { status: 400, json: { requestError: { serviceException } } };
}

function composeScenario({ id, name, description, script, createdAt, updatedAt }: Scenario) {
  return {
    id,
    name,
    ...(description !== undefined && { description }),
    script,
    createTime: formatInfobipDate(createdAt),
    updateTime: formatInfobipDate(updatedAt),
  };
}

type Answer = { status: number; json?: unknown };

const refusal = (status: number, messageId: string, text: string): Answer => ({
  status,
  json: { requestError: { serviceException: { messageId, text } } },
});

function answerScenarios(
  carrier: Carrier,
  { method, path, query, body }: { method: string; path: string; query: URLSearchParams; body: unknown },
): Answer {
  const id = path.slice('/voice/ivr/1/scenarios'.length).replace(/^\//, '');
  if (id === '') {
    if (method === 'POST') return putScenario(carrier, body, undefined);
    if (method !== 'GET') return refusal(405, 'BAD_REQUEST', 'Method not allowed');
    const name = query.get('name');
    const found = [...carrier.scenarios.values()].filter((each) => name === null || each.name.includes(name));
    return { status: 200, json: found.map(composeScenario) };
  }
  const scenario = carrier.scenarios.get(decodeURIComponent(id));
  if (!scenario) return refusal(404, 'NOT_FOUND', 'Scenario not found');
  if (method === 'GET') return { status: 200, json: composeScenario(scenario) };
  if (method === 'PUT') return putScenario(carrier, body, scenario);
  if (method !== 'DELETE') return refusal(405, 'BAD_REQUEST', 'Method not allowed');
  carrier.scenarios.delete(scenario.id);
  carrier.journal?.scenarioDeleted(scenario.id);
  return { status: 200 };
}

function putScenario(carrier: Carrier, body: unknown, before: Scenario | undefined): Answer {
  const violations = checkScenario(body);
  if (violations.length > 0) return refusalOf(violations);
  const { name, description, script } = body as { name: string; description?: string; script: Action[] };
  const now = Date.now();
  const scenario: Scenario = {
    id: before?.id ?? carrier.exchange.createSid('', now).toUpperCase(),
    name,
    description,
    script,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  carrier.scenarios.set(scenario.id, scenario);
  carrier.journal?.scenario(scenario);
  return { status: 200, json: composeScenario(scenario) };
}

type LaunchRequest = {
  bulkId?: string;
  messages: {
    scenarioId: string;
    from?: string;
    destinations: { to: string; messageId?: string }[];
    notifyUrl?: string;
    callbackData?: string;
    ringTimeout?: number;
    callTimeout?: number;
    parameters?: Record<string, string>;
  }[];
};

const messageNames = new Set([
  'scenarioId',
  'from',
  'destinations',
  'notifyUrl',
  'notifyContentType',
  'notifyContentVersion',
  'callbackData',
  'validityPeriod',
  'ringTimeout',
  'callTimeout',
  'parameters',
]);

/** Checks the request as a whole. Infobip's own retries, speed and window are not simulated: Muster keeps them. */
function checkLaunch(carrier: Carrier, body: unknown): Violation[] {
  if (!isRecord(body)) return [{ property: 'body', violation: 'must be a JSON object' }];
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    return [{ property: 'messages', violation: 'must not be empty' }];
  }
  const found: Violation[] = [];
  let count = 0;
  for (const [index, message] of body.messages.entries()) {
    const at = `messages[${index}]`;
    const wrong = (property: string, violation: string) => {
      if (found.length < 50) found.push({ property: `${at}.${property}`, violation });
    };
    if (!isRecord(message)) {
      found.push({ property: at, violation: 'must be an object' });
      continue;
    }
    for (const name of Object.keys(message)) if (!messageNames.has(name)) wrong(name, 'is not played here');
    if (!carrier.scenarios.has(String(message.scenarioId))) wrong('scenarioId', 'does not exist');
    if (!Array.isArray(message.destinations) || message.destinations.length === 0) {
      wrong('destinations', 'must not be empty');
    } else {
      count += message.destinations.length;
      for (const [place, each] of message.destinations.entries()) {
        if (!isRecord(each) || typeof each.to !== 'string')
          wrong(`destinations[${place}].to`, 'must not be null');
      }
    }
    const { parameters } = message;
    const isText =
      isRecord(parameters) && Object.values(parameters).every((each) => typeof each === 'string');
    if (parameters !== undefined && !isText) wrong('parameters', 'must be texts');
    const url = message.notifyUrl;
    if (url !== undefined && !/^https?:$/.test(URL.parse(String(url))?.protocol ?? '')) {
      wrong('notifyUrl', 'must be a valid URL');
    }
  }
  if (count > mostDestinations) found.push({ property: 'messages', violation: 'too many destinations' });
  return found;
}

const pendingStatus = infobipStatus('PENDING', 26, 'PENDING_ACCEPTED', 'Message sent to next instance');
const refusals = {
  missingTo: infobipStatus('REJECTED', 51, 'MISSING_TO', 'Missing destination'),
  invalidTo: infobipStatus('REJECTED', 52, 'REJECTED_DESTINATION', 'Invalid destination address'),
  sender: infobipStatus('REJECTED', 13, 'REJECTED_SENDER', 'Sender is not yours'),
} as const;

/** The same messageId twice is two calls: whether Infobip refuses it for calls is written nowhere. */
function launch(carrier: Carrier, { bulkId, messages }: LaunchRequest) {
  const { exchange } = carrier;
  const bulk = bulkId ?? exchange.createSid('', Date.now());
  const replies = [];
  for (const message of messages) {
    const scenario = carrier.scenarios.get(message.scenarioId);
    if (!scenario) continue;
    for (const { to: raw, messageId = exchange.createSid('', Date.now()) } of message.destinations) {
      const to = parseCarrierNumber(raw);
      const from = parseCarrierNumber(message.from ?? '');
      const refusal =
        raw === ''
          ? refusals.missingTo
          : to === undefined
            ? refusals.invalidTo
            : from === undefined || !carrier.numbers.has(from)
              ? refusals.sender
              : undefined;
      replies.push({ to: raw, status: refusal ?? pendingStatus, messageId });
      if (refusal || to === undefined || from === undefined) {
        carrier.stats.CallsRefused += 1;
        continue;
      }
      const call = exchange.place({
        provider: 'infobip',
        from,
        to,
        order: {
          statusEvents: [],
          timeoutSeconds: message.ringTimeout ?? 45,
          timeLimitSeconds: message.callTimeout,
          infobip: {
            messageId,
            bulkId: bulk,
            notifyUrl: message.notifyUrl,
            callbackData: message.callbackData,
            scenarioId: scenario.id,
            scenarioName: scenario.name,
          },
        },
        script: ivrScript(scenario, message.parameters ?? {}),
      });
      exchange.claimAttempt(attemptKey(call));
    }
  }
  return { bulkId: bulk, messages: replies };
}

type Code = { id: number; name: string };

/** End of a call in Infobip's codes: a status and, for most, an error beside it. */
function codesOf(call: Call): { status: unknown; error: Code } {
  const undeliverable = (id: number, name: string) => infobipStatus('UNDELIVERABLE', id, name, name);
  switch (call.result) {
    case undefined:
      return { status: pendingStatus, error: { id: 0, name: 'NO_ERROR' } };
    case 'Busy':
      return {
        status: undeliverable(97, 'UNDELIVERABLE_BUSY'),
        error: { id: 10_201, name: 'EC_VOICE_BUSY' },
      };
    case 'NoAnswer':
      return {
        status: undeliverable(96, 'UNDELIVERABLE_NO_ANSWER'),
        error: { id: 10_200, name: 'EC_VOICE_NO_ANSWER' },
      };
    case 'Canceled':
      return {
        status: undeliverable(98, 'UNDELIVERABLE_CANCELLED'),
        error: { id: 10_202, name: 'EC_VOICE_CANCELLED' },
      };
    case 'Blocked':
      return {
        status: infobipStatus('REJECTED', 99, 'REJECTED', 'Rejected'),
        error: { id: 10_203, name: 'EC_VOICE_REJECTED' },
      };
    case 'NotInService':
      return {
        status: undeliverable(9, 'UNDELIVERABLE_NOT_DELIVERED'),
        error: { id: 10_303, name: 'EC_VOICE_NUMBER_NOT_FOUND' },
      };
    case 'Failed':
      return {
        status: undeliverable(9, 'UNDELIVERABLE_NOT_DELIVERED'),
        error: { id: 10_500, name: 'EC_VOICE_NETWORK_ERROR' },
      };
    default: {
      const status = infobipStatus('DELIVERED', 5, 'DELIVERED_TO_HANDSET', 'Message delivered to handset');
      const isMachine = call.answeredBy?.startsWith('machine') === true;
      if (call.answeredBy === undefined) return { status, error: { id: 0, name: 'NO_ERROR' } };
      return {
        status,
        error: isMachine
          ? { id: 10_002, name: 'EC_VOICE_ANSWERED_BY_MACHINE' }
          : { id: 10_003, name: 'EC_VOICE_ANSWERED_BY_HUMAN' },
      };
    }
  }
}

function composeError({ id, name }: Code) {
  const groupName = id === 0 ? 'OK' : id < 10_100 ? 'OK' : 'USER_ERRORS';
  return { groupId: groupName === 'OK' ? 0 : 2, groupName, id, name, description: name, permanent: false };
}

const price = { pricePerSecond: 0.0002, currency: 'USD' };

function composeReport(call: Call) {
  const { infobip } = call.order;
  const { status, error } = codesOf(call);
  const seconds = talkedSeconds(call);
  const isMachine = call.answeredBy?.startsWith('machine') === true;
  return {
    bulkId: infobip?.bulkId,
    messageId: infobip?.messageId,
    from: call.from,
    to: call.to,
    sentAt: formatInfobipDate(call.createdAt),
    mccMnc: '310410',
    ...(infobip?.callbackData !== undefined && { callbackData: infobip.callbackData }),
    voiceCall: {
      feature: 'IVR',
      startTime: formatInfobipDate(call.startedAt),
      ...(call.answeredAt > 0 && { answerTime: formatInfobipDate(call.answeredAt) }),
      endTime: formatInfobipDate(call.endedAt),
      duration: seconds,
      chargedDuration: seconds,
      fileDuration: 0,
      dtmfCodes: [...call.keys].join(','),
      ...(call.answeredBy !== undefined && { answeredBy: isMachine ? 'MACHINE' : 'HUMAN' }),
      direction: 'OUTBOUND',
      ivr: {
        scenarioId: infobip?.scenarioId,
        scenarioName: infobip?.scenarioName,
        collectedDtmfs: JSON.stringify(call.collected ?? {}),
      },
    },
    price,
    status,
    error: composeError(error),
  };
}

/** The report of a call that is over, pushed to where it was asked for. */
export function tellInfobip(exchange: Exchange, call: Call): void {
  const url = call.order.infobip?.notifyUrl;
  if (url === undefined) return;
  const body = JSON.stringify({ results: [composeReport(call)] });
  exchange.hooks.send(url, {
    provider: 'infobip',
    compose: () => ({
      url,
      headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Infobip' },
      body,
      timeoutMs: 10_000,
    }),
    retryAfterMs: (tries) => infobipRetryAfterMs(tries, exchange.carrier.config.retryUnitMs),
  });
}

function* infobipCalls(carrier: Carrier, query: URLSearchParams): Generator<Call> {
  const list = (name: string) =>
    query
      .getAll(name)
      .flatMap((each) => each.split(','))
      .filter((each) => each !== '');
  const [ids, bulkIds] = [list('messageId'), list('bulkId')];
  for (const call of carrier.exchange.all()) {
    const { infobip } = call.order;
    if (!infobip) continue;
    if (ids.length > 0 && !ids.includes(infobip.messageId)) continue;
    if (bulkIds.length > 0 && !bulkIds.includes(infobip.bulkId)) continue;
    yield call;
  }
}

/** Each report is handed out once. */
function listReports(carrier: Carrier, query: URLSearchParams): Answer {
  const limit = Number(query.get('limit') ?? 50);
  const results = [];
  for (const call of infobipCalls(carrier, query)) {
    if (!isOver(call) || call.isReported || results.length >= limit) continue;
    call.isReported = true;
    results.push(composeReport(call));
  }
  return { status: 200, json: { results } };
}

function listLogs(carrier: Carrier, query: URLSearchParams): Answer {
  const limit = Number(query.get('limit') ?? 50);
  const found = [...infobipCalls(carrier, query)].sort((a, b) => b.seq - a.seq).slice(0, limit);
  const results = found.map((call) => {
    const { status, error } = codesOf(call);
    return {
      bulkId: call.order.infobip?.bulkId,
      messageId: call.order.infobip?.messageId,
      to: call.to,
      from: call.from,
      text: '',
      sentAt: formatInfobipDate(call.createdAt),
      ...(isOver(call) && { doneAt: formatInfobipDate(call.endedAt) }),
      duration: talkedSeconds(call),
      mccMnc: '310410',
      price,
      status,
      error: composeError(error),
    };
  });
  return { status: 200, json: { results } };
}
