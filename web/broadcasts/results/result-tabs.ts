import type { CallResultCategory, TextResultCategory } from '../../../contract/broadcast-results.ts';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { resultSegmentOf, resultTabs } from '../../../contract/states/result-views.ts';
import { textTotal } from '../../pieces/broadcasts/broadcast-counts.ts';
import { say } from '../../ui/say.ts';

/** The channel of a tab. */
export type Channel = 'calls' | 'texts';

/** A tab of the results. */
export interface ResultTab {
  name: string;
  /** The last part of its address. */
  segment: string;
  channel: Channel;
  /** Of texts. */
  category: TextResultCategory | 'All' | undefined;
  /** Of calls. */
  callCategory: CallResultCategory | 'All' | 'Transfers' | undefined;
  count: number;
  /** Shows people's answers to a survey. */
  isSurvey: boolean;
}

interface Kind {
  segment: string;
  category?: ResultTab['category'];
  callCategory?: ResultTab['callCategory'];
  count: (broadcast: WholeBroadcast) => number;
}

/** The specification names no segment for voicemail and for busy; these two are ours. */
const callKinds: Record<string, Kind> = {
  'All Calls': { segment: 'call-results', callCategory: 'All', count: ({ CallTotal }) => CallTotal },
  'Live Answer': {
    segment: 'live-person',
    callCategory: 'LiveAnswer',
    count: ({ LivePersonTotal }) => LivePersonTotal,
  },
  Voicemail: {
    segment: 'voicemail',
    callCategory: 'Voicemail',
    count: ({ AnsweringMachineTotal }) => AnsweringMachineTotal,
  },
  'Busy / No Answer': {
    segment: 'busy-no-answer',
    callCategory: 'BusyNoAnswer',
    count: ({ BusyNoAnswerTotal }) => BusyNoAnswerTotal,
  },
  Invalid: {
    segment: 'invalid',
    callCategory: 'Invalid',
    count: ({ InvalidNumberTotal }) => InvalidNumberTotal,
  },
  Incomplete: {
    segment: 'not-completed',
    callCategory: 'Incomplete',
    count: ({ IncompleteCallTotal }) => IncompleteCallTotal,
  },
  Transfers: {
    segment: 'transfers',
    callCategory: 'Transfers',
    count: ({ TransferTotal }) => TransferTotal,
  },
  'All Survey Results': {
    segment: 'survey-results',
    callCategory: 'All',
    count: ({ SurveyResponseTotal }) => SurveyResponseTotal,
  },
};

/** The specification names no segment for those that failed; this one and left-out are ours. */
const textKinds: Record<string, Kind> = {
  'All Texts': { segment: 'text-results', category: 'All', count: textTotal },
  Delivered: {
    segment: 'delivered',
    category: 'Delivered',
    count: (broadcast) => broadcast.DeliveredTexts,
  },
  Read: { segment: 'read', category: 'Read', count: (broadcast) => broadcast.ReadCount },
  Failed: { segment: 'failed', category: 'Failed', count: (broadcast) => broadcast.FailedTextTotal },
  Invalid: { segment: 'invalid', category: 'Invalid', count: (broadcast) => broadcast.InvalidTextCount },
  Incomplete: {
    segment: 'not-completed',
    category: 'Incomplete',
    count: (broadcast) => broadcast.NotDeliveredTexts,
  },
  'Opted Out': {
    segment: 'opted-out',
    category: 'OptedOut',
    count: (broadcast) => broadcast.TextOptedOut,
  },
  Replied: { segment: 'replied', category: 'Replied', count: (broadcast) => broadcast.RepliedTotal },
  'Not Replied': {
    segment: 'not-replied',
    category: 'NotReplied',
    count: (broadcast) => broadcast.NotRepliedTotal,
  },
  'All Text Survey Results': {
    segment: 'text-survey-results',
    category: 'Replied',
    count: (broadcast) => broadcast.TextSurveyResponseTotal,
  },
};

/** Texts and calls have tabs of the same name; where both are made, those of texts get an address of their own. */
const textOwn: Record<string, string> = { invalid: 'text-invalid', 'not-completed': 'text-not-completed' };

