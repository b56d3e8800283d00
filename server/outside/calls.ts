import type { CallResultCode } from '../../contract/delivery/call-result.ts';
import type { Hook } from './carrier.ts';

/**
 * A company that places calls, in our words. One file a protocol behind this (calls-twilio.ts …); nothing else in Muster
 * knows which it is. What is said and asked during a call is decided by server/calls/rules.ts, a step at a time: a provider
 * that asks us at every step is answered with `writeSteps`, one that wants it all beforehand reads `OutboundCall.flow`.
 */
export interface CallProvider {
  /** 2 is Twilio, 5 Infobip, 7 an Asterisk of one's own. */
  aggregatorId: 2 | 5 | 7;
  name: string;
  /** Whether the same key twice is refused there: then a call in doubt may be placed again. */
  refusesRepeats: boolean;
  /** Asks for one call. Never throws: every call gets an outcome. */
  place(call: OutboundCall): Promise<Placed>;
  /** The call that an attempt in doubt may have become. Undefined when there is none. Throws when it can't be asked. */
  find(call: DoubtfulCall): Promise<SeenCall | undefined>;
  /** How a call stands that we know by its id. Undefined when the provider doesn't know it. Throws when it can't be asked. */
  look(sid: string, key: string): Promise<SeenCall | undefined>;
  /** Begins the voicemail message in a call that a machine has answered. May be repeated: it starts over. */
  playVoicemail(sid: string, key: string): Promise<boolean>;
  /** Ends a call, ringing or up. */
  hangUp(sid: string): Promise<boolean>;
  /** Ends a call that nobody has answered yet; one that was answered meanwhile goes on where the provider can tell. */
  stopRinging(sid: string): Promise<boolean>;
  /** Verifies a webhook and reads it. Throws HookRefused when it isn't the provider's. */
  readHook(hook: Hook): CallNews[];
  /** The answer to a webhook of the kind `step`. */
  writeSteps(steps: CallStep[], key: string): { contentType: string; body: string };
  /** The answer to any other webhook. */
  hookReply: { contentType: string; body: string };
  /** What was recorded during a call: the bytes of a wav or mp3. Only from the provider's own host. */
  fetchRecording(url: string, mostBytes: number): Promise<Buffer>;
  deleteRecording(url: string): Promise<void>;
  /** Begins to verify a caller ID: the number is called and asked for the code. */
  verifyCallerId(phone: string, name: string): Promise<{ code: string }>;
  /** Whether a number was verified there. */
  isCallerIdVerified(phone: string): Promise<boolean>;
  /**
   * Only for a provider that has a connection to us instead of webhooks: opens it, tells `ear` what it says, and does the
   * steps that it answers. Only processes that place calls do this.
   */
  listen?(ear: CallEar): void;
  /** Only with `listen`: why the connection isn't there at the moment, in a sentence; undefined if it is, or isn't ours. */
  problem?(): string | undefined;
  close(): Promise<void>;
}

/** Who hears a provider that has a connection to us. Everything resolves after its commit. */
export interface CallEar {
  /** Whether this process is the one that speaks with the provider now: it is one at a time. */
  lead(): Promise<boolean>;
  /** Another process may take over at once. */
  leave(): Promise<void>;
  takeStep(news: Extract<CallNews, { kind: 'step' }>): Promise<CallStep[]>;
  takeNews(news: CallNews): Promise<void>;
  warn(facts: object, sentence: string): void;
}

export interface OutboundCall {
  /** Ours: in the addresses of all webhooks, or the provider's message id. */
  key: string;
  from: string;
  to: string;
  /** Seconds that it rings at most. */
  ringSeconds: number;
  /** Find out whether a machine answers, and wait for its beep. */
  detectMachine: boolean;
  flow: CallFlow;
}

export interface DoubtfulCall {
  key: string;
  from: string;
  to: string;
  /** When the try was made that is in doubt. */
  since: Date;
  /** Ids of other calls between the two numbers, which are therefore not this one. */
  otherSids: string[];
}

