import { expect, it } from 'vitest';
import type { ConsentEvent } from '../../../contract/consents.ts';
import { standingEvent } from './consent-standing.ts';

type Said = [state: ConsentEvent['State'], source: ConsentEvent['Source'], channel: ConsentEvent['Channel']];

/** Given in the order of time. */
function ledger(said: Said[]): ConsentEvent[] {
  return said
    .map(([State, Source, Channel], index) => ({
      ConsentEventID: index + 1,
      Timestamp: '2026-03-10T14:00:00Z',
      Channel,
      State,
      Source,
      Wording: '',
      UserName: '',
      FileName: '',
      TextMessageID: null,
      Address: '',
    }))
    .reverse();
}

it.each<[string, Said[], 'text' | 'voice', number | undefined]>([
  ['nothing was said', [], 'text', undefined],
  [
    'the last word',
    [
      ['in', 'import', 'text'],
      ['out', 'inbound', 'text'],
    ],
    'text',
    2,
  ],
  [
    'another channel',
    [
      ['in', 'user', 'text'],
      ['out', 'user', 'voice'],
    ],
    'text',
    1,
  ],
  [
    'both',
    [
      ['in', 'user', 'text'],
      ['out', 'user', 'both'],
    ],
    'text',
    2,
  ],
  [
    'taken back',
    [
      ['out', 'user', 'text'],
      ['none', 'user', 'text'],
    ],
    'text',
    undefined,
  ],
  [
    'taken back to what was',
    [
      ['in', 'import', 'both'],
      ['out', 'user', 'voice'],
      ['none', 'user', 'voice'],
    ],
    'voice',
    1,
  ],
  [
    'STOP in between',
    [
      ['in', 'user', 'text'],
      ['out', 'inbound', 'text'],
      ['none', 'user', 'text'],
    ],
    'text',
    2,
  ],
])('%s', (_, said, channel, id) => {
  expect(standingEvent(ledger(said), channel)?.ConsentEventID).toBe(id);
});
