import type { HistoryItem } from '../../../contract/contacts.ts';
import { countOf, dayKey } from '../../ui/format.ts';
import { said } from '../../ui/said.ts';
import { say } from '../../ui/say.ts';
import { consentHeadline, consentWording, consentWords } from '../consents/consent-words.ts';

export interface HistoryDay {
  /** 2026-03-11, in the reader's zone. */
  date: string;
  items: HistoryItem[];
}

/** The history, the latest first, as days; an item that is on two pages is shown once. */
export function historyDays(items: readonly HistoryItem[], zone: string): HistoryDay[] {
  const days: HistoryDay[] = [];
  const seen = new Set<string>();
  for (const item of items) {
    const key = historyKey(item);
    if (seen.has(key)) continue;
    seen.add(key);
    const date = dayKey(item.Timestamp, zone);
    const day = days.at(-1);
    if (day?.date === date) day.items.push(item);
    else days.push({ date, items: [item] });
  }
  return days;
}

export function historyKey(item: HistoryItem): string {
  if (item.TextMessageID !== null && item.Kind === 'text') return `text ${item.TextMessageID}`;
  const { Kind, Timestamp, PhoneNumber, ConsentChannel, ConsentState, Message } = item;
  return [Kind, Timestamp, PhoneNumber, ConsentChannel, ConsentState, Message].join(' ');
}

/** An event in one line. */
export function historyHeadline(item: HistoryItem): string {
  switch (item.Kind) {
    case 'text':
      if (item.IsInbound)
        return item.Broadcast ? `Reply to ${item.Broadcast.BroadcastName}` : 'Text received';
      if (item.Broadcast) return say(`Broadcast · ${item.Broadcast.BroadcastName}`);
      return item.UserName === '' ? 'Automatic text' : `Text from ${item.UserName}`;
    case 'call':
      return item.Broadcast ? say(`Call · ${item.Broadcast.BroadcastName}`) : say('Call');
    case 'consent':
      return consentHeadline(item.ConsentState, item.ConsentChannel);
    case 'added':
      return item.UserName === '' ? 'Added to contacts' : `Added by ${item.UserName}`;
    case 'imported':
      return item.FileName === '' ? say('Imported') : `Imported from ${item.FileName}`;
    case 'edited':
      return item.UserName === '' ? 'Contact changed' : `Contact changed by ${item.UserName}`;
  }
}

/** “12 seconds · Pressed *1”. */
function callDetail({ Seconds, Message }: HistoryItem): string {
  const length = Seconds ? countOf(Seconds, 'second', 'seconds') : '';
  const keys = Message === '' ? '' : `Pressed ${Message}`;
  return [length, keys].filter((part) => part !== '').join(' · ');
}

/** The line below it: how consent came, with its words, or who imported. */
export function historyDetail(item: HistoryItem): string {
  if (item.Kind === 'imported') return item.UserName === '' ? '' : `By ${item.UserName}`;
  if (item.Kind === 'call') return callDetail(item);
  if (item.Kind === 'edited') return said(item.Message);
  if (item.Kind !== 'consent') return '';
  const evidence = { ...item, Source: item.ConsentSource, Wording: item.Message };
  const wording = consentWording(evidence);
  return [consentWords(evidence), wording && `“${wording}”`].filter((part) => part !== '').join(': ');
}
