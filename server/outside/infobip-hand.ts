import { nowMs } from '../clock.ts';
import type { HandOver, OutboundText } from './carrier.ts';
import { type CarrierLine, type Exchange, handMs, isRecord, parseObject } from './carrier-line.ts';
import { describeInfobipCode } from './infobip-hooks.ts';
import { infobipDuplicate, infobipTextStatus } from './status-codes.ts';

/** Texts with the same sender and content are sent as one message with many destinations. */
interface Message {
  texts: OutboundText[];
}

type Settled = Map<string, HandOver>;

const wrongSettingMs = 30_000;

/** Writes the outcome of every text into `settled`. */
export async function handToInfobip(
  line: CarrierLine,
  receiptsUrl: string,
  texts: OutboundText[],
  settled: Settled,
): Promise<void> {
  const plain = texts.filter(({ mediaUrls }) => mediaUrls.length === 0);
  const pictured = plain.length === texts.length ? [] : texts.filter(({ mediaUrls }) => mediaUrls.length > 0);
  const webhooks = {
    delivery: { url: receiptsUrl, intermediateReport: false },
    contentType: 'application/json',
  };
  await Promise.all([
    handAll(line, '/sms/3/messages', { webhooks, texts: plain, settled }),
    handAll(line, '/mms/2/messages', { webhooks, texts: pictured, settled }),
  ]);
}

async function handAll(
  line: CarrierLine,
  path: string,
  { webhooks, texts, settled }: { webhooks: object; texts: OutboundText[]; settled: Settled },
): Promise<void> {
  const batches = texts.length === 0 ? [] : [texts];
  const untilMs = nowMs() + handMs;
  for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
    if (nowMs() > untilMs) {
      settleLater(batch, settled, {
        afterMs: 0,
        reason: 'The carrier refused a request; there was no time to find out why.',
        isCarrierDown: false,
      });
      continue;
    }
    const messages = mergeTexts(batch);
    const exchange = await line.post(path, 'application/json', composeRequest(messages, webhooks));
    const verdict = settleExchange(exchange, messages, batch, settled);
    if (verdict === 'halve') {
      const middle = batch.length >> 1;
      batches.push(batch.slice(middle), batch.slice(0, middle));
    } else if (verdict !== 'done') {
      for (const rest of batches.splice(0))
        settleLater(rest, settled, { afterMs: verdict.pauseMs, reason: verdict.reason, isCarrierDown: true });
    }
  }
}

function mergeTexts(texts: OutboundText[]): Message[] {
  const messages: Message[] = [];
  const byContent = new Map<string, Message>();
  for (const text of texts) {
    const content = `${text.from}\0${text.body}\0${text.mediaUrls.join('\0')}`;
    const message = byContent.get(content);
    if (message !== undefined) message.texts.push(text);
    else {
      const created = { texts: [text] };
      byContent.set(content, created);
      messages.push(created);
    }
  }
  return messages;
}

function composeRequest(messages: Message[], webhooks: object): string {
  return JSON.stringify({
    messages: messages.map(({ texts }) => {
      const [first] = texts;
      return {
        sender: first?.from,
        destinations: texts.map(({ to, key }) => ({ to, messageId: key })),
        content:
          first === undefined || first.mediaUrls.length === 0 ? { text: first?.body } : composeMms(first),
        webhooks,
      };
    }),
  });
}

function composeMms({ body, mediaUrls }: OutboundText) {
  return {
    messageSegments: [
      ...(body === '' ? [] : [{ type: 'TEXT', text: body }]),
      ...mediaUrls.map((contentUrl) => ({ type: 'LINK', contentUrl })),
    ],
  };
}

/** `halve`: the request was refused without naming the cause. A pause: the rest isn't worth a try now. */
type Verdict = 'done' | 'halve' | { pauseMs: number; reason: string };

