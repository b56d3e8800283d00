import { setTimeout as delay } from 'node:timers/promises';
import type { TextStatusCode } from '../../contract/delivery/text-status.ts';
import { type CarrierId, type HandOver, type OutboundText, validityHours } from './carrier.ts';
import { handMs } from './carrier-line.ts';
import { encodeWhole, type SmppPart, splitText } from './smpp-alphabet.ts';
import { describeStatus, type SmppLine, type Submission } from './smpp-line.ts';

export interface SmppHandSettings {
  /** Number of texts that one `hand` has in progress: no more than the window. */
  atOnce: number;
  /** Way of sending a long text: in parts that we create, or whole, for the SMSC to split. */
  longTexts: 'parts' | 'payload';
}

/** Called with the SMSC's ids of a text, even if its response came too late. */
type Keep = (id: CarrierId) => void;

const wrongSettingMs = 30_000;
const throttledMs = 1_000;

const status = {
  notBound: 0x04,
  systemError: 0x08,
  wrongSource: 0x0a,
  wrongDestination: 0x0b,
  wrongPassword: 0x0e,
  wrongSystemId: 0x0f,
  queueFull: 0x14,
  throttled: 0x58,
  temporary: 0x64,
  unknown: 0xff,
} as const;

/** The SMSC reports a full queue: certainly not accepted. */
const busy: readonly number[] = [status.throttled, status.queueFull, status.temporary];
/** The same for every text: not the text's fault. */
const wrongSetting: readonly number[] = [status.notBound, status.wrongPassword, status.wrongSystemId];
/** An internal error may have come after it accepted the text, as with an HTTP carrier's 500. */
const unclear: readonly number[] = [status.systemError, status.unknown];

const noPictures = 'This carrier (SMPP) can’t send pictures.';

/** Two days, from now: YYMMDDhhmmss, a tenth, no zone, R for relative. */
const validity = `0000${String(validityHours[6] / 24).padStart(2, '0')}000000000R`;

export function createSmppHand(line: SmppLine, { atOnce, longTexts }: SmppHandSettings, keep: Keep) {
  /** Distinguishes the parts of one text from those of another to the same phone. */
  let reference = Math.floor(Math.random() * 256);

  return async function hand(texts: OutboundText[]): Promise<HandOver[]> {
    const untilMs = performance.now() + handMs;
    const outcomes = new Map<string, HandOver>();
    const problem = await line.findProblem();
    let pause: { afterMs: number; reason: string } | undefined =
      problem === undefined
        ? undefined
        : { afterMs: 1000, reason: `The carrier can’t be reached: ${problem}.` };
    let next = 0;

    async function work(): Promise<void> {
      while (pause === undefined && performance.now() < untilMs) {
        const text = texts[next++];
        if (text === undefined) return;
        const outcome = await handOne(text, untilMs);
        outcomes.set(text.key, outcome);
        if (outcome.outcome === 'later' && outcome.isCarrierDown)
          pause = { afterMs: outcome.afterMs, reason: outcome.reason };
      }
    }

    await Promise.all(Array.from({ length: Math.min(atOnce, texts.length) }, work));
    return texts.map(({ key }) => {
      const { afterMs, reason } = pause ?? { afterMs: 0, reason: 'The carrier was too slow for a turn.' };
      const isCarrierDown = pause !== undefined;
      return outcomes.get(key) ?? { key, outcome: 'later', afterMs, reason, isCarrierDown };
    });
  };

  async function handOne(text: OutboundText, untilMs: number): Promise<HandOver> {
    const { key, body, mediaUrls } = text;
    if (mediaUrls.length > 0)
      return { key, outcome: 'refused', status: 'unsupported_media', error: noPictures };
    const parts = longTexts === 'payload' ? [encodeWhole(body)] : splitText(body);
    reference = (reference + 1) % 256;
    const header = { reference, parts: parts.length };
    let firstId: string | undefined;
    for (const [index, part] of parts.entries()) {
      const outcome = await handPart({ text, part, place: index + 1, header, untilMs });
      if (outcome.outcome !== 'accepted') {
        // A part of it was accepted: it isn't handed over again, whatever the result of the rest.
        const isTorn = index > 0 && outcome.outcome === 'later';
        return isTorn
          ? { key, outcome: 'doubt', reason: `Only a part was taken. ${outcome.reason}` }
          : outcome;
      }
      firstId ??= outcome.carrierMessageId ?? '';
    }
    return { key, outcome: 'accepted', carrierMessageId: firstId || null };
  }

  /** A later part is retried while there is time if the SMSC's queue is full: the text is half accepted. */
  async function handPart(given: {
    text: OutboundText;
    part: SmppPart;
    place: number;
    header: { reference: number; parts: number };
    untilMs: number;
  }): Promise<HandOver> {
    const { text, part, place, header, untilMs } = given;
    const { key } = text;
    const keepId = ({ messageId }: { messageId: string }) =>
      keep({ key, part: place, parts: header.parts, carrierMessageId: messageId });
    const late = (submission: Submission) => {
      if (submission.kind === 'reply' && submission.status === 0) keepId(submission);
    };
    for (;;) {
      const submission = await line.submit(composeSubmit(text, part, place, header), untilMs, late);
      if (submission.kind === 'reply' && submission.status === 0) {
        keepId(submission);
        return { key, outcome: 'accepted', carrierMessageId: submission.messageId || null };
      }
      const outcome = readOutcome(key, submission);
      const isWorthIt = place > 1 && outcome.outcome === 'later' && performance.now() + throttledMs < untilMs;
      if (!isWorthIt) return outcome;
      await delay(throttledMs);
    }
  }
}

