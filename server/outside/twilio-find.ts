import type { DoubtfulText } from './carrier.ts';
import { type CarrierLine, isRecord, parseObject } from './carrier-line.ts';
import { readId } from './twilio-hooks.ts';

interface Listed {
  sid: string;
  body: string;
  createdAt: number;
}

const pageSize = 50;
const mostPages = 5;
/** Twilio's dates have no milliseconds, and its clock isn't ours. */
const toleranceMs = 5_000;
const lookBackMs = 10_000;
const threadsAtOnce = 5;

/**
 * Twilio can't be queried by our key: the message between the two numbers since the try, with the same words,
 * is the text. A message there matches one text only, the earlier message the earlier text.
 */
export async function findAtTwilio(
  line: CarrierLine,
  messagesPath: string,
  texts: DoubtfulText[],
): Promise<Map<string, { carrierMessageId: string }>> {
  const found = new Map<string, { carrierMessageId: string }>();
  const threads = [...Map.groupBy(texts, ({ from, to }) => `${from} ${to}`).values()];
  async function work(): Promise<void> {
    for (let thread = threads.pop(); thread !== undefined; thread = threads.pop()) {
      const listed = await listThread(line, messagesPath, thread);
      for (const [key, carrierMessageId] of matchTexts(thread, listed)) found.set(key, { carrierMessageId });
    }
  }
  await Promise.all(Array.from({ length: Math.min(threadsAtOnce, threads.length) }, work));
  return found;
}

/** The outbound messages of one thread, back to a little before the first try. */
async function listThread(line: CarrierLine, messagesPath: string, texts: DoubtfulText[]): Promise<Listed[]> {
  const { from = '', to = '', rcsAgent } = texts[0] ?? {};
  const since = Math.min(...texts.map((text) => text.since.getTime())) - lookBackMs;
  // Messages sent as RCS come from the agent, and those waiting for a check have no sender yet.
  const sender: Record<string, string> = rcsAgent ? {} : { From: `+${from}` };
  const query = new URLSearchParams({ To: `+${to}`, ...sender, PageSize: String(pageSize) });
  const listed: Listed[] = [];
  let exchange = await line.get(`${messagesPath}?${query}`);
  for (let page = 1; ; page++) {
    if (exchange.kind !== 'reply') throw new Error(`Twilio’s messages can’t be asked: ${exchange.reason}.`);
    const reply = exchange.status === 200 ? parseObject(exchange.text) : undefined;
    if (!Array.isArray(reply?.messages)) {
      throw new Error(`Twilio’s messages can’t be read: it answered ${exchange.status}.`);
    }
    let oldest = Number.POSITIVE_INFINITY;
    for (const message of reply.messages) {
      if (!isRecord(message)) continue;
      const createdAt = Date.parse(String(message.date_created));
      if (createdAt < oldest) oldest = createdAt;
      const sid = readId(message.sid);
      const isOutbound = String(message.direction).startsWith('outbound');
      if (sid === undefined || !isOutbound || typeof message.body !== 'string') continue;
      const isOurs = message.from === `+${from}` || message.messaging_service_sid === rcsAgent;
      if (rcsAgent && !isOurs) continue;
      listed.push({ sid, body: message.body, createdAt });
    }
    const next = findPath(line, reply.next_page_uri);
    if (next === undefined || page === mostPages || oldest < since) return listed;
    exchange = await line.getFromRoot(next);
  }
}

/** The URL of the next page, if it is on the carrier's own host: it gets the credentials. */
function findPath(line: CarrierLine, uri: unknown): string | undefined {
  const url = typeof uri === 'string' && uri !== '' ? URL.parse(uri, line.origin) : null;
  return url?.origin === line.origin ? url.pathname + url.search : undefined;
}

/**
 * Earliest text, earliest message: this order doesn't use up a message that only a later text could match.
 */
function matchTexts(texts: DoubtfulText[], listed: Listed[]): Map<string, string> {
  const matched = new Map<string, string>();
  const taken = new Set(texts.flatMap(({ otherIds }) => otherIds));
  const messages = listed.toSorted((a, b) => a.createdAt - b.createdAt);
  for (const { key, body, since } of texts.toSorted((a, b) => a.since.getTime() - b.since.getTime())) {
    const earliest = since.getTime() - toleranceMs;
    const message = messages.find((each) => {
      return each.body === body && each.createdAt >= earliest && !taken.has(each.sid);
    });
    if (message === undefined) continue;
    taken.add(message.sid);
    matched.set(key, message.sid);
  }
  return matched;
}
