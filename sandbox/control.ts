// The sandbox's own API, for tests and for the page: JSON in the names of the product, no sign-in.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describePerson } from './call-people.ts';
import type { Carrier, ServedNumber } from './carrier.ts';
import { isProvider } from './config.ts';
import { changeFaults, noFaults } from './faults.ts';
import { openFirstPhones } from './first-phones.ts';
import { BadRequest, isRecord, readBody, send, sendJson } from './http.ts';
import type { Mailbox } from './mailbox.ts';
import { MediaError } from './media.ts';
import type { Media, Message } from './message.ts';
import { invalidNumberSentence, parseCarrierNumber, parseHandsetNumber } from './numbers.ts';
import { getOutcome } from './outcomes.ts';
import { dialNumber, getCall, listCalls, sendSound, useCall } from './phone-calls.ts';
import type { Phone } from './phones.ts';
import { describeRule } from './rules.ts';
import { changeSettings } from './settings.ts';

type Arrival = { carrier: Carrier; mailbox: Mailbox; request: IncomingMessage; response: ServerResponse };

export type ControlCall = Arrival & {
  query: URLSearchParams;
  /** The values of the braces in the path, decoded. */
  parameter: string;
  second: string;
};

const routes: Readonly<Record<string, (call: ControlCall) => Promise<void> | void>> = {
  'GET /phones': listPhones,
  'POST /phones': openPhone,
  'GET /phones/{}': getPhone,
  'PATCH /phones/{}': updatePhone,
  'DELETE /phones/{}': closePhone,
  'GET /phones/{}/messages': listMessages,
  'POST /phones/{}/messages': typeMessage,
  'GET /phones/{}/calls': listCalls,
  'POST /phones/{}/calls': dialNumber,
  'GET /phones/{}/calls/{}': getCall,
  'POST /phones/{}/calls/{}': useCall,
  'GET /sounds/{}': sendSound,
  'GET /numbers': listNumbers,
  'PUT /numbers/{}': putNumber,
  'GET /stats': ({ carrier, response }) => sendJson(response, 200, carrier.figures()),
  'GET /faults': ({ carrier, response }) => sendJson(response, 200, carrier.faults),
  'POST /faults': setFaults,
  'DELETE /faults': ({ carrier, response }) => {
    carrier.faults = noFaults;
    carrier.events.allChanged();
    sendJson(response, 200, carrier.faults);
  },
  'GET /settings': ({ carrier, response }) => sendJson(response, 200, carrier.settings),
  'PUT /settings': putSettings,
  'GET /mails': listMails,
  'DELETE /mails': ({ mailbox, response }) => {
    mailbox.empty();
    response.writeHead(204).end();
  },
  'PATCH /mails/{}': readMail,
  'POST /reset': ({ carrier, mailbox, response }) => {
    mailbox.empty();
    carrier.reset();
    openFirstPhones(carrier);
    response.writeHead(204).end();
  },
  'GET /events': ({ carrier, response }) => carrier.events.connect(response),
  'GET /media/{}': sendMedia,
};

/** False when the path is none of the control API's. */
export async function serveControl(arrival: Arrival, path: string): Promise<boolean> {
  const { request } = arrival;
  const [, first = '', second, third, fourth, more] = path.split('/');
  const pattern =
    `/${first}${second === undefined ? '' : '/{}'}${third === undefined ? '' : `/${third}`}` +
    `${fourth === undefined ? '' : '/{}'}`;
  const known = Object.keys(routes).some((key) => key.endsWith(` ${pattern}`));
  if (!known || more !== undefined) return false;
  const route = routes[`${request.method === 'HEAD' ? 'GET' : request.method} ${pattern}`];
  if (!route) throw new BadRequest(`${request.method} is not possible here.`, 405);
  refuseStrangers(request);
  const query = new URL(request.url ?? '/', 'http://sandbox').searchParams;
  await route({ ...arrival, query, parameter: decode(second ?? ''), second: decode(fourth ?? '') });
  return true;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new BadRequest('The address is not written correctly.');
  }
}

/** Another site in the same browser must not type on these telephones: there is no sign-in to stop it. */
function refuseStrangers(request: IncomingMessage): void {
  const { origin, host } = request.headers;
  if (request.method === 'GET' || origin === undefined) return;
  if (URL.parse(origin)?.host !== host) throw new BadRequest('This page may not use the sandbox.', 403);
}

