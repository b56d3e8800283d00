import type { CallResultCode } from '../../contract/delivery/call-result.ts';
import type { Hook } from './carrier.ts';

/**
 * A company that places calls, in our terms. One file per protocol behind this (calls-twilio.ts …); nothing
 * else in Muster knows which it is. server/calls/rules.ts decides the words and questions of a call, a step
 * at a time: a provider that asks us at every step gets `writeSteps`, one that needs everything in advance
 * reads `OutboundCall.flow`.
 */
export interface CallProvider {
  /** 2 is Twilio, 5 Infobip, 7 an Asterisk of your own. */
  aggregatorId: 2 | 5 | 7;
  name: string;
  /** True if the provider refuses the same key twice: then a call in doubt may be placed again. */
  refusesRepeats: boolean;
  /**
   * Only for a provider that one process at a time talks to: whether it is this one, and connected. Without
   * it no call is claimed. Any process may place calls where this is missing.
   */
  mayPlace?(): boolean;
  /** Requests one call. Never throws: every call gets an outcome. */
  place(call: OutboundCall): Promise<Placed>;
  /**
   * The call that an attempt in doubt may have become. Undefined when there is none. Throws when the request
   * fails.
   */
  find(call: DoubtfulCall): Promise<SeenCall | undefined>;
  /**
   * The status of a call that we know by its id. Undefined when the provider doesn't know it. Throws when the
   * request fails.
   */
  look(sid: string, key: string): Promise<SeenCall | undefined>;
  /** Starts the voicemail message in a call that a machine has answered. May be repeated: it starts over. */
  playVoicemail(sid: string, key: string): Promise<boolean>;
  /** Ends a call, ringing or active. */
  hangUp(sid: string): Promise<boolean>;
  /**
   * Ends a call that nobody has answered yet; one that was answered meanwhile continues if the provider can
   * tell.
   */
  stopRinging(sid: string): Promise<boolean>;
  /** Verifies a webhook and parses it. Throws HookRefused when it isn't from the provider. */
  readHook(hook: Hook): CallNews[];
  /** The reply to a webhook of the kind `step`. */
  writeSteps(steps: CallStep[], key: string): { contentType: string; body: string };
  /** The reply to any other webhook. */
  hookReply: { contentType: string; body: string };
  /** The recording of a call: the bytes of a wav or mp3. Only from the provider's own host. */
  fetchRecording(url: string, mostBytes: number): Promise<Buffer>;
  deleteRecording(url: string): Promise<void>;
  /**
   * Starts to verify a caller ID: the number is called and asked for the code. Webhooks report the result with the key.
   * Undefined when the provider has verified it before.
   */
  verifyCallerId(phone: string, name: string, key: string): Promise<{ code: string } | undefined>;
  /** Removes the caller ID, so that it can be verified again. True if the provider knew it. */
  forgetCallerId(phone: string): Promise<boolean>;
  /**
   * Only for a provider that has a connection to us instead of webhooks: opens it, passes its events to
   * `ear`, and runs the steps that it returns. Only processes that place calls use this.
   */
  listen?(ear: CallEar): void;
  /**
   * Only with `listen`: why the connection is down at the moment, as a message; undefined if it is up, or
   * isn't ours.
   */
  problem?(): string | undefined;
  close(): Promise<void>;
}

/** The listener for a provider that has a connection to us. Everything resolves after its commit. */
export interface CallEar {
  /** True if this process is the one that talks to the provider now: it is one at a time. */
  lead(): Promise<boolean>;
  /** Another process may take over at once. */
  leave(): Promise<void>;
  takeStep(news: Extract<CallNews, { kind: 'step' }>): Promise<CallStep[]>;
  takeNews(news: CallNews): Promise<void>;
  warn(facts: object, sentence: string): void;
}

export interface OutboundCall {
  /** Our key: in the URLs of all webhooks, or the provider's message id. */
  key: string;
  from: string;
  to: string;
  /** Maximum seconds of ringing. */
  ringSeconds: number;
  /** Detect whether a machine answers, and wait for its beep. */
  detectMachine: boolean;
  flow: CallFlow;
}

