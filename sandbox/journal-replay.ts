import type { Call } from './call.ts';
import { type CallerId, keepCallerId } from './caller-ids.ts';
import type { Carrier, ServedNumber } from './carrier.ts';
import type { Provider } from './config.ts';
import { acceptInfobip } from './infobip.ts';
import type { Scenario } from './ivr-check.ts';
import type { StoredMessage } from './journal-snapshot.ts';
import { createMessage, type Media, type Message } from './message.ts';
import type { Phone } from './phones.ts';
import { countSegments } from './segments.ts';
import { acceptSmpp, type SmppText } from './smsc.ts';
import { acceptTwilio, TwilioError } from './twilio.ts';

type JournalRecord =
  | { t: 'head'; salt: string; seq: number; stats: Carrier['stats'] }
  | { t: 'keys' | 'texts'; b: string }
  | ({ t: 'number'; number: string } & ServedNumber)
  | ({ t: 'phone'; messages?: StoredMessage[] } & Partial<Omit<Phone, 'messages'>> & { number: string })
  | { t: 'message'; message: StoredMessage }
  | { t: 'accept'; p: Provider; at: number; s: number; b: unknown }
  | {
      t: 'typed';
      seq: number;
      id: string;
      provider: Provider;
      from: string;
      to: string;
      text: string;
      at: number;
      media: Media[];
    }
  | { t: 'end'; at: number; s: number[]; o: number[] }
  | { t: 'done'; s: number[]; o: number[]; r: [number, number, number] }
  | { t: 'media'; s: number; m: Media[] }
  | { t: 'call'; call: Call; counted?: boolean }
  | { t: 'callerId'; callerId: CallerId }
  | { t: 'callerIdDeleted'; sid: string }
  | { t: 'scenario'; scenario: Scenario }
  | { t: 'scenarioDeleted'; id: string };

/** Does again what the line tells. What can't be read (the torn end of a killed program) is left out. */
export function readRecord(carrier: Carrier, line: string): void {
  let record: JournalRecord;
  try {
    record = JSON.parse(line) as JournalRecord;
  } catch {
    return;
  }
  switch (record.t) {
    case 'head':
      carrier.salt = record.salt;
      carrier.seq = record.seq;
      Object.assign(carrier.stats, record.stats);
      break;
    case 'keys':
      carrier.keys.load(Buffer.from(record.b, 'base64'));
      break;
    case 'texts':
      carrier.texts.load(Buffer.from(record.b, 'base64'));
      break;
    case 'number': {
      const { t: _, number, ...served } = record;
      // The environment's values now outweigh what was learned or set before.
      if (
        !carrier.config.numbers.has(number) ||
        served.inboundUrl !== undefined ||
        served.name !== undefined
      ) {
        carrier.numbers.set(number, served);
      }
      break;
    }
    case 'phone':
      readPhone(carrier, record);
      break;
    case 'message':
      restore(carrier, record.message);
      break;
    case 'accept':
      carrier.seq = record.s;
      carrier.stats.Requests += 1;
      readRequest(carrier, record.p, record.at, record.b);
      break;
    case 'typed': {
      const { seq, id, provider, from, to, text, at, media } = record;
      carrier.seq = seq;
      const mms = media.length > 0;
      const parts = countSegments(text);
      carrier.restoreTyped(
        createMessage({
          seq,
          id,
          provider,
          direction: 'out',
          mms,
          from,
          to,
          text,
          parts,
          acceptedAt: at,
          envelope: undefined,
          media,
        }),
      );
      break;
    }
    case 'end':
      for (const [i, seq] of record.s.entries()) {
        const message = carrier.unfinished.get(seq);
        if (message) carrier.restoreEnd(message, record.o[i] ?? 0, record.at);
      }
      break;
    case 'done': {
      for (const [i, seq] of record.s.entries()) {
        const message = carrier.unfinished.get(seq);
        if (message) carrier.restoreDone(message, record.o[i] ?? 0);
      }
      const [ReceiptsSent, ReceiptRequests, WebhookFailures] = record.r;
      Object.assign(carrier.stats, { ReceiptsSent, ReceiptRequests, WebhookFailures });
      break;
    }
    case 'call':
      carrier.exchange.restore(record.call, record.counted === true);
      break;
    case 'callerId':
      keepCallerId(carrier, record.callerId);
      break;
    case 'scenario':
      carrier.scenarios.set(record.scenario.id, record.scenario);
      break;
    case 'scenarioDeleted':
      carrier.scenarios.delete(record.id);
      break;
    case 'callerIdDeleted':
      carrier.callerIds.delete(record.sid);
      break;
    case 'media': {
      const message = carrier.unfinished.get(record.s);
      if (message) message.media = record.m;
      break;
    }
  }
}

function readRequest(carrier: Carrier, provider: Provider, at: number, body: unknown): void {
  try {
    if (provider === 'infobip') acceptInfobip(carrier, body as Parameters<typeof acceptInfobip>[1], at);
    else if (provider === 'smpp') acceptSmpp(carrier, body as SmppText, at);
    else acceptTwilio(carrier, new URLSearchParams(String(body)), at);
  } catch (error) {
    // Refused then (by a rule that has changed since): refused now.
    if (!(error instanceof TwilioError)) throw error;
  }
}

function readPhone(carrier: Carrier, record: Extract<JournalRecord, { t: 'phone' }>): void {
  const { t: _, number, messages, ...change } = record;
  const phone = carrier.phones.get(number);
  Object.assign(phone, { name: undefined }, change);
  if (messages) phone.messages = messages.map((stored) => restore(carrier, stored));
  carrier.phones.settle(phone);
}

function restore(carrier: Carrier, stored: StoredMessage): Message {
  const { seq, id, provider, direction, mms, from, to, text, parts, acceptedAt, envelope, media } = stored;
  const message = createMessage({
    seq,
    id,
    provider,
    direction,
    mms,
    from,
    to,
    text,
    parts,
    acceptedAt,
    envelope,
    media,
  });
  message.outcome = stored.outcome;
  message.dueAt = stored.dueAt;
  message.sentAt = stored.sentAt;
  message.endedAt = stored.endedAt;
  message.done = stored.done;
  if (!message.done) carrier.unfinished.set(seq, message);
  carrier.log.set(id, message);
  return message;
}
