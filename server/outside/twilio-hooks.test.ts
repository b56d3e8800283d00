import { describe, expect, it } from 'vitest';
import { nowMs } from '../clock.ts';
import { type Hook, HookRefused } from './carrier.ts';
import { expectPublished } from './testing/published.ts';
import { readTwilioInbound, readTwilioReceipts } from './twilio-hooks.ts';
import { isTwilioSignature, signTwilio } from './twilio-signature.ts';

const page = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const call = new URLSearchParams({
  CallSid: 'CA1234567890ABCDE',
  Caller: '+14158675309',
  Digits: '1234',
  From: '+14158675309',
  To: '+18005551212',
});

describe('the signature', () => {
  it.each([
    ['the published one', '12345', page, call, 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
    ['with a port', '12345', page.replace('.com/', '.com:443/'), call, 'kvajT1Ptam85bY51eRf/AJRuM3w='],
    [
      'of a repeated name',
      '12345',
      page,
      new URLSearchParams([
        ['MessagingBinding.Address', '+1415xxxxxxx'],
        ['MessagingBinding.Address', '+1325xxxxxxx'],
        ['MessagingBinding.Address', '+1415xxxxxxx'],
      ]),
      '83O6e2vORAoJHUNzJjDWN1jz+BA=',
    ],
    [
      'of an address alone',
      '12345',
      `${page}&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620`,
      new URLSearchParams(),
      'a9nBmqA0ju/hNViExpshrM61xv4=',
    ],
    [
      'of a receipt',
      '0123456789abcdef0123456789abcdef',
      'https://muster.example/hooks/twilio/status?c=7#rc=5&rp=all',
      new URLSearchParams({
        AccountSid: 'AC00000000000000000000000000000001',
        ApiVersion: '2010-04-01',
        ErrorCode: '30003',
        From: '+15550100001',
        MessageSid: 'SM00000000000000000000000000000001',
        SmsSid: 'SM00000000000000000000000000000001',
        MessageStatus: 'undelivered',
        SmsStatus: 'undelivered',
        To: '+15550100002',
      }),
      'VqM7rt9IxF1f5A9jepLARIsBMpI=',
    ],
  ])('%s', (_, token, url, ...[form, expected]) => {
    expect(signTwilio(token, url, form)).toBe(expected);
    expect(isTwilioSignature(expected, token, url, form)).toBe(true);
    expect(isTwilioSignature(expected, `${token}6`, url, form)).toBe(false);
  });

  it.each([
    ['https://a.example/x?y=1', 'https://a.example:443/x?y=1', true],
    ['https://a.example:443/x', 'https://a.example/x', true],
    ['http://a.example?y', 'http://a.example:80?y', true],
    ['http://[::1]/x', 'http://[::1]:80/x', true],
    ['http://a.example/x', 'http://a.example:443/x', false],
    ['http://a.example:3000/x', 'http://a.example/x', false],
    ['https://a.example/x', 'https://b.example/x', false],
  ])('of %s is valid for %s: %s', (known, signed, expected) => {
    expect(isTwilioSignature(signTwilio('token', signed, call), 'token', known, call)).toBe(expected);
  });
});

const token = 'token-of-the-account';
const accountSid = 'AC00000000000000000000000000000001';
const sid = 'SM00000000000000000000000000000001';

function hook(parameters: Record<string, string>, key?: string): Hook {
  const form = new URLSearchParams(parameters);
  const query = key === undefined ? '' : `?key=${encodeURIComponent(key)}`;
  const url = `https://muster.example/hooks/twilio/receipts${query}`;
  return {
    url,
    secret: '',
    query: key === undefined ? {} : { key },
    headers: { 'x-twilio-signature': signTwilio(token, url, form) },
    body: Buffer.from(form.toString()),
  };
}

function status(MessageStatus: string, over: Record<string, string> = {}) {
  const body = {
    AccountSid: accountSid,
    ApiVersion: '2010-04-01',
    From: '+14235550120',
    MessageSid: sid,
    MessageStatus,
    SmsSid: sid,
    SmsStatus: MessageStatus,
    To: '+14235550143',
    ...over,
  };
  expectPublished('twilio-messages.json', 'x-webhook-message-status', body);
  return body;
}

describe('receipts', () => {
  it.each([
    ['sent', undefined, 'sent', null],
    ['delivered', undefined, 'delivered', null],
    ['read', undefined, 'read', null],
    ['undelivered', '30003', 'phone_unreachable', '30003'],
    ['failed', '30034', 'carrier_rejected', '30034'],
    ['failed', undefined, 'not_delivered', null],
  ])('%s %s', (messageStatus, code, expected, error) => {
    const before = nowMs();
    const body = status(messageStatus, code === undefined ? {} : { ErrorCode: code });
    const [receipt, ...more] = readTwilioReceipts(hook(body, 'm 1/&'), token);
    expect(more).toEqual([]);
    expect(receipt).toMatchObject({ key: 'm 1/&', status: expected, carrierMessageId: sid, error });
    expect(receipt?.occurredAt.getTime()).toBeGreaterThanOrEqual(before);
  });

  it.each(['queued', 'accepted', 'scheduled', 'sending'])('%s has no new information', (messageStatus) => {
    expect(readTwilioReceipts(hook(status(messageStatus), 'm1'), token)).toEqual([]);
  });

  it('of an unnamed text are ignored', () => {
    expect(readTwilioReceipts(hook(status('delivered')), token)).toEqual([]);
  });
});

describe('inbound texts', () => {
  const incoming = {
    MessageSid: 'MM00000000000000000000000000000002',
    AccountSid: accountSid,
    From: '+14235550143',
    To: '+14235550120',
    Body: 'photo & more\0',
    NumMedia: '2',
    MediaContentType0: 'image/jpeg',
    MediaUrl0: 'https://api.twilio.com/m/0',
    MediaContentType1: 'image/png',
    MediaUrl1: 'https://api.twilio.com/m/1',
    MediaUrl2: 'https://api.twilio.com/not-counted',
    SomethingNew: 'x',
  };

  it('are parsed with their pictures', () => {
    expectPublished('twilio-messages.json', 'x-webhook-message-incoming', incoming);
    expect(readTwilioInbound(hook(incoming), token)).toEqual([
      {
        inboundKey: 'twilio:MM00000000000000000000000000000002',
        from: '14235550143',
        to: '14235550120',
        body: 'photo & more',
        media: [
          { contentType: 'image/jpeg', url: 'https://api.twilio.com/m/0' },
          { contentType: 'image/png', url: 'https://api.twilio.com/m/1' },
        ],
        occurredAt: expect.any(Date),
      },
    ]);
  });

  it.each([{ From: 'whatsapp:+14235550143' }, { MessageSid: '' }, { To: '' }])(
    'of %o are none of ours',
    (over) => {
      expect(readTwilioInbound(hook({ ...incoming, ...over }), token)).toEqual([]);
    },
  );

  it.each(['x', '-1', '1e9', ''])('with "%s" pictures are parsed', (NumMedia) => {
    expect(readTwilioInbound(hook({ ...incoming, NumMedia }), token)).toHaveLength(1);
  });
});

describe('a webhook is refused', () => {
  const right = hook(status('delivered'), 'm1');
  it.each<[string, Hook]>([
    ['without a signature', { ...right, headers: {} }],
    ['with another signature', { ...right, headers: { 'x-twilio-signature': 'AAAA' } }],
    ['with another body', { ...right, body: Buffer.from(`${right.body}&ErrorCode=30003`) }],
    ['with another key', { ...right, url: right.url.replace('m1', 'm2'), query: { key: 'm2' } }],
  ])('%s', (_, given) => {
    expect(() => readTwilioReceipts(given, token)).toThrow(HookRefused);
    expect(() => readTwilioInbound(given, token)).toThrow(HookRefused);
  });

  it('and accepted when it is valid', () => {
    expect(readTwilioReceipts(right, token)).toHaveLength(1);
  });
});
