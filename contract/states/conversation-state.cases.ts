import { ruleTable } from '../testing/rule-table.ts';
import type { ConversationEvent, ConversationState, InboxView } from './conversation-state.ts';

export const unreadCases = ruleTable<
  { IsDone: boolean; UnreadCount: number | null; LastMessage: { IsInbound: boolean } | null },
  boolean
>({
  about: 'Unread conversations',
  file: 'contract/states/conversation-state.ts',
  rows: [
    {
      rule: 'A conversation is unread when UnreadCount is above zero and it is not done',
      cases: [
        [{ IsDone: false, UnreadCount: 1, LastMessage: { IsInbound: true } }, true],
        [{ IsDone: false, UnreadCount: 2, LastMessage: { IsInbound: false } }, true],
        [{ IsDone: true, UnreadCount: 1, LastMessage: { IsInbound: true } }, false],
        [{ IsDone: false, UnreadCount: 0, LastMessage: { IsInbound: true } }, false],
      ],
    },
    {
      rule: 'An inbound last message with no unread count and not done also counts as unread',
      cases: [
        [{ IsDone: false, UnreadCount: null, LastMessage: { IsInbound: true } }, true],
        [{ IsDone: false, UnreadCount: null, LastMessage: { IsInbound: false } }, false],
        [{ IsDone: true, UnreadCount: null, LastMessage: { IsInbound: true } }, false],
        [{ IsDone: false, UnreadCount: null, LastMessage: null }, false],
      ],
    },
  ],
});

const inbound = { IsInbound: true };
const start: ConversationState = {
  IsDone: false,
  IsAutoOptOut: false,
  OptedIn: false,
  OptedOut: false,
  UnreadCount: 0,
  LastMessage: null,
};

/** The result is what changed. */
export const conversationEventCases = ruleTable<
  [before: Partial<ConversationState>, event: ConversationEvent],
  Partial<ConversationState>
>({
  about: 'What an event changes of a conversation',
  file: 'contract/states/conversation-state.ts',
  rows: [
    {
      rule: 'Unread counts rise on incoming messages and fall when read',
      cases: [
        [[{ UnreadCount: 1, LastMessage: inbound }, { type: 'incoming' }], { UnreadCount: 2 }],
        [[{}, { type: 'incoming' }], { UnreadCount: 1, LastMessage: inbound }],
        [[{ UnreadCount: 3 }, { type: 'read' }], { UnreadCount: 0 }],
        [
          [{ UnreadCount: 1, LastMessage: inbound }, { type: 'outgoing' }],
          { UnreadCount: 0, LastMessage: { IsInbound: false } },
        ],
      ],
    },
    {
      rule: 'Conversations toggle done/not done, can be marked unread',
      cases: [
        [[{ UnreadCount: 1 }, { type: 'done' }], { IsDone: true }],
        [[{ IsDone: true }, { type: 'not done' }], { IsDone: false }],
        [[{ IsDone: true }, { type: 'mark unread' }], { IsDone: false, UnreadCount: 1 }],
        [[{ UnreadCount: 4 }, { type: 'mark unread' }], {}],
      ],
    },
    {
      rule: 'Stop sets opted-out, Unstop clears it, Join Everyone opts in',
      cases: [
        [
          [{ LastMessage: inbound }, { type: 'incoming', word: 'stop' }],
          { OptedOut: true, IsAutoOptOut: true },
        ],
        [
          [
            { OptedIn: true, LastMessage: inbound },
            { type: 'incoming', word: 'stop' },
          ],
          { OptedOut: true, OptedIn: false, IsAutoOptOut: true },
        ],
        [
          [
            { OptedOut: true, IsAutoOptOut: true, LastMessage: inbound },
            { type: 'incoming', word: 'unstop' },
          ],
          { OptedOut: false, OptedIn: true, IsAutoOptOut: false, UnreadCount: 1 },
        ],
        [
          [
            { OptedOut: true, LastMessage: inbound },
            { type: 'incoming', word: 'join' },
          ],
          { OptedIn: true, OptedOut: false, UnreadCount: 1 },
        ],
        [
          [
            { OptedOut: true, LastMessage: inbound },
            { type: 'incoming', word: 'help' },
          ],
          { UnreadCount: 1 },
        ],
      ],
    },
    {
      rule: 'Auto Opt-out moves the conversation out of the main list',
      cases: [[[{}, { type: 'auto opt-out' }], { IsAutoOptOut: true, OptedOut: true }]],
    },
    {
      rule: 'Ours: an incoming message opens a conversation that was done and brings back one that was moved out; a Stop after an unread question stays in the list',
      cases: [
        [
          [{ OptedOut: true, IsAutoOptOut: true, LastMessage: inbound }, { type: 'incoming' }],
          { IsAutoOptOut: false, UnreadCount: 1 },
        ],
        [[{ IsDone: true, LastMessage: inbound }, { type: 'incoming' }], { IsDone: false, UnreadCount: 1 }],
        [
          [
            { UnreadCount: 1, LastMessage: inbound },
            { type: 'incoming', word: 'stop' },
          ],
          { OptedOut: true },
        ],
      ],
    },
  ],
});

export const eventStart = start;

export const inboxTitleCases = ruleTable<InboxView, string>({
  about: 'Inbox titles',
  file: 'contract/states/conversation-state.ts',
  rows: [
    {
      rule: 'Inbox title rules, in order: Done; Auto Opt-Outs; the broadcast name (fallback Broadcast); the text number name or number; otherwise Inbox',
      cases: [
        [{ isDone: true, isAutoOptOuts: true }, 'Done'],
        [{ isAutoOptOuts: true, broadcast: { BroadcastName: 'Snow day' } }, 'Auto Opt-Outs'],
        [
          {
            broadcast: { BroadcastName: 'Snow day' },
            textNumber: { Name: 'Office', TextPhoneNumber: '4235550143' },
          },
          'Snow day',
        ],
        [{ broadcast: {} }, 'Broadcast'],
        [{ textNumber: { Name: 'Office', TextPhoneNumber: '4235550143' } }, 'Office'],
        [{ textNumber: { Name: '', TextPhoneNumber: '4235550143' } }, '(423) 555-0143'],
        [{}, 'Inbox'],
      ],
    },
  ],
});
