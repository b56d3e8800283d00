// The errors for which Infobip refuses a whole request.
import { isRecord } from './http.ts';

export type Violation = { property: string; violation: string };

type Destination = { to?: string; messageId?: string; group?: Destination[] };
export type Segment = { type: string; text?: string; contentUrl?: string };
export type SendRequest = {
  messages: {
    sender?: string;
    destinations: Destination[];
    content: { text?: string; messageSegments?: Segment[] };
    options?: { campaignReferenceId?: string };
    webhooks?: {
      delivery?: { url?: string; intermediateReport?: boolean; notify?: boolean };
      callbackData?: string;
    };
  }[];
  options?: { schedule?: { bulkId?: string; sendAt?: string } };
};

/** The error of the request as a whole; a single invalid recipient is refused in the reply. */
export function checkSend(body: unknown, mms: boolean): Violation[] {
  const found: Violation[] = [];
  const wrong = (property: string, violation: string) => {
    if (found.length < 50) found.push({ property, violation });
  };
  if (!isRecord(body)) return [{ property: 'body', violation: 'must be a JSON object' }];
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    return [{ property: 'messages', violation: 'must not be empty' }];
  }
  for (const [i, message] of body.messages.entries()) {
    const at = `messages[${i}]`;
    if (!isRecord(message)) {
      wrong(at, 'must be an object');
      continue;
    }
    if (message.sender !== undefined && typeof message.sender !== 'string')
      wrong(`${at}.sender`, 'must be text');
    if (!Array.isArray(message.destinations) || message.destinations.length === 0) {
      wrong(`${at}.destinations`, 'must not be empty');
    } else {
      for (let j = 0; j < message.destinations.length; j++) {
        checkDestination(message.destinations[j], `${at}.destinations[${j}]`, mms, wrong);
      }
    }
    if (mms) checkMmsContent(message.content, `${at}.content`, wrong);
    else if (!isRecord(message.content) || typeof message.content.text !== 'string') {
      wrong(`${at}.content.text`, 'must not be null');
    }
    checkWebhooks(message.webhooks, `${at}.webhooks`, wrong);
    if (message.options !== undefined && !isRecord(message.options))
      wrong(`${at}.options`, 'must be an object');
  }
  checkOptions(body.options, wrong);
  return found;
}

type Wrong = (property: string, violation: string) => void;

function checkDestination(destination: unknown, at: string, mms: boolean, wrong: Wrong): void {
  if (!isRecord(destination)) {
    wrong(at, 'must be an object');
    return;
  }
  if (mms && Array.isArray(destination.group)) {
    if (destination.group.length < 1 || destination.group.length > 200) {
      wrong(`${at}.group`, 'size must be between 1 and 200');
    }
    for (const [i, member] of destination.group.entries())
      checkDestination(member, `${at}.group[${i}]`, false, wrong);
    return;
  }
  const { to, messageId } = destination;
  if (typeof to !== 'string') wrong(`${at}.to`, 'must not be null');
  else if (to.length > 64) wrong(`${at}.to`, 'size must be between 0 and 64');
  if (messageId !== undefined && (typeof messageId !== 'string' || messageId.length > 200)) {
    wrong(`${at}.messageId`, 'size must be between 0 and 200');
  }
}

function checkMmsContent(content: unknown, at: string, wrong: Wrong): void {
  if (!isRecord(content) || !Array.isArray(content.messageSegments) || content.messageSegments.length === 0) {
    wrong(`${at}.messageSegments`, 'must not be empty');
    return;
  }
  if (content.title !== undefined && (typeof content.title !== 'string' || content.title.length > 66)) {
    wrong(`${at}.title`, 'size must be between 0 and 66');
  }
  for (const [i, segment] of content.messageSegments.entries()) {
    const type = isRecord(segment) ? segment.type : undefined;
    if (type === 'TEXT') {
      if (typeof segment.text !== 'string' || segment.text.length > 4096) {
        wrong(`${at}.messageSegments[${i}].text`, 'size must be between 0 and 4096');
      }
    } else if (type === 'LINK') {
      const url = typeof segment.contentUrl === 'string' ? URL.parse(segment.contentUrl) : null;
      if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
        wrong(`${at}.messageSegments[${i}].contentUrl`, 'must be a valid URL');
      }
    } else wrong(`${at}.messageSegments[${i}].type`, 'must be TEXT or LINK');
  }
}

function checkWebhooks(webhooks: unknown, at: string, wrong: Wrong): void {
  if (webhooks === undefined) return;
  if (!isRecord(webhooks)) {
    wrong(at, 'must be an object');
    return;
  }
  const { delivery, callbackData } = webhooks;
  if (callbackData !== undefined && (typeof callbackData !== 'string' || callbackData.length > 4000)) {
    wrong(`${at}.callbackData`, 'size must be between 0 and 4000');
  }
  if (delivery === undefined) return;
  const url = isRecord(delivery) ? delivery.url : null;
  if (url === undefined) return;
  const protocol = typeof url === 'string' ? URL.parse(url)?.protocol : undefined;
  if (protocol !== 'http:' && protocol !== 'https:') wrong(`${at}.delivery.url`, 'must be a valid URL');
}

function checkOptions(options: unknown, wrong: Wrong): void {
  if (options === undefined) return;
  const schedule = isRecord(options) ? options.schedule : null;
  if (schedule === undefined) return;
  if (!isRecord(schedule)) {
    wrong('options.schedule', 'must be an object');
    return;
  }
  const { bulkId, sendAt } = schedule;
  if (bulkId !== undefined && (typeof bulkId !== 'string' || bulkId.length > 100)) {
    wrong('options.schedule.bulkId', 'size must be between 0 and 100');
  }
  if (sendAt === undefined) return;
  const ms = parseInfobipDate(sendAt);
  if (ms === undefined)
    wrong('options.schedule.sendAt', 'must be a date such as 2026-11-20T15:00:00.000+0000');
  else if (ms > Date.now() + 180 * 86_400_000) wrong('options.schedule.sendAt', 'must be within 180 days');
}

export function parseInfobipDate(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = Date.parse(value.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(ms) ? undefined : ms;
}