function settleExchange(
  exchange: Exchange,
  messages: Message[],
  texts: OutboundText[],
  settled: Settled,
): Verdict {
  const doubt = (reason: string): Verdict => {
    for (const { key } of texts) settled.set(key, { key, outcome: 'doubt', reason });
    return { pauseMs: 1000, reason };
  };
  const later = (pauseMs: number, reason: string): Verdict => {
    settleLater(texts, settled, { afterMs: pauseMs, reason, isCarrierDown: true });
    return { pauseMs, reason };
  };
  if (exchange.kind === 'lost') return doubt(`No answer of the carrier: ${exchange.reason}.`);
  if (exchange.kind === 'unsent') return later(1000, `The carrier can’t be reached: ${exchange.reason}.`);
  const { status, text: reply, retryAfterMs } = exchange;
  if (status >= 200 && status < 300) {
    const entries = parseObject(reply)?.messages;
    if (!Array.isArray(entries)) return doubt('The carrier gave an answer that could not be read.');
    settleEntries(entries, texts, settled);
    return 'done';
  }
  if (status === 429) return later(retryAfterMs ?? 1000, 'The carrier asks for a pause (429).');
  if (status === 401 || status === 403) {
    return later(wrongSettingMs, `The carrier refuses the credentials (${status}).`);
  }
  if (status === 400 || status === 413 || status === 422) {
    return settleViolations(messages, texts, settled, { status, reply });
  }
  if (status === 408 || status >= 500) return doubt(`The carrier answered with an error (${status}).`);
  return later(wrongSettingMs, `The carrier’s address seems to be wrong: it answered ${status}.`);
}

function settleEntries(entries: unknown[], texts: OutboundText[], settled: Settled): void {
  for (const entry of entries) {
    if (!isRecord(entry) || !isRecord(entry.status) || typeof entry.messageId !== 'string') continue;
    const outcome = readEntry(entry.messageId, entry.status);
    if (outcome !== undefined) settled.set(outcome.key, outcome);
  }
  for (const { key } of texts) {
    if (!settled.has(key)) {
      settled.set(key, { key, outcome: 'doubt', reason: 'The carrier said nothing of this text.' });
    }
  }
}

function readEntry(key: string, status: Record<string, unknown>): HandOver | undefined {
  const { id, groupName } = status;
  switch (groupName) {
    case 'PENDING':
    case 'ACCEPTED':
    case 'DELIVERED':
      return { key, outcome: 'accepted', carrierMessageId: null };
    case 'REJECTED':
    case 'UNDELIVERABLE':
    case 'EXPIRED': {
      // Refused as a repeat: it was accepted before.
      if (id === infobipDuplicate) return { key, outcome: 'accepted', carrierMessageId: null };
      const textStatus = infobipTextStatus(groupName, typeof id === 'number' ? id : 0, 0) ?? 'not_delivered';
      return { key, outcome: 'refused', status: textStatus, error: describeInfobipCode(status) };
    }
    default:
      return undefined;
  }
}

/**
 * A refused request was refused as a whole. The named texts are refused, all others are retried at once; if
 * none is named, halves are tried until the bad ones are alone.
 */
function settleViolations(
  messages: Message[],
  texts: OutboundText[],
  settled: Settled,
  { status, reply }: { status: number; reply: string },
): Verdict {
  const violations = parseObject(reply)?.violations;
  let isAnyNamed = false;
  for (const violation of Array.isArray(violations) ? violations : []) {
    const property = isRecord(violation) ? String(violation.property) : '';
    const found = /messages\.?\[(\d+)\](?:\.destinations\.?\[(\d+)\])?\.?(.*)$/.exec(property);
    if (found === null) continue;
    const [, messageIndex, destinationIndex, name = ''] = found;
    // Our webhook's URL is the same for all of them: a wrong setting, not a wrong text.
    if (name.startsWith('webhooks')) {
      const reason = 'The carrier refuses the address of our webhook (400).';
      settleLater(texts, settled, { afterMs: wrongSettingMs, reason, isCarrierDown: true });
      return { pauseMs: wrongSettingMs, reason };
    }
    const message = messages[Number(messageIndex)];
    const at = destinationIndex === undefined ? undefined : Number(destinationIndex);
    for (const { key } of (at === undefined ? message?.texts : message?.texts.slice(at, at + 1)) ?? []) {
      isAnyNamed = true;
      const textStatus = name === 'to' ? 'number_unavailable' : 'not_delivered';
      if (!settled.has(key))
        settled.set(key, { key, outcome: 'refused', status: textStatus, error: `${status} ${name}` });
    }
  }
  const [first] = texts;
  if (!isAnyNamed && first !== undefined) {
    if (texts.length > 1) return 'halve';
    const { key } = first;
    settled.set(key, { key, outcome: 'refused', status: 'not_delivered', error: String(status) });
    return 'done';
  }
  const rest = texts.filter(({ key }) => !settled.has(key));
  settleLater(rest, settled, {
    afterMs: 0,
    reason: 'The carrier refused another text of the same request.',
    isCarrierDown: false,
  });
  return 'done';
}

function settleLater(
  texts: OutboundText[],
  settled: Settled,
  { afterMs, reason, isCarrierDown }: { afterMs: number; reason: string; isCarrierDown: boolean },
): void {
  for (const { key } of texts) settled.set(key, { key, outcome: 'later', afterMs, reason, isCarrierDown });
}
