import { describe, expect, it } from 'vitest';
import type { HistoryItem } from '../../../contract/contacts.ts';
import { historyDays, historyDetail, historyHeadline } from './history-days.ts';

const nothing: HistoryItem = {
  Kind: 'text',
  Timestamp: '2026-03-10T14:00:00Z',
  PhoneNumber: '4235550143',
  Message: '',
  IsInbound: false,
  Status: '',
  ConversationID: null,
  TextMessageID: null,
  ConsentState: '',
  ConsentChannel: '',
  ConsentSource: '',
  UserName: '',
  FileName: '',
};
const item = (part: Partial<HistoryItem>): HistoryItem => ({ ...nothing, ...part });

describe('history', () => {
  it('is grouped by the reader’s days, and shows an item that is on two pages once', () => {
    const late = item({ TextMessageID: 3, Timestamp: '2026-03-11T03:30:00Z' });
    const early = item({ TextMessageID: 2 });
    const before = item({ TextMessageID: 1, Timestamp: '2026-03-09T14:00:00Z' });
    const days = historyDays([late, early, early, before], 'America/New_York');
    expect(days.map(({ date, items }) => [date, items.map((one) => one.TextMessageID)])).toEqual([
      ['2026-03-10', [3, 2]],
      ['2026-03-09', [1]],
    ]);
  });

  it('distinguishes two opt-outs of one moment by their phones', () => {
    const out = item({ Kind: 'consent', ConsentState: 'out', ConsentChannel: 'text' });
    const days = historyDays([out, { ...out, PhoneNumber: '4235550144' }], 'UTC');
    expect(days[0]?.items).toHaveLength(2);
  });

  it.each([
    [{ IsInbound: true }, 'Text received', ''],
    [{ UserName: 'Dana Whitfield' }, 'Text from Dana Whitfield', ''],
    [{}, 'Automatic text', ''],
    [
      {
        Kind: 'consent',
        ConsentState: 'out',
        ConsentChannel: 'text',
        ConsentSource: 'inbound',
        Message: 'STOP',
      },
      'Opted out of texts',
      'Replied “STOP”',
    ],
    [
      {
        Kind: 'consent',
        ConsentState: 'in',
        ConsentChannel: 'both',
        ConsentSource: 'user',
        UserName: 'Dana Whitfield',
        Message: 'Enrollment form',
      },
      'Opted in to texts and calls',
      'By Dana Whitfield: “Enrollment form”',
    ],
    [{ Kind: 'imported', FileName: 'parents.csv', UserName: 'Dana' }, 'Imported from parents.csv', 'By Dana'],
    [{ Kind: 'added', UserName: 'Dana' }, 'Added by Dana', ''],
  ] as [Partial<HistoryItem>, string, string][])('%o says "%s" and "%s"', (part, headline, detail) => {
    expect(historyHeadline(item(part))).toBe(headline);
    expect(historyDetail(item(part))).toBe(detail);
  });
});
