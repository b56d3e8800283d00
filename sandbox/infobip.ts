// Infobip's HTTP API, the part that Muster speaks: send SMS and MMS, look up what happened to them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Carrier } from './carrier.ts';
import { delayAnswer, drawFault } from './faults.ts';
import { readBody, send } from './http.ts';
import { checkSend, parseInfobipDate, type Segment, type SendRequest } from './infobip-check.ts';
import { sendInfobipError } from './infobip-errors.ts';
import { sendLogs } from './infobip-logs.ts';
import { composeReportMembers } from './infobip-webhooks.ts';
import type { Envelope } from './message.ts';
import { parseCarrierNumber } from './numbers.ts';
import { getOutcome, infobipStatus, pending } from './outcomes.ts';
import { ruleFor } from './rules.ts';
import { countSegments } from './segments.ts';

const accepted = JSON.stringify(getOutcome(pending).infobip.status);

function rejected(id: number, name: string, description: string): string {
  return JSON.stringify(infobipStatus('REJECTED', id, name, description));
}
const duplicate = rejected(23, 'REJECTED_DUPLICATE_MESSAGE_ID', 'Duplicate message ID');
const missingTo = rejected(51, 'MISSING_TO', 'Missing destination');
const invalidTo = rejected(52, 'REJECTED_DESTINATION', 'Invalid destination address');
const tooLong = rejected(25, 'REJECTED_MESSAGE_TOO_LONG', 'Message too long');
const tooLongMms = rejected(77, 'REJECTED_MESSAGE_TEXT_TOO_LONG', 'Message text too long');

export async function serveInfobip(
  carrier: Carrier,
  {
    request,
    response,
    path,
    hold,
  }: { request: IncomingMessage; response: ServerResponse; path: string; hold: () => void },
): Promise<void> {
  const sends = request.method === 'POST' && (path === '/sms/3/messages' || path === '/mms/2/messages');
  const fault = drawFault(carrier.faults, carrier.random, {
    provider: 'infobip',
    channel: 'texts',
    sends,
  });
  if (fault === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  const body = sends ? await readBody(request) : undefined;
  if (sends) carrier.stats.Requests += 1;
  if (fault === 'tooMany') {
    response.setHeader('retry-after', carrier.faults.RetryAfterSeconds);
    return sendInfobipError(response, 429);
  }
  if (fault === 'serverError') return sendInfobipError(response, 500);
  if (fault === 'holdBefore') return hold();
  if (request.headers.authorization !== `App ${carrier.config.infobipApiKey}`) {
    return sendInfobipError(response, 401);
  }
  if (body !== undefined) {
    const at = Date.now();
    const parsed = parseJson(body);
    const violations = checkSend(parsed, path === '/mms/2/messages');
    if (violations.length > 0) return sendInfobipError(response, 400, violations);
    const firstSeq = carrier.seq;
    const reply = acceptInfobip(carrier, parsed as SendRequest, at);
    carrier.journal?.accepted('infobip', at, firstSeq, body);
    carrier.events.figuresChanged();
    if (fault === 'holdAfter') return hold();
    if (fault === 'resetAfter') {
      request.socket.resetAndDestroy();
      return;
    }
    await delayAnswer(carrier.faults, 'infobip', 'texts');
    return send(response, 200, 'application/json', reply);
  }
  if (request.method === 'GET' && (path === '/sms/3/logs' || path === '/mms/2/logs')) {
    return sendLogs(carrier, request, response, path === '/mms/2/logs');
  }
  sendInfobipError(response, 404);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Takes the messages of a checked request on and gives the reply. Also runs when the journal is replayed. */
export function acceptInfobip(carrier: Carrier, body: SendRequest, at: number): string {
  const schedule = body.options?.schedule;
  const bulkId = schedule?.bulkId ?? carrier.createId(carrier.seq + 1, at);
  const notBefore = parseInfobipDate(schedule?.sendAt) ?? 0;
  let replies = '';
  let envelope: SharedEnvelope | undefined;
  for (const { sender = '', destinations, content, options, webhooks } of body.messages) {
    const segments = content.messageSegments;
    const mms = segments !== undefined;
    const text = segments ? joinText(segments) : (content.text ?? '');
    const mediaUrls = segments ? segments.flatMap((each) => each.contentUrl ?? []) : [];
    const parts = mms ? 1 : countSegments(text);
    const from = parseCarrierNumber(sender) ?? sender;
    envelope = shareEnvelope(envelope, {
      sender,
      url: webhooks?.delivery?.notify === false ? undefined : webhooks?.delivery?.url,
      intermediate: webhooks?.delivery?.intermediateReport === true,
      callbackData: webhooks?.callbackData,
      bulkId,
      campaignReferenceId: options?.campaignReferenceId,
    });
    const overlong = mms ? text.length > 1600 : parts > 25;
    const recipients = mms ? destinations.flatMap((each) => each.group ?? each) : destinations;
    for (const { to: raw = '', messageId } of recipients) {
      const id = messageId || carrier.createId(carrier.seq + 1, at);
      const to = parseCarrierNumber(raw);
      let status = accepted;
      if (raw === '') status = missingTo;
      else if (to === undefined) status = invalidTo;
      else if (overlong) status = mms ? tooLongMms : tooLong;
      else {
        const { refused } = ruleFor(to);
        if (refused) status = rejected(refused.infobip.id, refused.infobip.name, refused.infobip.description);
        else if (carrier.claimKey(id)) {
          carrier.accept({
            id,
            provider: 'infobip',
            mms,
            from,
            to,
            text,
            parts,
            at,
            envelope,
            mediaUrls,
            notBefore,
          });
        } else status = duplicate;
      }
      if (status === duplicate) carrier.stats.DuplicatesByKey += 1;
      else if (status !== accepted) carrier.stats.Refused += 1;
      replies +=
        `${replies === '' ? '' : ','}{"messageId":${JSON.stringify(id)},"status":${status},` +
        `"destination":${JSON.stringify(to ?? raw)},"details":{"messageCount":${parts}}}`;
    }
  }
  return `{"bulkId":${JSON.stringify(bulkId)},"messages":[${replies}]}`;
}

type Reporting = {
  sender: string;
  url: string | undefined;
  intermediate: boolean;
  callbackData: string | undefined;
  bulkId: string;
  campaignReferenceId: string | undefined;
};
type SharedEnvelope = Envelope & { sender: string; callbackData: string | undefined };

/**
 * The envelope before when it says the same. A thousand messages with a text each mostly do, and an
 * envelope of their own would cost each of them half of its memory.
 */
function shareEnvelope(last: SharedEnvelope | undefined, wanted: Reporting): SharedEnvelope {
  const { sender, url, intermediate, callbackData, bulkId, campaignReferenceId } = wanted;
  if (
    last !== undefined &&
    last.sender === sender &&
    last.reportUrl === url &&
    last.intermediate === intermediate &&
    last.callbackData === callbackData &&
    last.campaignReferenceId === campaignReferenceId
  ) {
    return last;
  }
  const shared = { bulkId, campaignReferenceId };
  const reportMembers = composeReportMembers(sender, callbackData, shared);
  return { sender, callbackData, reportUrl: url, intermediate, reportMembers, ...shared };
}

function joinText(segments: readonly Segment[]): string {
  return segments.flatMap((segment) => (segment.type === 'TEXT' ? (segment.text ?? '') : [])).join('\n');
}
