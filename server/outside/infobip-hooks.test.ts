import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nowMs } from '../clock.ts';
import { type Hook, HookRefused } from './carrier.ts';
import { readInfobipInbound, readInfobipReceipts } from './infobip-hooks.ts';
import { expectPublished } from './testing/published.ts';

const secret = 'a-secret-of-the-webhook';

function hook(body: unknown, over: Partial<Hook> = {}): Hook {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { url: '', secret, query: {}, headers: {}, body: bytes, ...over };
}

function report(messageId: unknown, groupName: string, id: number, over: object = {}) {
  return {
    bulkId: 'b',
    messageId,
    to: '14235550143',
    sender: '14235550100',
    sentAt: '2026-01-20T15:00:01.120+0000',
    doneAt: '2026-01-20T15:00:04.511+0000',
    messageCount: 1,
    status: { groupId: 1, groupName, id, name: `STATUS_${id}`, description: '' },
    error: { groupId: 0, groupName: 'OK', id: 0, name: 'NO_ERROR', description: '', permanent: false },
    ...over,
  };
}

function failure(id: number) {
  const error = {
    groupId: 1,
    groupName: 'HANDSET_ERRORS',
    id,
    name: `EC_${id}`,
    description: '',
    permanent: false,
  };
  return { error };
}

describe('receipts', () => {
  it('are parsed from every result', () => {
    const body = {
      results: [
        report('m1', 'DELIVERED', 5),
        report('m2', 'UNDELIVERABLE', 9, failure(27)),
        report('m3', 'REJECTED', 14),
        report('m4', 'PENDING', 3),
        report('m5', 'DELIVERED', 2),
      ],
    };
    expectPublished('infobip.json', 'DeliveryReports', body);
    const occurredAt = new Date('2026-01-20T15:00:04.511Z');
    expect(readInfobipReceipts(hook(body), secret)).toEqual(
      [
        { key: 'm1', status: 'delivered', error: null },
        { key: 'm2', status: 'phone_unreachable', error: '27 EC_27' },
        { key: 'm3', status: 'blacklisted', error: '14 STATUS_14' },
        { key: 'm4', status: 'sent', error: null },
        { key: 'm5', status: 'sent', error: null },
      ].map((each) => ({ ...each, carrierMessageId: null, occurredAt })),
    );
  });

  it('never treat the refusal of a repeat as the result of the text', () => {
    expect(readInfobipReceipts(hook({ results: [report('m1', 'REJECTED', 23)] }), secret)).toEqual([]);
  });

  it('skip invalid entries, and keep the rest', () => {
    const bad = [
      null,
      7,
      'x',
      [],
      {},
      report(undefined, 'DELIVERED', 5),
      report('', 'DELIVERED', 5),
      report('a\0b', 'DELIVERED', 5),
      report(9, 'DELIVERED', 5),
      { messageId: 'm9' },
      report('m9', 'NEVER_HEARD', 12_345),
      { messageId: 'm9', status: { groupName: 5, id: 'x' } },
    ];
    const results = bad.flatMap((each, index) => [each, report(`good${index}`, 'DELIVERED', 5)]);
    const receipts = readInfobipReceipts(hook({ results, more: 1 }), secret);
    expect(receipts.map(({ key }) => key)).toEqual(bad.map((_, index) => `good${index}`));
  });

  it.each([
    ['2026-01-20T15:00:00.000+0000', '2026-01-20T15:00:00.000Z'],
    ['2026-01-20T15:00:00.000+0130', '2026-01-20T13:30:00.000Z'],
    ['2026-01-20T15:00:00.250-05:00', '2026-01-20T20:00:00.250Z'],
    ['2026-01-20T15:00:00Z', '2026-01-20T15:00:00.000Z'],
  ])('occurred at %s', (doneAt, expected) => {
    const [receipt] = readInfobipReceipts(
      hook({ results: [report('m', 'DELIVERED', 5, { doneAt })] }),
      secret,
    );
    expect(receipt?.occurredAt.toISOString()).toBe(expected);
  });

  it.each(['2999-01-01T00:00:00.000+0000', 'yesterday', 7, undefined])(
    'occurred now, when told %s',
    (doneAt) => {
      const before = nowMs();
      const [receipt] = readInfobipReceipts(
        hook({ results: [report('m', 'DELIVERED', 5, { doneAt })] }),
        secret,
      );
      expect(receipt?.occurredAt.getTime()).toBeGreaterThanOrEqual(before);
      expect(receipt?.occurredAt.getTime()).toBeLessThanOrEqual(nowMs());
    },
  );
});

