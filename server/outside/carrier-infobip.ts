import type { Carrier, DoubtfulText, HandOver, OutboundText } from './carrier.ts';
import { type CarrierLine, isRecord, openCarrierLine, parseObject } from './carrier-line.ts';
import { createMediaFetcher } from './fetch-media.ts';
import { handToInfobip } from './infobip-hand.ts';
import { readInfobipInbound, readInfobipReceipts } from './infobip-hooks.ts';
import { infobipDuplicate } from './status-codes.ts';

interface InfobipSettings {
  baseUrl: string;
  apiKey: string;
  webhookSecret: string;
  publicUrl: string;
}

/** AggregatorID 5: many texts per request, and our key is their message id. */
export function infobipCarrier({ baseUrl, apiKey, webhookSecret, publicUrl }: InfobipSettings): Carrier {
  const line = openCarrierLine(baseUrl, `App ${apiKey}`);
  const media = createMediaFetcher(line);
  const receiptsUrl = `${publicUrl}/hooks/infobip/receipts/${encodeURIComponent(webhookSecret)}`;
  return {
    aggregatorId: 5,
    name: 'Infobip',
    slice: 1000,
    refusesRepeats: true,
    async hand(texts) {
      const settled = new Map<string, HandOver>();
      await handToInfobip(line, receiptsUrl, texts, settled);
      return texts.map(({ key }) => settled.get(key) ?? { key, outcome: 'doubt', reason: 'No outcome.' });
    },
    async find(texts) {
      const found = new Map<string, { carrierMessageId: null }>();
      await findIn(line, '/sms/3/logs', texts.filter(isPlain), found);
      await findIn(
        line,
        '/mms/2/logs',
        texts.filter((text) => !isPlain(text)),
        found,
      );
      return found;
    },
    readReceipts: (hook) => readInfobipReceipts(hook, webhookSecret),
    readInbound: (hook) => readInfobipInbound(hook, webhookSecret),
    hookReply: { contentType: 'application/json', body: '{}' },
    fetchMedia: media.fetch,
    async close() {
      await Promise.all([line.close(), media.close()]);
    },
  };
}

function isPlain({ mediaUrls }: OutboundText): boolean {
  return mediaUrls.length === 0;
}

/** The maximum for the filter `messageId`, including commas. */
const mostIdsLength = 2048;
/** The maximum number of entries in a response. */
const mostEntries = 1000;

/** The log covers 48 hours and may be queried 120 times a minute, so the requests go one after the other. */
async function findIn(
  line: CarrierLine,
  path: string,
  texts: DoubtfulText[],
  found: Map<string, { carrierMessageId: null }>,
): Promise<void> {
  for (const ids of splitIds(texts.map(({ key }) => encodeURIComponent(key)))) {
    const exchange = await line.get(`${path}?messageId=${ids.join(',')}&limit=${mostEntries}`);
    if (exchange.kind !== 'reply') {
      throw new Error(`Infobip’s log can’t be asked: ${exchange.reason}.`);
    }
    const results = exchange.status === 200 ? parseObject(exchange.text)?.results : undefined;
    if (!Array.isArray(results))
      throw new Error(`Infobip’s log can’t be read: it answered ${exchange.status}.`);
    const asked = new Set(ids);
    for (const entry of results) {
      if (!isRecord(entry) || typeof entry.messageId !== 'string') continue;
      const isAsked = asked.has(encodeURIComponent(entry.messageId));
      if (isAsked && !isRefused(entry.status)) found.set(entry.messageId, { carrierMessageId: null });
    }
  }
}

/** A refused text is refused again, and this time we get the reason; for a repeat, the first one exists. */
function isRefused(status: unknown): boolean {
  return isRecord(status) && status.groupName === 'REJECTED' && status.id !== infobipDuplicate;
}

function* splitIds(ids: string[]): Generator<string[]> {
  let part: string[] = [];
  let length = 0;
  for (const id of ids) {
    if (part.length > 0 && (length + 1 + id.length > mostIdsLength || part.length === mostEntries)) {
      yield part;
      part = [];
      length = 0;
    }
    length += (part.length === 0 ? 0 : 1) + id.length;
    part.push(id);
  }
  if (part.length > 0) yield part;
}
