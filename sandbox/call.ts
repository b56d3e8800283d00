import type { SoundSource } from './call-sounds.ts';
import type { Provider } from './config.ts';

export type CallStatus =
  | 'queued'
  | 'ringing'
  | 'in-progress'
  | 'completed'
  | 'busy'
  | 'failed'
  | 'no-answer'
  | 'canceled';

export type AnsweredBy =
  | 'human'
  | 'machine_start'
  | 'machine_end_beep'
  | 'machine_end_silence'
  | 'machine_end_other'
  | 'fax'
  | 'unknown';

/** One message that was played into the call. */
export type Heard = {
  at: number;
  /** Its length, and the seconds of it that were played; undefined while it plays. */
  length: number;
  seconds: number | undefined;
  text: string | undefined;
  /** The source from which the page gets the sound. */
  source: SoundSource;
  /** The listener: a person, a machine still playing its greeting, or the mailbox. */
  into: 'Call' | 'Greeting' | 'Mailbox';
};

/** The caller's order, as Twilio's parameters; the journal keeps it. */
export type CallOrder = {
  url?: string | undefined;
  method?: 'GET' | 'POST' | undefined;
  twiml?: string | undefined;
  fallbackUrl?: string | undefined;
  statusCallback?: string | undefined;
  statusMethod?: 'GET' | 'POST' | undefined;
  statusEvents: readonly string[];
  timeoutSeconds: number;
  timeLimitSeconds?: number | undefined;
  sendDigits?: string | undefined;
  detects?: 'Enable' | 'DetectMessageEnd' | undefined;
  detectsAsync?: boolean | undefined;
  detectsUrl?: string | undefined;
  detectsMethod?: 'GET' | 'POST' | undefined;
  detectTimeoutSeconds?: number | undefined;
  /** Of a call over Asterisk: what its channel was originated with. */
  asterisk?: { app: string; appArgs: string } | undefined;
  /** Of a call that Infobip places. */
  infobip?:
    | {
        messageId: string;
        bulkId: string;
        notifyUrl: string | undefined;
        callbackData: string | undefined;
        scenarioId: string;
        scenarioName: string;
      }
    | undefined;
};

export type CallResult =
  | 'Answered'
  | 'Voicemail'
  | 'Fax'
  | 'Busy'
  | 'NoAnswer'
  | 'NotInService'
  | 'Blocked'
  | 'Failed'
  | 'MailboxFull'
  | 'Canceled';

/**
 * One leg: a telephone that rings (`outbound-api`, `outbound-dial`), or one that somebody dials on (`inbound`). All that is
 * in here can be written to the journal.
 */
export type Call = {
  readonly seq: number;
  readonly sid: string;
  readonly provider: Provider;
  readonly direction: 'outbound-api' | 'outbound-dial' | 'inbound';
  readonly from: string;
  readonly to: string;
  readonly parentSid: string | undefined;
  readonly createdAt: number;
  readonly order: CallOrder;
  /** n seconds of the call pass in one second. */
  readonly speed: number;
  status: CallStatus;
  queueMs: number;
  startedAt: number;
  answeredAt: number;
  endedAt: number;
  sip: number | undefined;
  answeredBy: AnsweredBy | undefined;
  detectedMs: number | undefined;
  pickedUpBy: 'Person' | 'Machine' | 'Fax' | undefined;
  result: CallResult | undefined;
  /** Somebody used the telephone by hand: its rule no longer decides. */
  byHand: boolean;
  heard: Heard[];
  keys: string;
  /** The events of the call, for the page. */
  events: { at: number; text: string }[];
  troubles: { code: number; message: string }[];
  /** Time of a machine's beep: what is played from then on stays in the mailbox. */
  mailboxFrom: number;
  sequence: number;
  /** Infobip only: what a scenario collected, and whether its report was handed out. */
  collected?: Record<string, string>;
  isReported?: boolean;
};

/** The telephone that this leg is seen from. */
export function handsetOf(call: Call): string {
  return call.direction === 'inbound' ? call.from : call.to;
}

export function isOver(call: Call): boolean {
  return call.endedAt > 0;
}

/** Seconds of the call's own time between two moments. */
export function secondsBetween(call: Call, from: number, to: number): number {
  return from === 0 ? 0 : ((to - from) / 1000) * call.speed;
}

export function talkedSeconds(call: Call): number {
  return Math.round(secondsBetween(call, call.answeredAt, call.endedAt));
}

export function createCall(
  fixed: Pick<
    Call,
    'seq' | 'sid' | 'provider' | 'direction' | 'from' | 'to' | 'parentSid' | 'createdAt' | 'order' | 'speed'
  >,
): Call {
  return {
    ...fixed,
    status: 'queued',
    queueMs: 0,
    startedAt: 0,
    answeredAt: 0,
    endedAt: 0,
    sip: undefined,
    answeredBy: undefined,
    detectedMs: undefined,
    pickedUpBy: undefined,
    result: undefined,
    byHand: false,
    heard: [],
    keys: '',
    events: [],
    troubles: [],
    mailboxFrom: 0,
    sequence: 0,
  };
}
