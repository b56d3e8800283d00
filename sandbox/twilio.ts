// Twilio's Messages API, the part that Muster speaks: create, fetch and list messages, their media.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Carrier } from './carrier.ts';
import { formatTwilioDate } from './dates.ts';
import { delayAnswer, drawFault } from './faults.ts';
import { readBody, send, sendJson } from './http.ts';
import type { Envelope, Message } from './message.ts';
import { parseCarrierNumber } from './numbers.ts';
import { getOutcome } from './outcomes.ts';
import { ruleFor } from './rules.ts';
import { countSegments } from './segments.ts';
import { answerTwilioCalls, isCallPath } from './twilio-calls.ts';
import { twilioMediaSid } from './twilio-webhooks.ts';

export class TwilioError extends Error {
  readonly code: number;
  readonly status: number;
  constructor(code: number, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export function sendTwilioError(response: ServerResponse, { code, message, status }: TwilioError): void {
  sendJson(response, status, {
    code,
    message,
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  });
}

/** Twilio's own numbers for trying its errors out (test credentials). */
const magicTo: Readonly<Record<string, [number, (to: string) => string]>> = {
  '15005550001': [21211, (to) => `The 'To' number ${to} is not a valid phone number.`],
  '15005550002': [21612, (to) => `The 'To' phone number ${to} is not currently reachable via SMS.`],
  '15005550003': [21408, () => 'Permission to send an SMS has not been enabled for the region.'],
  '15005550004': [21610, () => 'Attempt to send to unsubscribed recipient'],
  '15005550009': [21614, (to) => `'To' number ${to} is not a valid mobile number`],
};
const magicFrom: Readonly<Record<string, [number, (from: string) => string]>> = {
  '15005550001': [21212, (from) => `The 'From' number ${from} is not a valid phone number.`],
  '15005550007': [21606, (from) => `The 'From' phone number ${from} is not a valid, SMS-capable number.`],
  '15005550008': [
    21611,
    (from) => `This 'From' number ${from} has exceeded the maximum number of queued messages.`,
  ],
};

export const notFound = (path: string) =>
  new TwilioError(20404, `The requested resource ${path} was not found`, 404);

export async function serveTwilio(
  carrier: Carrier,
  {
    request,
    response,
    path,
    hold,
  }: { request: IncomingMessage; response: ServerResponse; path: string; hold: () => void },
): Promise<void> {
  const match = /^\/2010-04-01\/Accounts\/([^/]+)\/(.+)$/.exec(path);
  const [accountSid, rest] = [match?.[1] ?? '', match?.[2] ?? ''];
  const picture = /^Messages\/((?:SM|MM)[0-9a-fA-F]{32})\/Media\/(ME[0-9a-fA-F]{32})$/.exec(rest);
  // Pictures are open to whoever knows the address, as Twilio's are unless one asks otherwise.
  if (picture && request.method === 'GET')
    return sendPicture(carrier, response, { path, messageSid: picture[1], mediaSid: picture[2] });
  const isCall = isCallPath(rest);
  const sends = request.method === 'POST' && (rest === 'Messages.json' || isCall);
  const channel = isCall ? 'calls' : 'texts';
  const fault = drawFault(carrier.faults, carrier.random, { provider: 'twilio', channel, sends });
  if (fault === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  const body = request.method === 'POST' ? (await readBody(request)).toString('utf8') : '';
  if (sends && !isCall) carrier.stats.Requests += 1;
  if (fault === 'tooMany') {
    response.setHeader('retry-after', carrier.faults.RetryAfterSeconds);
    throw new TwilioError(20429, 'Too Many Requests', 429);
  }
  if (fault === 'serverError') throw new TwilioError(20500, 'An internal server error has occurred', 500);
  if (fault === 'holdBefore') return hold();
  // Recordings, as pictures, are open to whoever knows their address.
  const isOpen = request.method === 'GET' && /^Recordings\/RE[0-9a-fA-F]{32}(\.wav)?$/.test(rest);
  if (!isOpen) refuseUnlessAuthenticated(carrier, request);
  if (accountSid !== carrier.config.twilioAccountSid) throw notFound(path);
  if (isCall) {
    const answer = answerTwilioCalls(carrier, { request, path, rest, form: new URLSearchParams(body) });
    if (fault === 'holdAfter') return hold();
    if (fault === 'resetAfter') {
      request.socket.resetAndDestroy();
      return;
    }
    await delayAnswer(carrier.faults, 'twilio', channel);
    if (answer.wav) send(response, answer.status, 'audio/x-wav', answer.wav);
    else if (answer.json === undefined) response.writeHead(answer.status).end();
    else sendJson(response, answer.status, answer.json);
    return;
  }
  if (sends) {
    const at = Date.now();
    const firstSeq = carrier.seq;
    const message = acceptTwilio(carrier, new URLSearchParams(body), at);
    carrier.journal?.accepted('twilio', at, firstSeq, body);
    carrier.events.figuresChanged();
    if (fault === 'holdAfter') return hold();
    if (fault === 'resetAfter') {
      request.socket.resetAndDestroy();
      return;
    }
    await delayAnswer(carrier.faults, 'twilio', channel);
    return sendJson(response, 201, composeResource(carrier, message));
  }
  if (request.method !== 'GET') {
    throw new TwilioError(20004, 'Method not allowed', 405);
  }
  if (rest === 'Messages.json') return sendList(carrier, request, response, path);
  const one = /^Messages\/((?:SM|MM)[0-9a-fA-F]{32})(?:\/Media(?:\/(ME[0-9a-fA-F]{32}))?)?\.json$/.exec(rest);
  const message = findMessage(carrier, one?.[1]);
  if (!one || !message) throw notFound(path);
  if (!rest.includes('/Media')) return sendJson(response, 200, composeResource(carrier, message));
  const media = message.media.map((_, index) => composeMedia(carrier, message, index));
  if (one[2] !== undefined) {
    const wanted = media.find(({ sid }) => sid === one[2]);
    if (!wanted) throw notFound(path);
    return sendJson(response, 200, wanted);
  }
  sendJson(response, 200, {
    ...composePage(path, new URLSearchParams(), {
      pageSize: 50,
      page: 0,
      size: media.length,
      nextToken: null,
    }),
    media_list: media,
  });
}

export function refuseUnlessAuthenticated(carrier: Carrier, request: IncomingMessage): void {
  const { twilioAccountSid, twilioAuthToken } = carrier.config;
  const expected = Buffer.from(
    `Basic ${Buffer.from(`${twilioAccountSid}:${twilioAuthToken}`).toString('base64')}`,
  );
  const given = Buffer.from(request.headers.authorization ?? '');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new TwilioError(20003, 'Authenticate', 401);
  }
}

/** Takes one message on or refuses it with Twilio's code. Also runs when the journal is replayed. */
export function acceptTwilio(carrier: Carrier, form: URLSearchParams, at: number): Message {
  // A plus that was not encoded arrives as a space.
  const rawTo = (form.get('To') ?? '').trim();
  // A service with an RCS sender tries RCS first. A phone that can't take it gets a text from the number beside it.
  const service = form.get('MessagingServiceSid') ?? '';
  if (service !== '' && !/^MG[0-9a-fA-F]{32}$/.test(service))
    throw refuse(carrier, 21701, 'The Messaging Service does not exist.');
  const rawFrom = (form.get(service === '' ? 'From' : 'FallbackFrom') ?? '').trim();
  const text = form.get('Body') ?? '';
  const mediaUrls = form.getAll('MediaUrl').filter((url) => url !== '');
  if (rawTo === '') throw refuse(carrier, 21604, "A 'To' phone number is required.");
  if (rawFrom === '') {
    throw refuse(carrier, 21603, "A 'From' phone number is required.");
  }
  if (text === '' && mediaUrls.length === 0) throw refuse(carrier, 21602, 'Message body is required.');
  if (text.length > 1600) {
    throw refuse(carrier, 21617, 'The concatenated message body exceeds the 1600 character limit.');
  }
  if (mediaUrls.length > 10) throw refuse(carrier, 21623, 'Number of media files exceeds allowed limit.');
  const badUrl = mediaUrls.find((url) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''));
  if (badUrl !== undefined) throw refuse(carrier, 21620, `Invalid media URL(s): ${badUrl}`);
  const callback = form.get('StatusCallback') || undefined;
  if (callback !== undefined && !/^https?:$/.test(URL.parse(callback)?.protocol ?? '')) {
    throw refuse(carrier, 21609, `The 'StatusCallback' URL ${callback} is not a valid URL.`);
  }
  const to = parseCarrierNumber(rawTo);
  const from = parseCarrierNumber(rawFrom);
  const fromTrouble = magicFrom[from ?? ''];
  if (fromTrouble) throw refuse(carrier, fromTrouble[0], fromTrouble[1](rawFrom));
  if (!from) throw refuse(carrier, 21212, `The 'From' number ${rawFrom} is not a valid phone number.`);
  const toTrouble = magicTo[to ?? ''];
  if (toTrouble) throw refuse(carrier, toTrouble[0], toTrouble[1](rawTo));
  if (!to) throw refuse(carrier, 21211, `The 'To' number ${rawTo} is not a valid phone number.`);
  const { refused, refusedByTwilio } = ruleFor(to);
  const refusal = refused ?? refusedByTwilio;
  if (refusal) throw refuse(carrier, refusal.twilio.code, refusal.twilio.message(rawTo));
  const mms = mediaUrls.length > 0;
  const envelope: Envelope = {
    reportUrl: callback,
    intermediate: true,
    reportMembers: '',
    bulkId: undefined,
    campaignReferenceId: undefined,
    ...(service !== '' && takesRcs(to) && { rcsService: service }),
  };
  const sid = (mms ? 'MM' : 'SM') + carrier.createId(carrier.seq + 1, at);
  carrier.claimKey(sid);
  return carrier.accept({
    id: sid,
    provider: 'twilio',
    mms,
    from,
    to,
    text,
    parts: countSegments(text),
    at,
    envelope,
    mediaUrls,
  });
}

/** Every second telephone: those whose number ends in an even digit. */
function takesRcs(number: string): boolean {
  return Number(number.at(-1)) % 2 === 0;
}

function refuse(carrier: Carrier, code: number, message: string): TwilioError {
  carrier.stats.Refused += 1;
  return new TwilioError(code, message);
}

function findMessage(carrier: Carrier, sid: string | undefined): Message | undefined {
  const message = carrier.log.get(sid ?? '');
  return message?.provider === 'twilio' ? message : undefined;
}

function composeResource(carrier: Carrier, message: Message): Record<string, unknown> {
  const { twilioAccountSid } = carrier.config;
  const uri = `/2010-04-01/Accounts/${twilioAccountSid}/Messages/${message.id}`;
  const { status, errorCode } = getOutcome(message.outcome).twilio;
  const inbound = message.direction === 'out';
  const sentAt = inbound ? message.acceptedAt : message.sentAt;
  return {
    account_sid: twilioAccountSid,
    api_version: '2010-04-01',
    body: message.text,
    date_created: formatTwilioDate(message.acceptedAt),
    date_sent: sentAt > 0 ? formatTwilioDate(sentAt) : null,
    date_updated: formatTwilioDate(message.endedAt || sentAt || message.acceptedAt),
    direction: inbound ? 'inbound' : 'outbound-api',
    error_code: errorCode,
    error_message: errorCode === null || inbound ? null : getOutcome(message.outcome).label,
    from: message.envelope?.rcsService === undefined ? `+${message.from}` : 'rcs:sandbox_agent',
    messaging_service_sid: message.envelope?.rcsService ?? null,
    num_media: String(message.media.length),
    num_segments: String(message.parts),
    price: message.sentAt > 0 ? '-0.00750' : null,
    price_unit: 'USD',
    sid: message.id,
    status: inbound ? 'received' : status,
    subresource_uris: { media: `${uri}/Media.json` },
    to: `+${message.to}`,
    uri: `${uri}.json`,
  };
}

function composeMedia(carrier: Carrier, message: Message, index: number) {
  const { twilioAccountSid } = carrier.config;
  const sid = twilioMediaSid(message, index);
  const date = formatTwilioDate(message.acceptedAt);
  return {
    account_sid: twilioAccountSid,
    content_type: message.media[index]?.ContentType || null,
    date_created: date,
    date_updated: date,
    parent_sid: message.id,
    sid,
    uri: `/2010-04-01/Accounts/${twilioAccountSid}/Messages/${message.id}/Media/${sid}.json`,
  };
}

function sendPicture(
  carrier: Carrier,
  response: ServerResponse,
  {
    path,
    messageSid,
    mediaSid,
  }: { path: string; messageSid: string | undefined; mediaSid: string | undefined },
): void {
  const message = findMessage(carrier, messageSid);
  const media = message?.media.find((_, index) => twilioMediaSid(message, index) === mediaSid);
  const picture = media && carrier.media.find(media.Url.replace('/media/', ''));
  if (!picture) throw notFound(path);
  send(response, 200, picture.contentType, picture.bytes);
}

function sendList(carrier: Carrier, request: IncomingMessage, response: ServerResponse, path: string): void {
  const { query, pageSize, page, before } = readPage(request, 'PASM');
  const [to, from] = [query.get('To'), query.get('From')];
  const inDates = dateFilter(query);
  const found: Message[] = [];
  for (const message of carrier.log.values()) {
    if (
      message.provider === 'twilio' &&
      message.seq < before &&
      (to === null || message.to === parseCarrierNumber(to)) &&
      (from === null ||
        (message.from === parseCarrierNumber(from) && message.envelope?.rcsService === undefined)) &&
      inDates(message)
    ) {
      found.push(message);
    }
  }
  found.sort((a, b) => b.seq - a.seq);
  const messages = found.slice(0, pageSize);
  const last = found.length > pageSize ? messages.at(-1) : undefined;
  const token = last ? `PASM${last.seq}` : null;
  sendJson(response, 200, {
    ...composePage(path, query, { pageSize, page, size: messages.length, nextToken: token }),
    messages: messages.map((message) => composeResource(carrier, message)),
  });
}

/** The page that is asked for: everything older than the last one of the page before, whatever arrives meanwhile. */
export function readPage(request: IncomingMessage, prefix: string) {
  const query = new URL(request.url ?? '/', 'http://sandbox').searchParams;
  const pageSize = Number(query.get('PageSize') ?? 50);
  const page = Number(query.get('Page') ?? 0);
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 1000 || !Number.isInteger(page) || page < 0) {
    throw new TwilioError(20001, 'Page size must be from 1 to 1000');
  }
  const token = query.get('PageToken') ?? '';
  const before = token.startsWith(prefix) ? Number(token.slice(prefix.length)) : Number.POSITIVE_INFINITY;
  return { query, pageSize, page, before };
}