describe('inbound texts', () => {
  const sms = {
    messageId: '817790313235066447',
    from: '14235550143',
    to: '+14235550100',
    text: 'STOP it',
    cleanText: 'it',
    keyword: 'STOP',
    receivedAt: '2026-01-20T15:03:10.220+0000',
    smsCount: 1,
    price: { pricePerMessage: 0, currency: 'USD' },
  };
  const occurredAt = new Date('2026-01-20T15:03:10.220Z');

  it('are parsed whole, including their keyword', () => {
    const body = { results: [sms], messageCount: 1, pendingMessageCount: 0 };
    expectPublished('infobip.json', 'SmsMoReportResponse', body);
    expect(readInfobipInbound(hook(body), secret)).toEqual([
      {
        inboundKey: 'infobip:817790313235066447',
        from: '14235550143',
        to: '14235550100',
        body: 'STOP it',
        media: [],
        occurredAt,
      },
    ]);
  });

  it('include their pictures', () => {
    const body = {
      results: [
        {
          messageId: '9',
          from: '14235550143',
          to: '14235550100',
          receivedAt: '2026-01-20T15:03:10.220+0000',
          message: [
            { contentType: 'application/smil', url: 'https://media.example/layout' },
            { contentType: 'text/plain; charset=utf-8', value: 'see photo' },
            { contentType: 'image/jpeg', url: 'https://media.example/m/42' },
            { contentType: 'text/plain', value: 'and this' },
            { contentType: 'image/png', url: 'https://media.example/m/43' },
          ],
        },
      ],
    };
    expectPublished('infobip.json', 'MMSMoWebhookRequest', body);
    expect(readInfobipInbound(hook(body), secret)).toEqual([
      {
        inboundKey: 'infobip:9',
        from: '14235550143',
        to: '14235550100',
        body: 'see photo\nand this',
        media: [
          { contentType: 'image/jpeg', url: 'https://media.example/m/42' },
          { contentType: 'image/png', url: 'https://media.example/m/43' },
        ],
        occurredAt,
      },
    ]);
  });

  it('skip invalid entries, and keep the rest', () => {
    const results = [
      null,
      { ...sms, from: 'SCHOOL' },
      { ...sms, messageId: undefined },
      { ...sms, to: 7 },
      sms,
    ];
    expect(readInfobipInbound(hook({ results }), secret)).toHaveLength(1);
  });

  it('can be stored whatever they contain: a lost text is worse than a strange one', () => {
    const message = [
      { contentType: 'text/plain', value: 'half \ud83d' },
      { contentType: 'image/\0png', url: 'https://example.org/\udc4d' },
    ];
    const { text: _text, ...mms } = { ...sms, text: '' };
    const [text] = readInfobipInbound(hook({ results: [{ ...mms, message }] }), secret);
    expect(text).toMatchObject({
      body: 'half \ufffd',
      media: [{ contentType: 'image/png', url: 'https://example.org/\ufffd' }],
    });
  });

  it('lose the character that PostgreSQL cannot store', () => {
    const [text] = readInfobipInbound(hook({ results: [{ ...sms, text: 'a\0b' }] }), secret);
    expect(text?.body).toBe('ab');
  });
});

describe.each([
  ['receipts', readInfobipReceipts],
  ['inbound texts', readInfobipInbound],
] as const)('a webhook of %s', (_, read) => {
  it.each(['', 'wrong', secret.slice(1), `${secret}x`])('is refused with the secret "%s"', (given) => {
    expect(() => read(hook({ results: [] }, { secret: given }), secret)).toThrow(HookRefused);
  });

  it.each(['', 'x', '[]', '{}', '{"results":{}}', 'null', '7'])('is refused with the body %s', (body) => {
    expect(() => read(hook(body), secret)).toThrow(HookRefused);
  });

  it('is read whatever its results are', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (results) => {
        expect(Array.isArray(read(hook({ results }), secret))).toBe(true);
      }),
    );
  });
});
