import type { Provider } from './config.ts';
import type { OutcomeIndex } from './outcomes.ts';

export type Media = { ContentType: string; Url: string };

/** The part that all messages of one request share: where and how to report. */
export type Envelope = {
  reportUrl: string | undefined;
  /** Infobip only: report "with the carrier" too. Twilio always does. */
  intermediate: boolean;
  /** Infobip only: the names that are the same in every report, as JSON members with a comma each. */
  reportMembers: string;
  bulkId: string | undefined;
  campaignReferenceId: string | undefined;
  /** SMPP only: the ids of a text's parts. Each part has a receipt. */
  partIds?: readonly string[];
  /** Twilio only: the Messaging Service whose RCS sender it went through. */
  rcsService?: string;
};

/**
 * One text, seen from the telephone: `in` arrives at it, `out` was typed on it.
 *
 * in:  accepted → (with the carrier) → ended (arrived, failed or silent) → done (last receipt settled)
 * out: typed → done (Muster answered 2xx, or the carrier gave up)
 *
 * Always built by `createMessage`, so that all have one hidden class: there may be a million.
 */
export type Message = {
  readonly seq: number;
  readonly id: string;
  readonly provider: Provider;
  readonly direction: 'in' | 'out';
  readonly mms: boolean;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly parts: number;
  readonly acceptedAt: number;
  readonly envelope: Envelope | undefined;
  media: readonly Media[];
  outcome: OutcomeIndex;
  /** Time when it will end, once it is under way. */
  dueAt: number;
  sentAt: number;
  endedAt: number;
  done: boolean;
};

export const noMedia: readonly Media[] = [];

export function createMessage({
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
}: {
  seq: number;
  id: string;
  provider: Provider;
  direction: 'in' | 'out';
  mms: boolean;
  from: string;
  to: string;
  text: string;
  parts: number;
  acceptedAt: number;
  envelope: Envelope | undefined;
  media: readonly Media[];
}): Message {
  return {
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
    outcome: 0,
    dueAt: 0,
    sentAt: 0,
    endedAt: 0,
    done: false,
  };
}