/** DateSent, DateSent< and DateSent> by GMT days; what is not sent yet has no such date and is left out. */
function dateFilter(query: URLSearchParams): (message: Message) => boolean {
  const read = (name: string) => {
    const raw = query.get(name);
    if (raw === null) return undefined;
    const ms = Date.parse(raw);
    if (Number.isNaN(ms)) throw new TwilioError(20001, `${name} must be a date such as 2026-11-20`);
    return { ms, wholeDay: /^\d{4}-\d{2}-\d{2}$/.test(raw) };
  };
  const [on, until, since] = [read('DateSent'), read('DateSent<'), read('DateSent>')];
  if (!on && !until && !since) return () => true;
  const dayMs = 86_400_000;
  return (message) => {
    const sentAt = message.direction === 'out' ? message.acceptedAt : message.sentAt;
    if (sentAt === 0) return false;
    if (on && (sentAt < on.ms || sentAt >= on.ms + dayMs)) return false;
    if (until && sentAt >= until.ms + (until.wholeDay ? dayMs : 1)) return false;
    return !since || sentAt >= since.ms;
  };
}

export function composePage(
  path: string,
  query: URLSearchParams,
  {
    pageSize,
    page,
    size,
    nextToken,
  }: { pageSize: number; page: number; size: number; nextToken: string | null },
) {
  const link = (number: number, token: string | null) => {
    const parameters = new URLSearchParams(query);
    parameters.set('PageSize', String(pageSize));
    parameters.set('Page', String(number));
    parameters.delete('PageToken');
    if (token !== null) parameters.set('PageToken', token);
    return `${path}?${parameters}`;
  };
  return {
    first_page_uri: link(0, null),
    end: page * pageSize + Math.max(0, size - 1),
    next_page_uri: nextToken === null ? null : link(page + 1, nextToken),
    page,
    page_size: pageSize,
    previous_page_uri: page === 0 ? null : link(page - 1, null),
    start: page * pageSize,
    uri: link(page, query.get('PageToken')),
  };
}
