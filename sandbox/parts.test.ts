import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';
import { formatInfobipDate, formatTwilioDate } from './dates.ts';
import { digestText, KeyTable } from './key-table.ts';
import { createMessage, noMedia } from './message.ts';
import { formatNumber, parseCarrierNumber, parseHandsetNumber } from './numbers.ts';
import { outcomes } from './outcomes.ts';
import { Phones } from './phones.ts';
import { RecentMap } from './recent-map.ts';
import { describeRule, ruleFor, rules } from './rules.ts';
import { countSegments } from './segments.ts';
import { Wheel } from './wheel.ts';

function digest(text: string) {
  const into = { lo: 0, hi: 0 };
  digestText(into, text);
  return into;
}

describe('key table', () => {
  it('behaves like a set, also after it was written down and read', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 12 }), { maxLength: 400 }), (keys) => {
        const table = new KeyTable();
        const set = new Set<string>();
        for (const key of keys) {
          const { lo, hi } = digest(key);
          expect(table.add(lo, hi, 1)).toBe(!set.has(key));
          set.add(key);
        }
        const copy = new KeyTable();
        for (const piece of table.dump()) copy.load(piece);
        expect(copy.size).toBe(set.size);
        for (const key of set) expect(copy.get(digest(key).lo, digest(key).hi)).toBe(1);
      }),
    );
  });

  it('tells 300,000 ids that look alike apart, and finds each again', () => {
    const table = new KeyTable();
    const name = (i: number) => `0197c1f0-7f3a-7000-8000-${String(i).padStart(12, '0')}`;
    let wrong = 0;
    for (let i = 0; i < 300_000; i++) {
      const { lo, hi } = digest(name(i));
      if (!table.add(lo, hi, (i % 200) + 1)) wrong += 1;
    }
    expect(table.size).toBe(300_000);
    for (let i = 0; i < 300_000; i++) {
      const { lo, hi } = digest(name(i));
      if (table.get(lo, hi) !== (i % 200) + 1 || table.add(lo, hi, 1)) wrong += 1;
    }
    expect(wrong).toBe(0);
  });
});

describe('recent map', () => {
  it('never holds more than its limit and keeps what is touched', () => {
    const map = new RecentMap<number>(100);
    for (let i = 0; i < 10_000; i++) {
      map.set(`k${i}`, i);
      map.set('favorite', 1);
      expect(map.size).toBeLessThanOrEqual(100);
    }
    expect(map.get('favorite')).toBe(1);
    expect(map.get('k9999')).toBe(9999);
    expect(map.get('k9000')).toBeUndefined();
  });
});

describe('wheel', () => {
  it('gives everything back once, in the order of its time', async () => {
    const seen: number[] = [];
    const start = Date.now();
    await new Promise<void>((resolve) => {
      const wheel = new Wheel<number>((items) => {
        seen.push(...items);
        if (seen.length === 5) resolve();
      });
      for (const wait of [40, 0, 20, -10, 60]) wheel.push(start + wait, wait);
    });
    expect(seen).toEqual([-10, 0, 20, 40, 60]);
    expect(Date.now() - start).toBeGreaterThanOrEqual(60);
  });
});

describe('segments', () => {
  it.each([
    ['', 1],
    ['x'.repeat(160), 1],
    ['x'.repeat(161), 2],
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    ['é'.repeat(160), 1],
    ['“'.repeat(70), 1],
    ['“'.repeat(71), 2],
    ['x'.repeat(306), 2],
    ['x'.repeat(307), 3],
    ['👍'.repeat(35), 1],
    ['👍'.repeat(36), 2],
  ])('%s', (text, count) => {
    expect(countSegments(text)).toBe(count);
  });
});

describe('numbers', () => {
  it.each([
    ['4235550143', '14235550143'],
    ['14235550143', '14235550143'],
    ['+14235550143', '14235550143'],
    ['+447700900123', '447700900123'],
    ['', undefined],
    ['1423', undefined],
    ['+4235550143x', undefined],
    ['1423555014', '11423555014'],
    ['1234567890123456', undefined],
  ])('%s is %s for a carrier', (raw, parsed) => {
    expect(parseCarrierNumber(raw)).toBe(parsed);
  });

  it('shows and reads handset numbers', () => {
    expect(formatNumber('14235550143')).toBe('(423) 555-0143');
    expect(formatNumber('447700900123')).toBe('+447700900123');
    expect(parseHandsetNumber(' +14235550143 ')).toBe('14235550143');
    expect(parseHandsetNumber('423-555-0143')).toBeUndefined();
  });
});