export interface DoubtfulCall {
  key: string;
  from: string;
  to: string;
  /** The time of the try that is in doubt. */
  since: Date;
  /** Ids of other calls between the two numbers, which are therefore not this one. */
  otherSids: string[];
}

/** Everything that is said and asked in a call. URLs are absolute. */
export interface CallFlow {
  kind: 'announcement' | 'survey' | 'test' | 'record' | 'verify' | 'launch';
  /** The sounds for a person, and after the beep. */
  liveUrl: string | null;
  voicemailUrl: string | null;
  /** 9 stops these calls. */
  mayOptOut: boolean;
  /** The keys that answer, if the message was typed and names them; null accepts all of *1 to *9. */
  answerKeys: readonly string[] | null;
  /** 0 transfers to this number. */
  transfer: { to: string; callerId: string } | null;
  /** They asked to be called back: it begins with the question whether they want to be transferred now. */
  isCallback: boolean;
  /** Words that are read instead of a recording: the code of a transfer number. */
  words: string;
  /** The language of everything besides the message. */
  languageId: number;
}

export type Placed =
  | { outcome: 'placed'; sid: string | null }
  /** The provider will never place this call. */
  | { outcome: 'refused'; result: CallEnd; error: string }
  /** Certainly not placed: try it again later. */
  | { outcome: 'later'; afterMs: number; reason: string }
  /**
   * Certainly not placed, and no other call of this sender will be: the cause is the account or the caller
   * ID.
   */
  | { outcome: 'fault'; reason: string }
  /** It may have been placed. */
  | { outcome: 'doubt'; reason: string };

export type AnsweredBy = 'human' | 'machine' | 'fax' | 'unknown';

/** The provider's data about a call. */
export interface SeenCall {
  sid: string;
  /** Ringing or active; or how it ended. */
  state: 'ringing' | 'up' | CallEnd;
  answeredBy: AnsweredBy | null;
  seconds: number | null;
  /** Collected digits, if the provider reports them only afterwards. */
  keys?: string;
}

/** End of a call, before it is known what was heard. `completed`: a person or a machine answered. */
export type CallEnd =
  | 'completed'
  | Extract<
      CallResultCode,
      'busy' | 'no_answer' | 'invalid' | 'message_rejected' | 'do_not_call' | 'call_failed' | 'canceled'
    >;

/** The event in a webhook. Times are the provider's, if it sends them. */
export type CallNews =
  /**
   * The call requests its next step: reply with writeSteps. `at` is the place in the flow that we named
   * ourselves.
   */
  | {
      kind: 'step';
      key: string;
      sid: string;
      from: string;
      to: string;
      isInbound: boolean;
      at: string;
      keys: string;
      /** End of a transfer: its status, and its seconds. */
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
      /**
       * If the provider reports only afterwards: the pressed keys, and whether the voicemail message was
       * played.
       */
      keys?: string;
      isVoicemailPlayed?: boolean;
      transferSeconds?: number;
    }
  | { kind: 'machine'; key: string; sid: string; answeredBy: AnsweredBy }
  /** End of the verification of a caller ID. */
  | { kind: 'callerId'; key: string; sid: string; phone: string; isVerified: boolean };

/**
 * A transfer that nobody ends is ended after four hours, as Twilio does by itself: Infobip would let it hold its line
 * without a limit.
 */
export const mostTransferSeconds = 14_400;

/** One action of a call, in order. */
export type CallStep =
  | { do: 'play'; url: string }
  /** The words are English; a provider that can, reads them in this language (words-of-calls.ts). */
  | { do: 'say'; text: string; languageId?: number }
  | { do: 'pause'; seconds: number }
  /** Plays or says, and listens for keys meanwhile and after it; then the call continues at `next`. */
  | { do: 'ask'; first: CallStep[]; mostKeys: number; waitSeconds: number; next: string; endKey?: string }
  /** Transfers; afterwards the call continues at `next`. */
  | { do: 'dial'; to: string; callerId: string; ringSeconds: number; next: string }
  /** Records after a beep until # or silence; then the call continues at `next`. */
  | { do: 'record'; mostSeconds: number; next: string }
  /** The call continues at `next` at once. */
  | { do: 'go'; next: string }
  | { do: 'hangUp' };