export function tabsOf(broadcast: WholeBroadcast): ResultTab[] {
  const { BroadcastType: type } = broadcast;
  const namesOf = (channel: Channel) =>
    resultTabs({
      // Separate, so that names that both have don't clash.
      BroadcastType: channel === 'texts' ? 'SMS' : type.includes('Survey') ? 'Survey' : 'Announcement',
      IsTextSurvey: channel === 'texts' && broadcast.IsTextSurvey,
      IsTransfer: broadcast.IsTransfer,
      isRcs: broadcast.IsRcs,
    });
  const both = placesCalls(type) && sendsTexts(type);
  const calls = placesCalls(type)
    ? namesOf('calls').flatMap((name) => kindTab(name, callKinds[name], { broadcast, channel: 'calls' }))
    : [];
  const texts = sendsTexts(type)
    ? namesOf('texts').flatMap((name) => {
        const [tab] = kindTab(name, textKinds[name], { broadcast, channel: 'texts' });
        return tab ? [both ? { ...tab, segment: textOwn[tab.segment] ?? tab.segment } : tab] : [];
      })
    : [];
  const leftOutName = 'Left Out';
  const leftOut: Kind = {
    segment: 'left-out',
    category: 'LeftOut',
    count: ({ LeftOutCount }) => LeftOutCount,
  };
  const channel = placesCalls(type) ? 'calls' : 'texts';
  return [
    ...calls,
    ...(broadcast.LeftOutCount > 0 && calls.length > 0
      ? kindTab(leftOutName, leftOut, { broadcast, channel })
      : []),
    ...texts,
    ...(broadcast.LeftOutCount > 0 && calls.length === 0
      ? kindTab(leftOutName, leftOut, { broadcast, channel })
      : []),
  ];
}

/** The address of the tab of texts that says why most of them failed. */
export function failureSegment(broadcast: WholeBroadcast): string {
  const wanted = broadcast.FailedTextTotal > 0 ? 'Failed' : 'Invalid';
  const tab = tabsOf(broadcast).find(({ channel, category }) => channel === 'texts' && category === wanted);
  return tab?.segment ?? 'text-results';
}

/** The labels of tabs; the names are the specification's. */
const tabWords: Record<string, string> = {
  'All Calls': say('All Calls', 'tab'),
  'Live Answer': say('Live Answer', 'tab'),
  Voicemail: say('Voicemail', 'tab'),
  'Busy / No Answer': say('Busy / No Answer', 'tab'),
  Invalid: say('Invalid', 'tab'),
  Incomplete: say('Incomplete', 'tab'),
  Transfers: say('Transfers', 'tab'),
  'All Survey Results': say('All Survey Results', 'tab'),
  'All Texts': say('All Texts', 'tab'),
  Delivered: say('Delivered', 'tab'),
  Read: say('Read', 'tab'),
  Failed: say('Failed', 'tab'),
  'Opted Out': say('Opted Out', 'tab'),
  Replied: say('Replied', 'tab'),
  'Not Replied': say('Not Replied', 'tab'),
  'All Text Survey Results': say('All Text Survey Results', 'tab'),
  'Left Out': say('Left Out', 'tab'),
};

interface TabOf {
  broadcast: WholeBroadcast;
  channel: Channel;
}

function kindTab(name: string, kind: Kind | undefined, { broadcast, channel }: TabOf): ResultTab[] {
  if (!kind) return [];
  const { segment, category, callCategory, count } = kind;
  const isSurvey = segment === 'text-survey-results' || segment === 'survey-results';
  return [
    {
      name: tabWords[name] ?? name,
      segment,
      channel,
      category,
      callCategory,
      count: count(broadcast),
      isSurvey,
    },
  ];
}

const ownSegments: readonly string[] = [
  ...['failed', 'left-out', 'voicemail', 'busy-no-answer'],
  ...Object.values(textOwn),
];

/** True if an address ends in the name of a result view. */
export function isResultSegment(segment: string): boolean {
  return resultSegmentOf(segment) !== undefined || ownSegments.includes(segment);
}

/**
 * The tab of an address. `all`, and tabs that this broadcast doesn't have, show everybody: calls first, and texts where
 * nobody had to be called.
 */
export function tabOfSegment(tabs: readonly ResultTab[], segment: string): ResultTab | undefined {
  const first = (name: string) => tabs.find((tab) => tab.segment === name && tab.count > 0);
  const named = tabs.find((tab) => tab.segment === segment);
  return named ?? first('call-results') ?? first('text-results') ?? tabs[0];
}