describe('rules', () => {
  it('has a number for every failing status that a carrier has a code for', () => {
    const reached = new Set([...rules.values()].map(({ ends }) => outcomes[ends]?.label));
    for (const { label, kind } of outcomes) {
      if (kind === 'failed') expect(reached).toContain(label);
    }
    expect(reached).toContain('Unknown');
    expect(reached).toContain('Sent To Carrier');
  });

  it('applies to (423) 555 only, and says what it does', () => {
    expect(ruleFor('16155550190').ends).toBe(ruleFor('14235550143').ends);
    expect(describeRule('14235550143')).toBeUndefined();
    expect(describeRule('14235550190')).toBe('Every text to it fails: Not Delivered');
    expect(describeRule('14235550196')).toBe('Answers STOP by itself');
    expect(describeRule('14235550162')).toBe('Answers by itself after some seconds');
  });
});

describe('dates', () => {
  it('are written as each carrier does', () => {
    const ms = Date.UTC(2026, 10, 20, 15, 0, 0);
    expect(formatInfobipDate(ms)).toBe('2026-11-20T15:00:00.000+0000');
    expect(formatTwilioDate(ms)).toBe('Fri, 20 Nov 2026 15:00:00 +0000');
  });
});

describe('configuration', () => {
  it('has defaults for everything', () => {
    expect(parseConfig({})).toMatchObject({
      port: 3001,
      host: '127.0.0.1',
      dataDir: undefined,
      infobipApiKey: 'sandbox-api-key',
      twilioAccountSid: 'AC00000000000000000000000000000001',
      twilioAuthToken: 'sandbox-auth-token',
      receiptsPerRequest: 100,
    });
  });

  it('reads the numbers and sends MMS where SMS goes', () => {
    const config = parseConfig({
      SANDBOX_NUMBERS: '14235550100=infobip:Harlow Creek Schools, 4235550120=twilio',
      INFOBIP_INBOUND_URL: 'http://127.0.0.1:3000/hooks',
    });
    expect([...config.numbers]).toEqual([
      ['14235550100', { provider: 'infobip', name: 'Harlow Creek Schools' }],
      ['14235550120', { provider: 'twilio', name: undefined }],
    ]);
    expect(config.infobipInboundMmsUrl).toBe('http://127.0.0.1:3000/hooks');
  });

  it.each([
    [{ SANDBOX_PORT: '70000' }],
    [{ SANDBOX_NUMBERS: '14235550100=pigeon' }],
    [{ SANDBOX_NUMBERS: 'soon=infobip' }],
    [{ INFOBIP_INBOUND_URL: 'somewhere' }],
    [{ TWILIO_ACCOUNT_SID: 'AC1' }],
    [{ SANDBOX_RECEIPTS_PER_REQUEST: '0' }],
    [{ SANDBOX_DELIVERY_DELAY_MS: '5,1' }],
    [{ SANDBOX_DELIVERY_DELAY_MS: 'soon' }],
  ])('refuses %o', (environment) => {
    expect(() => parseConfig(environment)).toThrow(ConfigError);
  });
});

describe('telephones', () => {
  it('show what came at one moment in the same order, whatever they hear of first', () => {
    const there = '4235550143';
    const here = '14235550100';
    const typed = createMessage({
      seq: 3,
      id: 'c',
      provider: 'infobip',
      direction: 'out',
      mms: false,
      from: there,
      to: here,
      text: 'three',
      parts: 1,
      acceptedAt: 50,
      envelope: undefined,
      media: noMedia,
    });
    const came = createMessage({
      seq: 2,
      id: 'b',
      provider: 'infobip',
      direction: 'in',
      mms: false,
      from: here,
      to: there,
      text: 'two',
      parts: 1,
      acceptedAt: 40,
      envelope: undefined,
      media: noMedia,
    });
    const earlier = createMessage({
      seq: 4,
      id: 'a',
      provider: 'infobip',
      direction: 'in',
      mms: false,
      from: here,
      to: there,
      text: 'one',
      parts: 1,
      acceptedAt: 41,
      envelope: undefined,
      media: noMedia,
    });
    came.endedAt = 50;
    earlier.endedAt = 49;
    for (const order of [
      [came, typed, earlier],
      [typed, came, earlier],
      [earlier, typed, came],
    ]) {
      const phones = new Phones();
      const phone = phones.get(there);
      for (const message of order) phones.add(phone, message, message === earlier ? 49 : 50, 10);
      expect(phone.messages).toEqual([earlier, came, typed]);
    }
  });
});
