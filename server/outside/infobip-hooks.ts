import { z } from 'zod';
import { isStorableText, toStorableText } from '../../contract/text/storable-text.ts';
import { nowMs } from '../clock.ts';
import { type Hook, HookRefused, type InboundText, type Receipt } from './carrier.ts';
import { parseObject } from './carrier-line.ts';
import { readCarrierPhone } from './carrier-phone.ts';
import { equalSecrets } from './equal-secrets.ts';
import { infobipDuplicate, infobipTextStatus } from './status-codes.ts';

/**
 * The results in a webhook. Infobip signs nothing: the secret in the URL is the proof. A body that isn't
 * Infobip's is refused rather than acknowledged, since an acknowledged batch isn't repeated.
 */
function readResults(hook: Hook, webhookSecret: string): unknown[] {
  if (!equalSecrets(hook.secret, webhookSecret)) throw new HookRefused('The webhook has a wrong secret.');
  const results = parseObject(hook.body.toString('utf8'))?.results;
  if (!Array.isArray(results)) throw new HookRefused('The webhook has no results.');
  return results;
}

const code = z.object({
  id: z.number().catch(0),
  groupName: z.string().catch(''),
  name: z.string().catch(''),
});

const receiptResult = z.object({
  messageId: z.string().min(1).max(200),
  status: code,
  error: code.optional().catch(undefined),
  doneAt: z.string().optional().catch(undefined),
});

/**
 * Invalid entries are skipped and don't stop the others. Thousands per second pass through here: a receipt
 * costs some 4.5 microseconds: 2.8 for JSON.parse and about 1 for zod.
 */
export function readInfobipReceipts(hook: Hook, webhookSecret: string): Receipt[] {
  const receipts: Receipt[] = [];
  const at = nowMs();
  for (const result of readResults(hook, webhookSecret)) {
    const receipt = readReceipt(result, at);
    if (receipt !== undefined) receipts.push(receipt);
  }
  return receipts;
}

function readReceipt(result: unknown, at: number): Receipt | undefined {
  const parsed = receiptResult.safeParse(result);
  if (!parsed.success) return undefined;
  const { messageId: key, status, error, doneAt } = parsed.data;
  // The report of a refused repeat: the first one is on its way and has its own reports.
  if (status.id === infobipDuplicate || !isStorableText(key)) return undefined;
  const textStatus = infobipTextStatus(status.groupName, status.id, error?.id ?? 0);
  if (textStatus === undefined) return undefined;
  const isGood = textStatus === 'delivered' || textStatus === 'sent';
  return {
    key,
    status: textStatus,
    carrierMessageId: null,
    error: isGood ? null : describeInfobipCode(error !== undefined && error.id !== 0 ? error : status),
    occurredAt: new Date(readInfobipDate(doneAt, at)),
  };
}

export function describeInfobipCode({ id, name }: { id?: unknown; name?: unknown }): string {
  const text = typeof name === 'string' && name !== '' ? `${id} ${name}` : String(id);
  return toStorableText(text.slice(0, 200));
}

/** Many reports have the same time: the last parsed one is cached. */
let lastText = '';
let lastMs = Number.POSITIVE_INFINITY;

/**
 * 2026-11-20T15:00:00.000+0000: its offset has no colon. Never later than `at`, which is also used when it is
 * missing.
 */
function readInfobipDate(value: string | undefined, at: number): number {
  if (value === undefined) return at;
  if (value !== lastText) {
    lastText = value;
    const ms = Date.parse(
      value.endsWith('+0000') ? `${value.slice(0, -5)}Z` : value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'),
    );
    lastMs = Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms;
  }
  return Math.min(lastMs, at);
}

const segment = z.object({
  contentType: z.string().optional(),
  url: z.string().optional(),
  value: z.string().optional(),
});

/** Both forms of an inbound text: MO_JSON_2 has `text`, MO_MMS_2 has `message`. */
const inboundResult = z.object({
  messageId: z.string().min(1).max(200),
  from: z.string(),
  to: z.string(),
  receivedAt: z.string().optional(),
  text: z.string().nullish(),
  message: z.array(segment).optional(),
});

export function readInfobipInbound(hook: Hook, webhookSecret: string): InboundText[] {
  const texts: InboundText[] = [];
  const at = nowMs();
  for (const result of readResults(hook, webhookSecret)) {
    const parsed = inboundResult.safeParse(result);
    if (!parsed.success) continue;
    const { messageId, text, message = [] } = parsed.data;
    const from = readCarrierPhone(parsed.data.from);
    const to = readCarrierPhone(parsed.data.to);
    if (from === undefined || to === undefined) continue;
    const lines = text == null ? [] : [text];
    const media: InboundText['media'] = [];
    for (const { contentType = 'application/octet-stream', url, value } of message) {
      // The layout of the parts, which telephones also send, is not displayed.
      if (contentType.startsWith('application/smil')) continue;
      if (url !== undefined)
        media.push({ contentType: toStorableText(contentType), url: toStorableText(url) });
      else if (value !== undefined && contentType.startsWith('text/plain')) lines.push(value);
    }
    texts.push({
      inboundKey: `infobip:${toStorableText(messageId)}`,
      from,
      to,
      body: toStorableText(lines.join('\n')),
      media,
      occurredAt: new Date(readInfobipDate(parsed.data.receivedAt, at)),
    });
  }
  return texts;
}
