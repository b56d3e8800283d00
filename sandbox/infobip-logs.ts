// GET /sms/3/logs and /mms/2/logs: what happened to messages, for 48 hours.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Carrier } from './carrier.ts';
import { formatInfobipDate } from './dates.ts';
import { sendJson } from './http.ts';
import { parseInfobipDate } from './infobip-check.ts';
import { sendInfobipError } from './infobip-errors.ts';
import type { Message } from './message.ts';
import { parseCarrierNumber } from './numbers.ts';
import { getOutcome, outcomes } from './outcomes.ts';

const logWindowMs = 48 * 3_600_000;

export function sendLogs(
  carrier: Carrier,
  request: IncomingMessage,
  response: ServerResponse,
  mms: boolean,
): void {
  const query = new URL(request.url ?? '/', 'http://sandbox').searchParams;
  const limit = Number(query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    sendInfobipError(response, 400, [{ property: 'limit', violation: 'must be between 1 and 1000' }]);
    return;
  }
  const list = (name: string) =>
    query.getAll(name).flatMap((each) => each.split(',').filter((id) => id !== ''));
  const since = Math.max(Date.now() - logWindowMs, parseInfobipDate(query.get('sentSince')) ?? 0);
  const until = parseInfobipDate(query.get('sentUntil')) ?? Number.POSITIVE_INFINITY;
  const [ids, bulkIds] = [list('messageId'), list('bulkId')];
  const campaigns = list('campaignReferenceId');
  const [sender, destination] = [query.get('sender'), query.get('destination')];
  const general = query.get('generalStatus');
  const wanted = (message: Message) =>
    message.provider === 'infobip' &&
    message.direction === 'in' &&
    message.mms === mms &&
    message.acceptedAt >= since &&
    message.acceptedAt <= until &&
    (bulkIds.length === 0 || bulkIds.includes(message.envelope?.bulkId ?? '')) &&
    (campaigns.length === 0 || campaigns.includes(message.envelope?.campaignReferenceId ?? '')) &&
    (sender === null || message.from === (parseCarrierNumber(sender) ?? sender)) &&
    (destination === null || message.to === parseCarrierNumber(destination)) &&
    (general === null || outcomes[message.outcome]?.infobip.status.groupName === general);
  const candidates = ids.length > 0 ? ids.flatMap((id) => carrier.log.get(id) ?? []) : carrier.log.values();
  const matching = [...candidates].filter(wanted).sort((a, b) => b.seq - a.seq);
  const cursor = query.get('cursor');
  const from = cursor === null ? 0 : matching.findIndex((message) => message.seq < Number(cursor));
  const page = from < 0 ? [] : matching.slice(from, from + limit);
  const results: unknown[] = page.map(composeLog);
  // Long gone from the log, but the id is remembered forever: still an answer to "was it accepted?"
  for (const id of ids) {
    const outcome = carrier.log.get(id) ? undefined : carrier.findOutcome(id);
    if (outcome === undefined || results.length >= limit) continue;
    results.push({ messageId: id, ...getOutcome(outcome).infobip });
  }
  const more = query.get('useCursor') === 'true' && from >= 0 && matching.length > from + limit;
  const last = page.at(-1);
  sendJson(response, 200, {
    results,
    ...(query.get('useCursor') === 'true' && {
      cursor: { limit, ...(more && last && { nextCursor: String(last.seq) }) },
    }),
  });
}

function composeLog(message: Message): unknown {
  const { status, error } = getOutcome(message.outcome).infobip;
  const content = message.mms
    ? {
        messageSegments: [
          ...(message.text === '' ? [] : [{ type: 'TEXT', text: message.text }]),
          ...message.media.map(({ Url }) => ({ type: 'LINK', contentUrl: Url })),
        ],
      }
    : { text: message.text };
  return {
    sender: message.from,
    destination: message.to,
    bulkId: message.envelope?.bulkId,
    messageId: message.id,
    sentAt: formatInfobipDate(message.sentAt || message.acceptedAt),
    ...(message.endedAt > 0 && { doneAt: formatInfobipDate(message.endedAt) }),
    messageCount: message.parts,
    mccMnc: '310410',
    price: { pricePerMessage: 0.0075, currency: 'USD' },
    status,
    error,
    content,
    campaignReferenceId: message.envelope?.campaignReferenceId,
  };
}
