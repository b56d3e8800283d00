import { createHash } from 'node:crypto';
import type { Message } from './message.ts';
import type { Post, Reply } from './outbox.ts';
import { getOutcome } from './outcomes.ts';
import type { Receipt } from './reporter.ts';
import { signTwilio } from './twilio-signature.ts';

export type TwilioAccount = { accountSid: string; authToken: string };

/** Connection overrides in the fragment of a webhook address: #rc=5&rp=all&rt=3000. */
export type TwilioOverrides = { retries: number; on: ReadonlySet<string>; timeoutMs: number };

/** Twilio's own: one retry, and only where no connection came about. */
const defaults: TwilioOverrides = { retries: 1, on: new Set(['ct']), timeoutMs: 15_000 };

export function parseOverrides(url: string): TwilioOverrides {
  const fragment = url.split('#')[1];
  if (!fragment) return defaults;
  const given = new URLSearchParams(fragment);
  const retries = Number(given.get('rc') ?? defaults.retries);
  const timeoutMs = Number(given.get('rt') ?? defaults.timeoutMs);
  const on = given.get('rp');
  return {
    retries: Number.isInteger(retries) && retries >= 0 && retries <= 5 ? retries : defaults.retries,
    on: on === null ? defaults.on : new Set(on.split(',')),
    timeoutMs: timeoutMs >= 100 && timeoutMs <= 15_000 ? timeoutMs : defaults.timeoutMs,
  };
}

/** Waits in units before the first to the fifth retry; together they outlast a minute of absence. */
const waits = [2, 5, 10, 20, 40] as const;

export function twilioRetryAfterMs(
  url: string,
  tries: number,
  reply: Reply,
  unitMs: number,
): number | undefined {
  const { retries, on } = parseOverrides(url);
  const wait = waits[tries - 1];
  if (wait === undefined || tries > retries) return undefined;
  const reason = reply.kind === 'broken' ? (reply.late ? 'rt' : 'ct') : reply.status >= 500 ? '5xx' : '4xx';
  return on.has('all') || on.has(reason) ? wait * unitMs : undefined;
}

export function composePost(
  url: string,
  parameters: Record<string, string>,
  account: TwilioAccount,
  { token, method = 'POST' }: { token: string; method?: 'GET' | 'POST' },
): Post {
  let target = url.replace(/#.*$/s, '');
  if (method === 'GET') {
    target += `${target.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`;
    parameters = {};
  }
  return {
    url: target,
    method,
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-twilio-signature': signTwilio(account.authToken, target, parameters),
      'i-twilio-idempotency-token': token,
      'user-agent': 'TwilioProxy/1.1',
    },
    body: new URLSearchParams(parameters).toString(),
    timeoutMs: parseOverrides(url).timeoutMs,
  };
}

/** Equal for every try of one webhook, so that a receiver can tell a retry. */
export function idempotencyToken(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

export function composeStatusCallback({ message, outcome, at }: Receipt, account: TwilioAccount): Post {
  const { status, errorCode } = getOutcome(outcome).twilio;
  const parameters: Record<string, string> = {
    AccountSid: account.accountSid,
    ApiVersion: '2010-04-01',
    From: `+${message.from}`,
    MessageSid: message.id,
    MessageStatus: status,
    SmsSid: message.id,
    SmsStatus: status,
    To: `+${message.to}`,
  };
  if (errorCode !== null) parameters.ErrorCode = String(errorCode);
  if (status !== 'sent')
    parameters.RawDlrDoneDate = new Date(at).toISOString().replace(/\D/g, '').slice(2, 12);
  return composePost(message.envelope?.reportUrl ?? '', parameters, account, {
    token: idempotencyToken(`${message.id} ${status}`),
  });
}

/** The address under which Twilio serves the picture of a message; its id is made from the picture's name. */
export function twilioMediaSid(message: Message, index: number): string {
  return `ME${createHash('sha256').update(`${message.id} ${index}`).digest('hex').slice(0, 32)}`;
}

export function composeTwilioInbound(
  message: Message,
  url: string,
  publicUrl: string,
  account: TwilioAccount,
): Post {
  const parameters: Record<string, string> = {
    MessageSid: message.id,
    SmsSid: message.id,
    SmsMessageSid: message.id,
    AccountSid: account.accountSid,
    ApiVersion: '2010-04-01',
    SmsStatus: 'received',
    From: `+${message.from}`,
    To: `+${message.to}`,
    Body: message.text,
    NumSegments: String(message.parts),
    NumMedia: String(message.media.length),
    FromCountry: 'US',
    ToCountry: 'US',
  };
  for (const [index, media] of message.media.entries()) {
    const path = `/2010-04-01/Accounts/${account.accountSid}/Messages/${message.id}/Media/${twilioMediaSid(message, index)}`;
    parameters[`MediaContentType${index}`] = media.ContentType;
    parameters[`MediaUrl${index}`] = publicUrl + path;
  }
  return composePost(url, parameters, account, { token: idempotencyToken(message.id) });
}
