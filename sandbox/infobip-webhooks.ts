import { formatInfobipDate } from './dates.ts';
import type { Envelope, Message } from './message.ts';
import type { Post } from './outbox.ts';
import { outcomes } from './outcomes.ts';
import type { Receipt } from './reporter.ts';

/** Infobip's pushes wait this long for an answer. */
const timeoutMs = 10_000;

/** `"status":{…},"error":{…}` of every outcome, written once. */
const statusMembers = outcomes.map(
  ({ infobip }) => `"status":${JSON.stringify(infobip.status)},"error":${JSON.stringify(infobip.error)}`,
);

const price = '"price":{"pricePerMessage":0.0075,"currency":"USD"},"mccMnc":"310410",';

/** The members of a report that all messages of one envelope share. */
export function composeReportMembers(
  sender: string,
  callbackData: string | undefined,
  envelope: Pick<Envelope, 'bulkId' | 'campaignReferenceId'>,
): string {
  const members = JSON.stringify({
    ...(envelope.bulkId !== undefined && { bulkId: envelope.bulkId }),
    sender,
    ...(callbackData !== undefined && { callbackData }),
    ...(envelope.campaignReferenceId !== undefined && { campaignReferenceId: envelope.campaignReferenceId }),
  });
  return `${members.slice(1, -1)},`;
}

function composeReport({ message, outcome, at }: Receipt): string {
  const { envelope } = message;
  return (
    `{${envelope?.reportMembers ?? ''}"messageId":${JSON.stringify(message.id)},"to":"${message.to}",` +
    `"sentAt":"${formatInfobipDate(message.sentAt)}","doneAt":"${formatInfobipDate(at)}",` +
    `"messageCount":${message.parts},${price}${statusMembers[outcome]}}`
  );
}

export function composeReports(receipts: readonly Receipt[]): Post {
  let results = '';
  for (const receipt of receipts)
    results += results === '' ? composeReport(receipt) : `,${composeReport(receipt)}`;
  return {
    url: receipts[0]?.message.envelope?.reportUrl ?? '',
    headers: { 'content-type': 'application/json' },
    body: `{"results":[${results}]}`,
    timeoutMs,
  };
}

const free = { pricePerMessage: 0, currency: 'USD' };

/** A text from a telephone: MO_JSON_2 for an SMS, MO_MMS_2 where there is a picture. */
export function composeInfobipInbound(message: Message, url: string, publicUrl: string): Post {
  const common = {
    messageId: message.id,
    from: message.from,
    to: message.to,
    receivedAt: formatInfobipDate(message.acceptedAt),
    price: free,
  };
  const parts = [
    ...(message.text === '' ? [] : [{ contentType: 'text/plain', value: message.text }]),
    ...message.media.map(({ ContentType, Url }) => ({ contentType: ContentType, url: publicUrl + Url })),
  ];
  const result = message.mms
    ? { ...common, message: parts }
    : {
        ...common,
        text: message.text,
        cleanText: message.text,
        keyword: message.text.trim().split(/\s+/)[0]?.toUpperCase() ?? '',
        smsCount: message.parts,
      };
  return {
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ results: [result], messageCount: 1, pendingMessageCount: 0 }),
    timeoutMs,
  };
}

/**
 * 1 minute + 1 minute × retryNumber², up to the 20th retry; `unitMs` stands for the minute.
 * `tries` counts the tries made so far, so the first retry has retryNumber 0.
 */
export function infobipRetryAfterMs(tries: number, unitMs: number): number | undefined {
  return tries > 20 ? undefined : unitMs * (1 + (tries - 1) ** 2);
}