export async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const body = (await readBody(request)).toString('utf8');
  if (body.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new BadRequest('The request is not valid JSON.');
  }
  if (!isRecord(value)) throw new BadRequest('The request must be a JSON object.');
  return value;
}

export function readHandset(raw: unknown): string {
  const number =
    typeof raw === 'string' || typeof raw === 'number' ? parseHandsetNumber(String(raw)) : undefined;
  if (number === undefined) throw new BadRequest(invalidNumberSentence);
  return number;
}

function readName(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > 100)
    throw new BadRequest('Name must be text of at most 100 characters.');
  return value.trim() || undefined;
}

function composeItem(message: Message, request: IncomingMessage) {
  const base = `http://${request.headers.host ?? 'localhost'}`;
  const status = message.direction === 'in' || message.done ? getOutcome(message.outcome).label : 'Sending';
  return {
    ID: message.id,
    From: message.from,
    To: message.to,
    Text: message.text,
    Media: message.media.map(({ ContentType, Url }) => ({
      ContentType,
      Url: Url.startsWith('/') ? base + Url : Url,
    })),
    At: new Date(message.direction === 'in' ? message.endedAt : message.acceptedAt).toISOString(),
    Direction: message.direction,
    Status: status,
    Provider: message.provider,
  };
}

function composePhone(phone: Phone, request: IncomingMessage) {
  const last = phone.messages.at(-1);
  return {
    Number: phone.number,
    Name: phone.name ?? null,
    State: phone.state,
    Open: phone.open,
    Unread: phone.unread,
    Waiting: phone.waiting.length,
    Rule: describeRule(phone.number) ?? null,
    CallRule: describePerson(phone.number) ?? null,
    LastMessage: last ? composeItem(last, request) : null,
  };
}

function readLimit(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new BadRequest('limit must be from 1 to 1000.');
  return limit;
}

function listMails({ mailbox, response, query }: ControlCall): void {
  const Items = mailbox.list(query.get('to') ?? undefined, readLimit(query));
  sendJson(response, 200, { Items, Unread: mailbox.unread });
}

/** Opening a mail reads it: there is nothing else to change about one. */
function readMail({ mailbox, response, parameter }: ControlCall): void {
  const mail = mailbox.read(parameter);
  if (!mail) throw new BadRequest('There is no such mail.', 404);
  response.writeHead(204).end();
}

function listPhones({ carrier, request, response, query }: ControlCall): void {
  const phones = carrier.phones.list(readLimit(query));
  sendJson(response, 200, {
    Items: phones.map((phone) => composePhone(phone, request)),
    Size: phones.length,
  });
}

function changed(carrier: Carrier, phone: Phone): void {
  carrier.phones.settle(phone);
  carrier.journal?.phone(phone);
  carrier.events.phoneChanged(phone.number);
}

async function openPhone({ carrier, request, response }: ControlCall): Promise<void> {
  const body = await readJson(request);
  const phone = carrier.phones.get(readHandset(body.Number));
  phone.name = readName(body.Name) ?? phone.name;
  phone.open = true;
  phone.hidden = false;
  changed(carrier, phone);
  sendJson(response, 201, composePhone(phone, request));
}

function getPhone({ carrier, request, response, parameter }: ControlCall): void {
  sendJson(response, 200, composePhone(carrier.phones.get(readHandset(parameter)), request));
}

async function updatePhone({ carrier, request, response, parameter }: ControlCall): Promise<void> {
  const number = readHandset(parameter);
  const body = await readJson(request);
  const state = body.State;
  if (state !== undefined && state !== 'Awake' && state !== 'Asleep') {
    throw new BadRequest('State must be Awake or Asleep.');
  }
  if (body.Read !== undefined && typeof body.Read !== 'boolean')
    throw new BadRequest('Read must be true or false.');
  const name = readName(body.Name);
  const phone = carrier.phones.get(number);
  if (body.Name !== undefined) phone.name = name;
  if (body.Read === true) phone.unread = 0;
  if (state !== undefined) phone.state = state;
  changed(carrier, phone);
  if (phone.state === 'Awake') carrier.wake(phone);
  sendJson(response, 200, composePhone(phone, request));
}

function closePhone({ carrier, response, parameter }: ControlCall): void {
  const phone = carrier.phones.find(readHandset(parameter));
  if (phone) {
    phone.open = false;
    phone.hidden = true;
    changed(carrier, phone);
  }
  response.writeHead(204).end();
}

