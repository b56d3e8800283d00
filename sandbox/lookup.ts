// Twilio's Lookup v2, the part that Muster speaks: whether a number can exist, what kind of line it is, and whose.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Carrier } from './carrier.ts';
import { drawFault } from './faults.ts';
import { sendJson } from './http.ts';
import { type Line, type LineAnswer, lineFor } from './lines.ts';
import { formatNumber, parseCarrierNumber } from './numbers.ts';
import { refuseUnlessAuthenticated, TwilioError } from './twilio.ts';

export function serveLookup(
  carrier: Carrier,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): void {
  const fault = drawFault(carrier.faults, carrier.random, {
    provider: 'twilio',
    channel: 'texts',
    sends: false,
  });
  if (fault === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  if (fault === 'tooMany') {
    response.setHeader('retry-after', carrier.faults.RetryAfterSeconds);
    throw new TwilioError(20429, 'Too Many Requests', 429);
  }
  if (fault === 'serverError') throw new TwilioError(20500, 'An internal server error has occurred', 500);
  refuseUnlessAuthenticated(carrier, request);
  if (request.method !== 'GET') throw new TwilioError(20004, 'Method not allowed', 405);
  // Each is paid for, whatever the answer.
  carrier.stats.Lookups += 1;
  const raw = decode(/^\/v2\/PhoneNumbers\/([^/]+)$/.exec(path)?.[1] ?? '');
  const number = parseCarrierNumber(raw);
  const answer = number === undefined ? 'invalid' : lineFor(number);
  if (raw === '' || answer === 'missing') {
    throw new TwilioError(20404, `The requested resource ${path} was not found`, 404);
  }
  const query = new URL(request.url ?? '', 'http://sandbox').searchParams;
  const fields = (query.get('Fields') ?? '').split(',');
  sendJson(
    response,
    200,
    compose(carrier, { raw, number, answer, withLine: fields.includes('line_type_intelligence') }),
  );
}

/** The address as it was meant; empty when it can't be read. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

function compose(
  carrier: Carrier,
  {
    raw,
    number,
    answer,
    withLine,
  }: { raw: string; number: string | undefined; answer: Exclude<LineAnswer, 'missing'>; withLine: boolean },
) {
  const isValid = answer !== 'invalid' && number !== undefined;
  const phoneNumber = number === undefined ? raw : `+${number}`;
  const isAmerican = number?.startsWith('1') === true;
  return {
    calling_country_code: isValid && isAmerican ? '1' : null,
    country_code: isValid && isAmerican ? 'US' : null,
    phone_number: phoneNumber,
    national_format: isValid ? formatNumber(number) : null,
    valid: isValid,
    validation_errors: isValid ? null : [number === undefined ? 'NOT_A_NUMBER' : 'INVALID_BUT_POSSIBLE'],
    caller_name: null,
    sim_swap: null,
    call_forwarding: null,
    line_status: null,
    line_type_intelligence: isValid && withLine ? composeLine(answer) : null,
    identity_match: null,
    reassigned_number: null,
    sms_pumping_risk: null,
    phone_number_quality_score: null,
    pre_fill: null,
    url: `${carrier.publicUrl}/v2/PhoneNumbers/${phoneNumber}`,
  };
}

/** 60600: the number is one that the provider has no data of. */
function composeLine(answer: Line | 'invalid' | 'nothing') {
  const line = typeof answer === 'object' ? answer : undefined;
  const isMobile = line?.type === 'mobile';
  return {
    error_code: line ? null : 60600,
    mobile_country_code: isMobile ? '310' : null,
    mobile_network_code: isMobile ? '410' : null,
    carrier_name: line?.carrier ?? null,
    type: line?.type ?? null,
  };
}