function composeSubmit(
  { from, to }: OutboundText,
  { dataCoding, bytes }: SmppPart,
  place: number,
  { reference, parts }: { reference: number; parts: number },
): object {
  const isPart = parts > 1;
  const message = isPart ? Buffer.concat([Buffer.from([5, 0, 3, reference, parts, place]), bytes]) : bytes;
  // An octet count above 254 doesn't fit the field, whatever the SMSC makes of it.
  const isLong = message.length > 254;
  return {
    ...addressOf('source_addr', from),
    ...addressOf('dest_addr', to),
    source_addr: from,
    destination_addr: to,
    esm_class: isPart ? 0x40 : 0,
    registered_delivery: 1,
    validity_period: validity,
    data_coding: dataCoding,
    ...(isLong ? { message_payload: message } : { short_message: message }),
  };
}

/** International numbers by the telephone plan; short codes by the network's own. */
function addressOf(name: 'source_addr' | 'dest_addr', digits: string): object {
  const isShortCode = digits.length <= 6;
  return { [`${name}_ton`]: isShortCode ? 3 : 1, [`${name}_npi`]: isShortCode ? 0 : 1 };
}

function readOutcome(key: string, submission: Submission): HandOver {
  if (submission.kind === 'lost')
    return { key, outcome: 'doubt', reason: `No answer of the carrier: ${submission.reason}.` };
  const later = (afterMs: number, reason: string): HandOver => {
    return { key, outcome: 'later', afterMs, reason, isCarrierDown: true };
  };
  if (submission.kind === 'unsent') {
    const { reason } = submission;
    return reason === 'its turn did not come'
      ? {
          key,
          outcome: 'later',
          afterMs: 0,
          reason: 'The carrier was too slow for a turn.',
          isCarrierDown: false,
        }
      : later(1000, `The carrier can’t be reached: ${reason}.`);
  }
  const { status: code } = submission;
  const words = describeStatus(code);
  if (busy.includes(code)) return later(throttledMs, `The carrier asks for a pause (${words}).`);
  if (wrongSetting.includes(code)) return later(wrongSettingMs, `The carrier refuses us (${words}).`);
  if (unclear.includes(code))
    return { key, outcome: 'doubt', reason: `The carrier answered with an error (${words}).` };
  return { key, outcome: 'refused', status: refusalStatus(code), error: words };
}

function refusalStatus(code: number): TextStatusCode {
  return code === status.wrongDestination ? 'number_unavailable' : 'carrier_rejected';
}
