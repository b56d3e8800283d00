// Twilio's Calls API, the part that Muster speaks: create, fetch, list, change and delete calls, recordings, caller IDs.
import type { IncomingMessage } from 'node:http';
import { type Call, type CallOrder, isOver, talkedSeconds } from './call.ts';
import { attemptKey } from './call-ends.ts';
import { twimlScript } from './call-flow.ts';
import type { HookMethod } from './call-hooks.ts';
import { type CallerId, mayShow, startVerification } from './caller-ids.ts';
import type { Carrier } from './carrier.ts';
import { formatTwilioDate } from './dates.ts';
import { formatNumber, parseCarrierNumber } from './numbers.ts';
import { deleteRecording, findRecording, listRecordings } from './recordings.ts';
import { composePage, notFound, readPage, TwilioError } from './twilio.ts';
import { DocumentError, parseTwiml } from './twiml.ts';

/** Twilio's own numbers for trying its errors out (test credentials). */
const magicTo: Readonly<Record<string, [number, (to: string) => string]>> = {
  '15005550001': [21217, (to) => `Phone number ${to} does not appear to be valid`],
  '15005550002': [21214, (to) => `The phone number ${to} you are attempting to call cannot be reached.`],
  '15005550003': [21215, (to) => `Account not authorized to call ${to}.`],
  '15005550004': [21216, () => 'Account not allowed to call this number.'],
};

const createNames = new Set([
  'To',
  'From',
  'Url',
  'Method',
  'Twiml',
  'FallbackUrl',
  'FallbackMethod',
  'StatusCallback',
  'StatusCallbackEvent',
  'StatusCallbackMethod',
  'SendDigits',
  'Timeout',
  'TimeLimit',
  'MachineDetection',
  'MachineDetectionTimeout',
  'MachineDetectionSpeechThreshold',
  'MachineDetectionSpeechEndThreshold',
  'MachineDetectionSilenceTimeout',
  'AsyncAmd',
  'AsyncAmdStatusCallback',
  'AsyncAmdStatusCallbackMethod',
  'CallReason',
]);
const updateNames = new Set([
  'Url',
  'Method',
  'Twiml',
  'Status',
  'FallbackUrl',
  'FallbackMethod',
  'TimeLimit',
]);
const events = new Set(['initiated', 'ringing', 'answered', 'completed']);
const invalidParameter = 20001;

export const isCallPath = (rest: string) => /^(Calls|Recordings|OutgoingCallerIds)\b/.test(rest);

type Arrival = {
  request: IncomingMessage;
  /** The whole path, and what follows the account. */
  path: string;
  rest: string;
  form: URLSearchParams;
};

export type TwilioAnswer = { status: number; json?: unknown; wav?: Buffer };

/** Does what is asked; whoever calls this has checked who asks. Throws TwilioError. */
export function answerTwilioCalls(carrier: Carrier, arrival: Arrival): TwilioAnswer {
  const { request, path, rest, form } = arrival;
  const { exchange } = carrier;
  const method = request.method ?? 'GET';
  if (rest === 'Calls.json') {
    if (method === 'POST') return answer(201, composeCreated(carrier, createCall(carrier, form)));
    if (method === 'GET') return listCalls(carrier, arrival);
  }
  const one = /^Calls\/(CA[0-9a-fA-F]{32})(\/Recordings)?\.json$/.exec(rest);
  if (one) {
    const call = exchange.log.get(one[1] ?? '');
    if (call?.provider !== 'twilio') throw notFound(path);
    if (one[2] !== undefined) return listCallRecordings(carrier, arrival, call);
    if (method === 'GET') return answer(200, composeCall(carrier, call));
    if (method === 'POST') {
      changeCall(carrier, call, form);
      return answer(200, composeCall(carrier, call));
    }
    if (method === 'DELETE') {
      if (!isOver(call))
        throw new TwilioError(20009, 'Cannot delete this resource before it is complete', 409);
      exchange.log.delete(call.sid);
      return { status: 204 };
    }
  }
  const recording = /^Recordings\/(RE[0-9a-fA-F]{32})(\.json|\.wav)?$/.exec(rest);
  if (recording) {
    const found = findRecording(exchange, recording[1] ?? '');
    if (!found) throw notFound(path);
    if (method === 'DELETE') {
      deleteRecording(exchange, found.sid);
      return { status: 204 };
    }
    if (method === 'GET' && recording[2] === '.json') {
      return answer(200, composeRecording(carrier, found));
    }
    if (method === 'GET') return { status: 200, wav: found.wav };
  }
  if (rest.startsWith('OutgoingCallerIds')) return answerCallerIds(carrier, arrival);
  if (one || recording || rest === 'Calls.json') throw new TwilioError(20004, 'Method not allowed', 405);
  throw notFound(path);
}