/** Everything that is said and asked in a call. Addresses are absolute. */
export interface CallFlow {
  kind: 'announcement' | 'survey' | 'test' | 'record' | 'verify' | 'launch';
  /** What is played to a person, and after the beep. */
  liveUrl: string | null;
  voicemailUrl: string | null;
  /** 9 stops these calls. */
  mayOptOut: boolean;
  /** The keys that answer, where the message was typed and names them; null takes all of *1 to *9. */
  answerKeys: readonly string[] | null;
  /** 0 connects to this number. */
  transfer: { to: string; callerId: string } | null;
  /** They asked to be called back: it begins with the question whether they want to be connected now. */
  isCallback: boolean;
  /** Words that are read instead of a recording: the code of a transfer number. */
  words: string;
  /** In which language everything besides the message is said. */
  languageId: number;
}

export type Placed =
  | { outcome: 'placed'; sid: string | null }
  /** The provider won't ever place this call. */
  | { outcome: 'refused'; result: CallResultCode; error: string }
  /** Certainly not placed: try it again later. */
  | { outcome: 'later'; afterMs: number; reason: string }
  /** Certainly not placed, and no other call of this sender will be: the account or the caller ID is at fault. */
  | { outcome: 'fault'; reason: string }
  /** It may have been placed. */
  | { outcome: 'doubt'; reason: string };

export type AnsweredBy = 'human' | 'machine' | 'fax' | 'unknown';

/** What the provider says of a call when it is asked. */
export interface SeenCall {
  sid: string;
  /** Ringing or up; or how it ended. */
  state: 'ringing' | 'up' | CallEnd;
  answeredBy: AnsweredBy | null;
  seconds: number | null;
  /** Digits that were collected, where the provider only tells afterwards. */
  keys?: string;
}

/** How a call ended, before it is known what was heard. `completed`: somebody or something answered. */
export type CallEnd =
  | 'completed'
  | Extract<
      CallResultCode,
      'busy' | 'no_answer' | 'invalid' | 'message_rejected' | 'call_failed' | 'canceled'
    >;

/** What a webhook says. Times are the provider's, where it gives them. */
export type CallNews =
  /** The call asks what to do next: answer with writeSteps. `at` is the place in the flow that we named ourselves. */
  | {
      kind: 'step';
      key: string;
      sid: string;
      from: string;
      to: string;
      isInbound: boolean;
      at: string;
      keys: string;
      /** How a transfer ended: its status, and its seconds. */
      dial?: { isBridged: boolean; seconds: number; status: string };
      recording?: { url: string; seconds: number };
    }
  | { kind: 'progress'; key: string; sid: string; state: 'ringing' | 'up'; at: Date }
  | {
      kind: 'ended';
      key: string;
      sid: string;
      end: CallEnd;
      answeredBy: AnsweredBy | null;
      seconds: number | null;
      error: string | null;
      at: Date;
      /** Where the provider only tells afterwards: what was pressed, and whether the voicemail message was played. */
      keys?: string;
      isVoicemailPlayed?: boolean;
      transferSeconds?: number;
    }
  | { kind: 'machine'; key: string; sid: string; answeredBy: AnsweredBy };

/** One thing that a call does, in order. */
export type CallStep =
  | { do: 'play'; url: string }
  /** The words are English; a provider that can, reads them in this language (words-of-calls.ts). */
  | { do: 'say'; text: string; languageId?: number }
  | { do: 'pause'; seconds: number }
  /** Plays or says, and listens for keys meanwhile and after it; then the call asks at `next`. */
  | { do: 'ask'; first: CallStep[]; mostKeys: number; waitSeconds: number; next: string; endKey?: string }
  /** Connects; afterwards the call asks at `next`. */
  | { do: 'dial'; to: string; callerId: string; ringSeconds: number; next: string }
  /** Records after a beep until # or silence; then the call asks at `next`. */
  | { do: 'record'; mostSeconds: number; next: string }
  /** The call asks at `next` at once. */
  | { do: 'go'; next: string }
  | { do: 'hangUp' };
