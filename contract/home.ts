import { z } from 'zod';
import { broadcast } from './broadcasts.ts';
import { call, moment } from './call.ts';
import { conversation } from './conversations.ts';
import { sequence } from './sequences.ts';

/** A broadcast as a card shows it. */
const homeBroadcast = broadcast.pick({
  BroadcastID: true,
  BroadcastName: true,
  BroadcastType: true,
  IsTextSurvey: true,
  BroadcastStatus: true,
  BroadcastStatusCategory: true,
  StartDate: true,
  EndDate: true,
  TextMessage: true,
  HeldReason: true,
  PhoneNumberCount: true,
  DeliveredTexts: true,
  ReadCount: true,
  FailedTextTotal: true,
  InvalidTextCount: true,
  TextOptedOut: true,
  StoppedTotal: true,
  RepliedTotal: true,
  WaitingTotal: true,
  SentTotal: true,
  CanceledTotal: true,
  CallTotal: true,
  CallsUp: true,
  LivePersonTotal: true,
  AnsweringMachineTotal: true,
  BusyNoAnswerTotal: true,
  InvalidNumberTotal: true,
  WaitingCallTotal: true,
  RetryingCallTotal: true,
});
export type HomeBroadcast = z.output<typeof homeBroadcast>;

/** Ours: one call for everything the home page shows. */
export const getHome = call({
  method: 'GET',
  path: '/home',
  summary:
    'Returns the Home page: conversations waiting for a reply, recent activity, broadcasts, 30 days of texts, and first steps.',
  allow: 'useMuster',
  reply: z.object({
    /** Conversations whose last word is theirs and unanswered, the longest wait first. */
    Waiting: z.object({
      Items: z.array(conversation.extend({ WaitingSince: moment })),
      Size: z.number().int(),
    }),
    /** The latest conversations that moved, newest first. */
    Lately: z.array(conversation),
    /**
     * Broadcasts that the user may see: in progress or paused, latest first; upcoming, next first; finished,
     * latest first.
     */
    Broadcasts: z.object({
      UnderWay: z.array(homeBroadcast),
      Scheduled: z.array(homeBroadcast),
      Lately: z.array(homeBroadcast),
    }),
    /** Drip campaigns that paused by themselves, and why. */
    PausedCampaigns: z.array(sequence.pick({ SequenceID: true, Name: true, PausedBecause: true })),
    Today: z.object({
      Sent: z.number().int(),
      /** Not accepted by any carrier: not sent, and among those that failed. */
      Refused: z.number().int(),
      Delivered: z.number().int(),
      Failed: z.number().int(),
      Received: z.number().int(),
    }),
    /** Texts and credits by day in the user's zone, oldest first, thirty entries. */
    Days: z.array(
      z.object({
        Date: z.iso.date(),
        Sent: z.number().int(),
        Received: z.number().int(),
        Credits: z.number().int(),
      }),
    ),
    Credits: z.object({
      Balance: z.number().int(),
      Reserved: z.number().int(),
      UsedInThirtyDays: z.number().int(),
    }),
    FirstSteps: z.array(
      z.object({
        Name: z.enum(['textNumber', 'credits', 'firstText', 'firstReply', 'contacts']),
        Completed: z.boolean(),
        /**
         * Registration was begun but isn't done: there is a text number, and no carrier accepts texts from it
         * until it is registered.
         */
        Started: z.boolean(),
      }),
    ),
  }),
});