const answer = (status: number, json: unknown): TwilioAnswer => ({ status, json });

function refuseUnknownNames(form: URLSearchParams, known: ReadonlySet<string>): void {
  for (const name of form.keys()) {
    if (!known.has(name)) throw new TwilioError(invalidParameter, `Unexpected parameter '${name}'`);
  }
}

function readAddress(form: URLSearchParams, name: string, code: number): string | undefined {
  const raw = form.get(name);
  if (raw === null || raw === '') return undefined;
  if (!/^https?:$/.test(URL.parse(raw)?.protocol ?? '')) {
    throw new TwilioError(code, `${name} is not a valid URL: ${raw}`);
  }
  return raw;
}

function readMethod(form: URLSearchParams, name: string): HookMethod | undefined {
  return readChoice(form, name, ['GET', 'POST']);
}

function readWhole(form: URLSearchParams, name: string, min: number, max: number): number | undefined {
  const raw = form.get(name);
  if (raw === null || raw === '') return undefined;
  const value = Number(raw);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new TwilioError(invalidParameter, `${name} must be a whole number from ${min} to ${max}: ${raw}`);
  }
  return value;
}

function readChoice<T extends string>(
  form: URLSearchParams,
  name: string,
  choices: readonly T[],
): T | undefined {
  const raw = form.get(name) || undefined;
  const choice = choices.find((each) => each === raw);
  if (raw !== choice)
    throw new TwilioError(invalidParameter, `${name} must be ${choices.join(' or ')}: ${raw}`);
  return choice;
}

function readTwiml(form: URLSearchParams): string | undefined {
  const twiml = form.get('Twiml');
  if (twiml === null || twiml === '') return undefined;
  if (twiml.length > 4000) throw new TwilioError(invalidParameter, 'Twiml must be at most 4000 characters');
  try {
    parseTwiml(twiml);
  } catch (error) {
    if (error instanceof DocumentError && error.code === 12100) throw new TwilioError(12100, error.message);
  }
  return twiml;
}