function listMessages({ carrier, request, response, parameter }: ControlCall): void {
  const phone = carrier.phones.find(readHandset(parameter));
  const kept = phone?.messages.slice(-carrier.settings.KeepMessages) ?? [];
  sendJson(response, 200, { Items: kept.map((message) => composeItem(message, request)) });
}

async function typeMessage({ carrier, request, response, parameter }: ControlCall): Promise<void> {
  const from = readHandset(parameter);
  const body = await readJson(request);
  const to = typeof body.To === 'string' ? parseCarrierNumber(body.To) : undefined;
  if (to === undefined) throw new BadRequest('To must be the number that the text goes to.');
  const text = body.Text ?? '';
  if (typeof text !== 'string' || text.length > 1600)
    throw new BadRequest('Text must be at most 1600 characters.');
  const media = await readMedia(carrier, body.Media);
  if (text === '' && media.length === 0) throw new BadRequest('Write a text or attach a picture.');
  const message = carrier.type(from, to, text, media);
  sendJson(response, 201, composeItem(message, request));
}

async function readMedia(carrier: Carrier, value: unknown): Promise<Media[]> {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > 10)
    throw new BadRequest('Media must be a list of at most 10 pictures.');
  try {
    return await Promise.all(
      value.map(async (each: unknown) => {
        const url = isRecord(each) ? each.Url : each;
        if (typeof url === 'string') return await carrier.media.fetch(url);
        if (isRecord(each) && typeof each.ContentType === 'string' && typeof each.Data === 'string') {
          return carrier.media.keep(each.ContentType, Buffer.from(each.Data, 'base64'));
        }
        throw new BadRequest('Each of Media must be an address, or ContentType and Data in base64.');
      }),
    );
  } catch (error) {
    if (error instanceof MediaError) throw new BadRequest(error.message);
    throw error;
  }
}

function composeNumber(number: string, served: ServedNumber) {
  return {
    Number: number,
    Provider: served.provider,
    InboundUrl: served.inboundUrl ?? null,
    VoiceUrl: served.voiceUrl ?? null,
    Name: served.name ?? null,
    Learned: served.learned,
  };
}

function listNumbers({ carrier, response }: ControlCall): void {
  sendJson(response, 200, {
    Items: [...carrier.numbers].map(([number, served]) => composeNumber(number, served)),
  });
}

function readUrl(body: Record<string, unknown>, name: string): string | undefined {
  const url = body[name] ?? undefined;
  if (url === undefined) return undefined;
  if (typeof url !== 'string' || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new BadRequest(`${name} must begin with http:// or https://.`);
  }
  return url;
}

async function putNumber({ carrier, request, response, parameter }: ControlCall): Promise<void> {
  const number = parseCarrierNumber(parameter);
  if (number === undefined) throw new BadRequest(invalidNumberSentence);
  const body = await readJson(request);
  const provider = body.Provider ?? carrier.numbers.get(number)?.provider;
  if (!isProvider(provider) || provider === 'asterisk')
    throw new BadRequest('Provider must be infobip, smpp or twilio.');
  const url = readUrl(body, 'InboundUrl');
  const voiceUrl = readUrl(body, 'VoiceUrl');
  const voiceStatusUrl = readUrl(body, 'VoiceStatusUrl');
  const name = readName(body.Name);
  const served: ServedNumber = {
    provider,
    learned: false,
    ...(url !== undefined && { inboundUrl: url }),
    ...(voiceUrl !== undefined && { voiceUrl }),
    ...(voiceStatusUrl !== undefined && { voiceStatusUrl }),
    ...(name !== undefined && { name }),
  };
  carrier.numbers.set(number, served);
  carrier.journal?.number(number, served);
  carrier.events.allChanged();
  sendJson(response, 200, composeNumber(number, served));
}

async function setFaults({ carrier, request, response }: ControlCall): Promise<void> {
  carrier.faults = changeFaults(carrier.faults, await readJson(request));
  if (carrier.faults.Seed !== null) carrier.random.reseed(carrier.faults.Seed);
  carrier.events.allChanged();
  sendJson(response, 200, carrier.faults);
}

async function putSettings({ carrier, request, response }: ControlCall): Promise<void> {
  carrier.settings = changeSettings(carrier.settings, await readJson(request));
  carrier.events.allChanged();
  sendJson(response, 200, carrier.settings);
}

function sendMedia({ carrier, response, parameter }: ControlCall): void {
  const picture = carrier.media.find(parameter);
  if (!picture) throw new BadRequest('There is no such picture.', 404);
  send(response, 200, picture.contentType, picture.bytes);
}
