import type { TextResultCategory } from '../../../contract/broadcast-results.ts';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { resultSegmentOf, resultTabs } from '../../../contract/states/result-views.ts';

/** A tab of the results. */
export interface ResultTab {
  name: string;
  /** The last part of its address. */
  segment: string;
  category: TextResultCategory | undefined;
  count: number;
  /** Shows what people answered to a Yes or No question. */
  isSurvey: boolean;
}

interface Kind {
  segment: string;
  category?: TextResultCategory;
  count: (broadcast: WholeBroadcast) => number;
}

/** The specification names no segment for those that failed; this one and left-out are ours. */
const kinds: Record<string, Kind> = {
  'All Texts': { segment: 'text-results', count: (broadcast) => broadcast.PhoneNumberCount },
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

export function tabsOf(broadcast: WholeBroadcast): ResultTab[] {
  const names = resultTabs({
    BroadcastType: broadcast.BroadcastType,
    IsTextSurvey: broadcast.IsTextSurvey,
    IsTransfer: false,
    isRcs: broadcast.IsRcs,
  });
  const tabs = names.flatMap((name) => {
    const kind = kinds[name];
    return kind ? [tabOf(name, kind, broadcast)] : [];
  });
  const leftOut: Kind = {
    segment: 'left-out',
    category: 'LeftOut',
    count: ({ LeftOutCount }) => LeftOutCount,
  };
  return broadcast.LeftOutCount > 0 ? [...tabs, tabOf('Left Out', leftOut, broadcast)] : tabs;
}

function tabOf(name: string, { segment, category, count }: Kind, broadcast: WholeBroadcast): ResultTab {
  const isSurvey = segment === 'text-survey-results';
  return { name, segment, category, count: count(broadcast), isSurvey };
}

/** Whether an address ends in something that is a result view. */
export function isResultSegment(segment: string): boolean {
  return resultSegmentOf(segment) !== undefined || segment === 'failed' || segment === 'left-out';
}

/** The tab of an address. Segments of calls, and tabs that this broadcast doesn't have, lead to all of it. */
export function tabOfSegment(tabs: readonly ResultTab[], segment: string): ResultTab | undefined {
  return tabs.find((tab) => tab.segment === segment) ?? tabs[0];
}