function readOrder(form: URLSearchParams): CallOrder {
  const url = readAddress(form, 'Url', 21205);
  const twiml = readTwiml(form);
  if (url === undefined && twiml === undefined) {
    throw new TwilioError(21205, "One of 'Url' or 'Twiml' is required.");
  }
  const detection = readChoice(form, 'MachineDetection', ['Enable', 'DetectMessageEnd']);
  const isAsync = readChoice(form, 'AsyncAmd', ['true', 'false']) === 'true';
  const wanted = form.getAll('StatusCallbackEvent').flatMap((names) => names.split(' '));
  const odd = wanted.find((name) => !events.has(name));
  if (odd !== undefined) throw new TwilioError(21626, `Invalid StatusCallbackEvent: ${odd}`);
  const sendDigits = form.get('SendDigits') || undefined;
  if (sendDigits !== undefined && !/^[0-9A-D#*wW]{1,32}$/.test(sendDigits)) {
    throw new TwilioError(21207, `Invalid SendDigits: ${sendDigits}`);
  }
  readWhole(form, 'MachineDetectionSpeechThreshold', 1000, 6000);
  readWhole(form, 'MachineDetectionSpeechEndThreshold', 500, 5000);
  readWhole(form, 'MachineDetectionSilenceTimeout', 2000, 10_000);
  readMethod(form, 'FallbackMethod');
  return {
    url,
    method: readMethod(form, 'Method'),
    twiml: url === undefined ? twiml : undefined,
    fallbackUrl: readAddress(form, 'FallbackUrl', 21205),
    statusCallback: readAddress(form, 'StatusCallback', 21609),
    statusMethod: readMethod(form, 'StatusCallbackMethod'),
    statusEvents: wanted.length > 0 ? wanted : ['completed'],
    timeoutSeconds: readWhole(form, 'Timeout', 1, 600) ?? 60,
    timeLimitSeconds: readWhole(form, 'TimeLimit', 1, 86_400),
    sendDigits,
    detects: detection,
    detectsAsync: detection !== undefined && isAsync,
    detectsUrl: readAddress(form, 'AsyncAmdStatusCallback', 21205),
    detectsMethod: readMethod(form, 'AsyncAmdStatusCallbackMethod'),
    detectTimeoutSeconds: readWhole(form, 'MachineDetectionTimeout', 3, 59),
  };
}

/** Takes a call on or refuses it with Twilio's code. */
function createCall(carrier: Carrier, form: URLSearchParams): Call {
  try {
    return acceptCall(carrier, form);
  } catch (error) {
    if (error instanceof TwilioError) carrier.stats.CallsRefused += 1;
    throw error;
  }
}

function acceptCall(carrier: Carrier, form: URLSearchParams): Call {
  const { exchange, settings } = carrier;
  refuseUnknownNames(form, createNames);
  // A plus that was not encoded arrives as a space.
  const rawTo = (form.get('To') ?? '').trim();
  const rawFrom = (form.get('From') ?? '').trim();
  if (rawTo === '') throw new TwilioError(21201, "No 'To' number specified");
  if (rawFrom === '') throw new TwilioError(21213, "No 'From' number specified");
  const order = readOrder(form);
  const from = parseCarrierNumber(rawFrom);
  const to = parseCarrierNumber(rawTo);
  if (!from || from === '15005550001') {
    throw new TwilioError(21212, `The 'From' number ${rawFrom} is not a valid phone number.`);
  }
  const trouble = magicTo[to ?? ''];
  if (trouble) throw new TwilioError(trouble[0], trouble[1](rawTo));
  if (!to) throw new TwilioError(21211, `The 'To' number ${rawTo} is not a valid phone number.`);
  if (!mayShow(carrier, from)) {
    throw new TwilioError(
      21210,
      `The source phone number provided, ${rawFrom}, is not yet verified for your account.`,
    );
  }
  if (exchange.inFlight + exchange.queued >= settings.MostCallsAtOnce) {
    throw new TwilioError(10004, 'Call concurrency limit exceeded', 429);
  }
  const call = exchange.place({
    provider: 'twilio',
    from,
    to,
    order,
    script: twimlScript(
      order.url === undefined
        ? { twiml: order.twiml ?? '' }
        : { url: order.url, method: order.method ?? 'POST' },
    ),
  });
  exchange.claimAttempt(attemptKey(call));
  carrier.events.figuresChanged();
  return call;
}

function changeCall(carrier: Carrier, call: Call, form: URLSearchParams): void {
  const { exchange } = carrier;
  refuseUnknownNames(form, updateNames);
  const status = readChoice(form, 'Status', ['canceled', 'completed']);
  const url = readAddress(form, 'Url', 21205);
  const twiml = readTwiml(form);
  const method = readMethod(form, 'Method') ?? 'POST';
  if (url !== undefined && twiml !== undefined) {
    throw new TwilioError(21218, 'Url and Twiml are mutually exclusive');
  }
  const line = exchange.lines.get(call.sid);
  const isUp = call.status === 'in-progress';
  if (status !== undefined) {
    if (!line || (status === 'canceled' && isUp)) {
      throw new TwilioError(21220, `Call is ${call.status}. Cannot set status to ${status}.`);
    }
    if (isUp) exchange.end(line, 'completed');
    // A call that never left the queue ends without a word.
    else exchange.end(line, 'canceled', { sip: 487, result: 'Canceled', isTold: call.startedAt > 0 });
    return;
  }
  if (url === undefined && twiml === undefined) return;
  if (!line || !isUp) throw new TwilioError(21220, 'Call is not in-progress. Cannot redirect.');
  exchange.note(call, 'The caller goes on with another message');
  line.play(twimlScript(url === undefined ? { twiml: twiml ?? '' } : { url, method }));
}

/** Right after its creation Twilio knows no dates of a call. */
function composeCreated(carrier: Carrier, call: Call): Record<string, unknown> {
  return { ...composeCall(carrier, call), date_created: null, date_updated: null };
}

function composeCall(carrier: Carrier, call: Call): Record<string, unknown> {
  const { twilioAccountSid } = carrier.config;
  const uri = `/2010-04-01/Accounts/${twilioAccountSid}/Calls/${call.sid}`;
  const date = (ms: number) => (ms > 0 ? formatTwilioDate(ms) : null);
  const seconds = talkedSeconds(call);
  return {
    sid: call.sid,
    date_created: date(call.createdAt),
    date_updated: date(call.endedAt || call.answeredAt || call.startedAt || call.createdAt),
    parent_call_sid: call.parentSid ?? null,
    account_sid: twilioAccountSid,
    to: `+${call.to}`,
    to_formatted: formatNumber(call.to),
    from: `+${call.from}`,
    from_formatted: formatNumber(call.from),
    phone_number_sid: null,
    status: call.status,
    start_time: date(call.answeredAt || call.startedAt),
    end_time: date(call.endedAt),
    duration: isOver(call) ? String(seconds) : null,
    price: isOver(call) && call.answeredAt > 0 ? `-${(Math.ceil(seconds / 60) * 0.014).toFixed(5)}` : null,
    price_unit: 'USD',
    direction: call.direction,
    answered_by: call.answeredBy ?? null,
    api_version: '2010-04-01',
    forwarded_from: null,
    group_sid: null,
    caller_name: null,
    queue_time: String(call.queueMs),
    trunk_sid: null,
    uri: `${uri}.json`,
    subresource_uris: { recordings: `${uri}/Recordings.json` },
  };
}

function listCalls(carrier: Carrier, { request, path }: Arrival): TwilioAnswer {
  const { query, pageSize, page, before } = readPage(request, 'PACA');
  const to = query.get('To');
  const from = query.get('From');
  const status = query.get('Status');
  const parent = query.get('ParentCallSid');
  const inStart = timeFilter(query, 'StartTime');
  const inEnd = timeFilter(query, 'EndTime');
  const found: Call[] = [];
  for (const call of carrier.exchange.log.values()) {
    if (
      call.provider === 'twilio' &&
      call.seq < before &&
      (to === null || call.to === parseCarrierNumber(to)) &&
      (from === null || call.from === parseCarrierNumber(from)) &&
      (status === null || call.status === status) &&
      (parent === null || call.parentSid === parent) &&
      inStart(call.answeredAt || call.startedAt) &&
      inEnd(call.endedAt)
    ) {
      found.push(call);
    }
  }
  found.sort((a, b) => b.seq - a.seq);
  const calls = found.slice(0, pageSize);
  const last = found.length > pageSize ? calls.at(-1) : undefined;
  return answer(200, {
    ...composePage(path, query, {
      pageSize,
      page,
      size: calls.length,
      nextToken: last ? `PACA${last.seq}` : null,
    }),
    calls: calls.map((call) => composeCall(carrier, call)),
  });
}

/** Calls that have no such time yet are left out, as at Twilio. */
function timeFilter(query: URLSearchParams, name: string): (ms: number) => boolean {
  const read = (suffix: string) => {
    const raw = query.get(name + suffix);
    if (raw === null) return undefined;
    const ms = Date.parse(raw);
    if (Number.isNaN(ms)) throw new TwilioError(invalidParameter, `${name}${suffix} must be a date`);
    return { ms, lastMs: ms + (/^\d{4}-\d{2}-\d{2}$/.test(raw) ? 86_400_000 : 1) };
  };
  const [on, until, since] = [read(''), read('<'), read('>')];
  if (!on && !until && !since) return () => true;
  return (ms) =>
    ms > 0 &&
    (!on || (ms >= on.ms && ms < on.lastMs)) &&
    (!until || ms < until.lastMs) &&
    (!since || ms >= since.ms);
}

function composeRecording(carrier: Carrier, recording: ReturnType<typeof findRecording> & object) {
  const { twilioAccountSid } = carrier.config;
  const date = formatTwilioDate(recording.startedAt);
  return {
    account_sid: twilioAccountSid,
    api_version: '2010-04-01',
    call_sid: recording.callSid,
    conference_sid: null,
    date_created: date,
    date_updated: date,
    start_time: date,
    duration: String(Math.round(recording.seconds)),
    sid: recording.sid,
    price: '-0.00250',
    price_unit: 'USD',
    uri: `/2010-04-01/Accounts/${twilioAccountSid}/Recordings/${recording.sid}.json`,
    encryption_details: null,
    status: 'completed',
    channels: 1,
    source: 'RecordVerb',
    error_code: null,
    track: 'inbound',
  };
}

function listCallRecordings(carrier: Carrier, { request, path }: Arrival, call: Call): TwilioAnswer {
  if (request.method !== 'GET') throw new TwilioError(20004, 'Method not allowed', 405);
  const recordings = listRecordings(carrier.exchange, call.sid);
  return answer(200, {
    ...composePage(path, new URLSearchParams(), {
      pageSize: 50,
      page: 0,
      size: recordings.length,
      nextToken: null,
    }),
    recordings: recordings.map((recording) => composeRecording(carrier, recording)),
  });
}

function composeCallerId(carrier: Carrier, { sid, number, name, createdAt, updatedAt }: CallerId) {
  const { twilioAccountSid } = carrier.config;
  return {
    sid,
    account_sid: twilioAccountSid,
    friendly_name: name,
    phone_number: `+${number}`,
    date_created: formatTwilioDate(createdAt),
    date_updated: formatTwilioDate(updatedAt),
    uri: `/2010-04-01/Accounts/${twilioAccountSid}/OutgoingCallerIds/${sid}.json`,
  };
}

function answerCallerIds(carrier: Carrier, { request, path, rest, form }: Arrival): TwilioAnswer {
  const method = request.method ?? 'GET';
  if (rest === 'OutgoingCallerIds.json') {
    if (method === 'GET') {
      const query = new URL(request.url ?? '/', 'http://sandbox').searchParams;
      const number = query.get('PhoneNumber');
      const name = query.get('FriendlyName');
      const found = [...carrier.callerIds.values()].filter(
        (callerId) =>
          (number === null || callerId.number === parseCarrierNumber(number.trim())) &&
          (name === null || callerId.name === name),
      );
      const page = { pageSize: 50, page: 0, size: found.length, nextToken: null };
      return answer(200, {
        ...composePage(path, query, page),
        outgoing_caller_ids: found.map((callerId) => composeCallerId(carrier, callerId)),
      });
    }
    if (method === 'POST') return verify(carrier, form);
  }
  const sid = /^OutgoingCallerIds\/(PN[0-9a-fA-F]{32})\.json$/.exec(rest)?.[1];
  const callerId = carrier.callerIds.get(sid ?? '');
  if (!callerId) throw notFound(path);
  if (method === 'DELETE') {
    carrier.callerIds.delete(callerId.sid);
    carrier.journal?.callerIdDeleted(callerId.sid);
    return { status: 204 };
  }
  if (method === 'POST') {
    callerId.name = form.get('FriendlyName') ?? callerId.name;
    callerId.updatedAt = Date.now();
    carrier.journal?.callerId(callerId);
  } else if (method !== 'GET') throw new TwilioError(20004, 'Method not allowed', 405);
  return answer(200, composeCallerId(carrier, callerId));
}

function verify(carrier: Carrier, form: URLSearchParams): TwilioAnswer {
  const known = [
    'PhoneNumber',
    'FriendlyName',
    'CallDelay',
    'Extension',
    'StatusCallback',
    'StatusCallbackMethod',
  ];
  refuseUnknownNames(form, new Set(known));
  const raw = (form.get('PhoneNumber') ?? '').trim();
  const number = parseCarrierNumber(raw);
  if (!number) throw new TwilioError(21401, `PhoneNumber is not valid: ${raw}`);
  if (mayShow(carrier, number))
    throw new TwilioError(21450, 'Phone number already validated for your account');
  const { callSid, code, name } = startVerification(carrier, {
    number,
    name: form.get('FriendlyName') || undefined,
    statusCallback: readAddress(form, 'StatusCallback', 21609),
  });
  return answer(200, {
    account_sid: carrier.config.twilioAccountSid,
    phone_number: `+${number}`,
    friendly_name: name,
    validation_code: code,
    call_sid: callSid,
  });
}
