import { describe, expect, it } from 'vitest';
import { type TextStatusCode, textStatuses } from '../../contract/delivery/text-status.ts';
import { infobipTextStatus, twilioErrorStatus, twilioTextStatus } from './status-codes.ts';
import { hasPublished, readPublished } from './testing/published.ts';

/** Status, Twilio's codes, Infobip's statuses (s) and errors (e). */
const rows: [TextStatusCode, string, string][] = [
  ['delivered', '', 's5'],
  ['sent', '', 's2 s3 s7'],
  [
    'carrier_limit_exceeded',
    '30022 30023 30027 30017 30001 21611 30454 14107 63017 63018 63038',
    'e541 e542 e4202 e609 e51 e630 s20 e4103 e4104',
  ],
  [
    'carrier_rejected',
    '30018 30024 30032–30035 30037 30040–30042 30002 30450 30453 30485 30610 21606 21703',
    's4 s6 s11 s12 s13 s17 s19 s24 s25 s77 s87 s100 e632 e571 e572 e562–e564 e368 e375 e488 e592 e2053 e15010 e15020 e15021 e608',
  ],
  ['handset_rejected', '', 'e32 e256–e262 e21 e12 e7 e31 e628 e15007'],
  ['spam_rejected', '30007 21618 63026', 'e607 e561 e2051 e15013'],
  [
    'number_unavailable',
    '30005 30006 21211 21612 21614 21635 21408',
    's8 s51 s52 s18 e1 e5 e11 e345 e351 e352 e568 e569 e629 e3041 e15003 e15009 e15016–e15018 e15201',
  ],
  [
    'unsupported_media',
    '30011 30019 11751 12300 21620 21623 63019 63021',
    'e15012 e15019 e15022 e15024–e15026 e15200',
  ],
  ['phone_unreachable', '30003', 'e6 e27 e2 e8 e13 e33 e502 e1031 e1152–e1159 e15004'],
  ['opted_out', '21610 63033 63014', 'e603 e573 e15015'],
  ['blacklisted', '30004', 's14 s10 e604 e2049 e2050 e2052 e560 e566 e9 e15011'],
  ['attempts_exceeded', '30036', 's15 e811 e4098 e4101 e15006'],
  ['not_delivered', '30008 30410 30500', 's9 s31 s21 e810 e815 e4097'],
  ['unknown', '', 's29 e255 e633'],
];

const groups: Record<number, string> = {
  2: 'DELIVERED',
  3: 'PENDING',
  4: 'UNDELIVERABLE',
  5: 'DELIVERED',
  7: 'PENDING',
  9: 'UNDELIVERABLE',
  15: 'EXPIRED',
  29: 'EXPIRED',
  31: 'UNDELIVERABLE',
};

function listCodes(text: string): [kind: string, code: number][] {
  return [...text.matchAll(/([se]?)(\d+)(?:–[se]?(\d+))?/g)].flatMap(([, kind = '', first, last = first]) => {
    const length = Number(last) - Number(first) + 1;
    return Array.from({ length }, (_, index): [string, number] => [kind, Number(first) + index]);
  });
}

describe.each(rows)('%s', (status, twilio, infobip) => {
  it.each(listCodes(twilio))('Twilio%s %i', (_, code) => {
    expect(twilioErrorStatus(code)).toBe(status);
    expect(twilioTextStatus('undelivered', code)).toBe(status);
    expect(twilioTextStatus('failed', code)).toBe(status);
  });

  it.each(listCodes(infobip))('Infobip %s%i', (kind, code) => {
    if (kind === 's') expect(infobipTextStatus(groups[code] ?? 'REJECTED', code, 0)).toBe(status);
    else {
      expect(infobipTextStatus('UNDELIVERABLE', 9, code)).toBe(status);
      expect(infobipTextStatus('REJECTED', 14, code)).toBe(status);
    }
  });
});

describe('codes outside of the tables', () => {
  it.each([
    ['REJECTED', 999, 0, 'not_delivered'],
    ['UNDELIVERABLE', 999, 0, 'not_delivered'],
    ['EXPIRED', 999, 0, 'attempts_exceeded'],
    ['DELIVERED', 999, 0, 'delivered'],
    ['PENDING', 999, 0, 'sent'],
    ['ACCEPTED', 999, 0, 'sent'],
    ['PENDING', 26, 0, 'sent'],
    // An unknown error, for a failed text.
    ['UNDELIVERABLE', 4, 99_999, 'not_delivered'],
    ['REJECTED', 14, 99_999, 'not_delivered'],
    ['EXPIRED', 15, 99_999, 'attempts_exceeded'],
    ['EXPIRED', 29, 99_999, 'unknown'],
    // The reason of an earlier try, for a text that didn't fail.
    ['DELIVERED', 5, 27, 'delivered'],
    ['DELIVERED', 2, 27, 'sent'],
    ['PENDING', 3, 27, 'sent'],
    ['', 5, 0, 'delivered'],
    ['', 0, 27, 'phone_unreachable'],
    ['', 0, 0, undefined],
  ])('Infobip %s s%i e%i', (group, statusId, errorId, expected) => {
    expect(infobipTextStatus(group, statusId, errorId)).toBe(expected);
  });

  it.each([
    ['sent', 0, 'sent'],
    ['delivered', 0, 'delivered'],
    ['delivered', 30003, 'delivered'],
    ['read', 0, 'read'],
    ['failed', 0, 'not_delivered'],
    ['undelivered', 99_999, 'not_delivered'],
    ['canceled', 0, 'not_delivered'],
    ['partially_delivered', 0, 'not_delivered'],
    ['accepted', 0, undefined],
    ['scheduled', 0, undefined],
    ['queued', 0, undefined],
    ['sending', 0, undefined],
    ['something_new', 0, undefined],
  ])('Twilio %s %i', (messageStatus, code, expected) => {
    expect(twilioTextStatus(messageStatus, code)).toBe(expected);
  });
});

const place = hasPublished ? '' : ' (skipped: there is no ../shared/protocols beside the checkout)';
it.skipIf(!hasPublished)(`has every code of the table in PROTOCOLS.md${place}`, () => {
  const section = readPublished('PROTOCOLS.md').split('### Texts')[1]?.split('### Calls')[0] ?? '';
  const published = [...section.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \|$/gm)].slice(2);
  const labels = new Map(rows.map((row) => [textStatuses[row[0]].label as string, row]));
  expect(published.length).toBeGreaterThanOrEqual(rows.length);
  for (const [, label = '', twilio = '', infobip = ''] of published) {
    const row = labels.get(label.replace(' ✓', ''));
    const codes = (text: string, pattern: RegExp) => {
      return listCodes(
        text
          .replace(/^none of its own.*/, '')
          .match(pattern)
          ?.join(' ') ?? '',
      ).sort();
    };
    expect([label, codes(twilio, /\d{5}(–\d{5})?/g)]).toEqual([label, listCodes(row?.[1] ?? '').sort()]);
    const plain = infobip.replace('but s2', '');
    expect([label, codes(plain, /\b[se]\d+(–[se]\d+)?/g)]).toEqual([label, listCodes(row?.[2] ?? '').sort()]);
  }
});
