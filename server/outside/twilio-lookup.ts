import { toStorableText } from '../../contract/text/storable-text.ts';
import { nowMs } from '../clock.ts';
import { type CarrierLine, type Exchange, isRecord, openCarrierLine, parseObject } from './carrier-line.ts';
import type { KeepAnswers, LineType, LookedUp, PhoneLookup } from './phone-lookup.ts';

interface TwilioLookupSettings {
  baseUrl: string;
  accountSid: string;
  authToken: string;
}

const atOnce = 8;
/** Answers are paid for: at most twice this many are lost with a process that is killed. */
const keptAtOnce = 8;
/**
 * A thousand phones at 8 a time and 0.2 seconds each take 25 seconds; after this long no further one is
 * requested.
 */
const longestMs = 40_000;
const mostCarrierName = 100;

/** Twilio Lookup v2, one phone per request. */
export function twilioLookup({ baseUrl, accountSid, authToken }: TwilioLookupSettings): PhoneLookup {
  const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const line = openCarrierLine(baseUrl, `Basic ${basic}`);
  return { lookUp: (phones, keep) => lookUp(line, phones, keep), close: () => line.close() };
}

async function lookUp(
  line: CarrierLine,
  phones: string[],
  keep: KeepAnswers = async () => undefined,
): Promise<Map<string, LookedUp>> {
  const found = new Map<string, LookedUp>();
  let unkept = new Map<string, LookedUp>();
  let keeping = Promise.resolve();
  async function keepAll(): Promise<void> {
    const answers = unkept;
    unkept = new Map();
    if (answers.size > 0) await keep(answers);
  }
  const waiting = [...new Set(phones)].reverse();
  const until = nowMs() + longestMs;
  async function ask(): Promise<void> {
    for (let phone = waiting.pop(); phone !== undefined; phone = waiting.pop()) {
      // Nothing more is asked while answers are being saved.
      await keeping;
      const exchange = await line.get(`/v2/PhoneNumbers/%2B${phone}?Fields=line_type_intelligence`);
      const answer = readAnswer(exchange);
      if (typeof answer === 'object') {
        found.set(phone, answer);
        unkept.set(phone, answer);
        if (unkept.size >= keptAtOnce) {
          keeping = keepAll();
          // Thrown where it is awaited, after the requests under way.
          keeping.catch(() => undefined);
        }
      }
      // If the provider is down, limits us or rejects our credentials, the rest is skipped.
      if (answer === 'unavailable' || nowMs() > until) waiting.length = 0;
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, ask));
  await keeping;
  await keepAll();
  return found;
}

function readAnswer(exchange: Exchange): LookedUp | 'unavailable' | 'unreadable' {
  if (exchange.kind !== 'reply') return 'unavailable';
  const { status, text } = exchange;
  if (status === 404) return { isValid: false, lineType: 'unknown', carrierName: '' };
  if (status === 401 || status === 403 || status === 429 || status >= 500) return 'unavailable';
  const reply = status === 200 ? parseObject(text) : undefined;
  if (typeof reply?.valid !== 'boolean') return 'unreadable';
  const line = isRecord(reply.line_type_intelligence) ? reply.line_type_intelligence : {};
  return {
    isValid: reply.valid,
    lineType: readLineType(line.type),
    carrierName:
      typeof line.carrier_name === 'string'
        ? toStorableText(line.carrier_name).slice(0, mostCarrierName)
        : '',
  };
}

const lineTypes: Readonly<Record<string, LineType>> = {
  mobile: 'mobile',
  landline: 'landline',
  fixedVoip: 'voip',
  nonFixedVoip: 'voip',
  tollFree: 'tollfree',
  unknown: 'unknown',
};

/** Pagers, voicemail, premium and shared-cost numbers have their own names there; we have one for all. */
function readLineType(type: unknown): LineType {
  if (typeof type !== 'string' || type === '') return 'unknown';
  return Object.hasOwn(lineTypes, type) ? (lineTypes[type] ?? 'other') : 'other';
}
