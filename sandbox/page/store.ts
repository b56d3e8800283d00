// The page's state. Events only name what changed, and the store fetches it again, so the next event
// makes up for a missed one or a broken connection.
import { useSyncExternalStore } from 'react';
import {
  call,
  type Item,
  type Mail,
  type Phone,
  type PhoneCall,
  type ServedNumber,
  type Stats,
} from './api.ts';
import { followCall } from './calls-store.ts';
import { formatNumber } from './format.ts';

export type State = {
  loaded: boolean;
  online: boolean;
  phones: readonly Phone[];
  messages: ReadonlyMap<string, readonly Item[]>;
  /** Calls of each phone, oldest first. */
  calls: ReadonlyMap<string, readonly PhoneCall[]>;
  numbers: ReadonlyMap<string, ServedNumber>;
  stats: Stats | undefined;
  /** Latest first; undefined until loaded. */
  mails: readonly Mail[] | undefined;
  unreadMails: number;
  /** Goes up whenever the registry's desk changed. */
  registryVersion: number;
  ringing: ReadonlySet<string>;
  /** For screen readers. */
  announcement: string;
};

/** The most phones to show that got a text but were never opened. */
const uninvited = 4;
const listLength = 50;
const ringMs = 2600;
const listEveryMs = 1000;

let state: State = {
  loaded: false,
  online: true,
  phones: [],
  messages: new Map(),
  calls: new Map(),
  numbers: new Map(),
  stats: undefined,
  mails: undefined,
  unreadMails: 0,
  registryVersion: 0,
  ringing: new Set(),
  announcement: '',
};
const listeners = new Set<() => void>();

function change(next: Partial<State>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

export function useSandbox(): State {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

export async function refreshPhone(number: string): Promise<void> {
  const [phone, { Items }, { Items: itsCalls }] = await Promise.all([
    call<Phone>('GET', `/phones/${number}`),
    call<{ Items: Item[] }>('GET', `/phones/${number}/messages`),
    call<{ Items: PhoneCall[] }>('GET', `/phones/${number}/calls`),
  ]);
  const known = state.messages.get(number);
  const messages = new Map(state.messages).set(number, Items);
  const phones = state.phones.map((each) => (each.Number === number ? phone : each));
  const before = currentCall(state.calls.get(number));
  const now = currentCall(itsCalls);
  change({ phones, messages, calls: new Map(state.calls).set(number, itsCalls) });
  followCall(number, now);
  if (now?.State === 'Ringing' && now.Direction === 'in' && before?.CallID !== now.CallID) {
    change({ announcement: `${phone.Name ?? formatNumber(number)}’s phone is ringing` });
  }
  const seen = new Set(known?.map(({ ID }) => ID));
  const arrived = Items.filter(({ ID, Direction }) => Direction === 'in' && !seen.has(ID));
  if (known && arrived.length > 0) ring(phone, arrived);
}

/** The call that the phone is in, if any. */
export function currentCall(calls: readonly PhoneCall[] | undefined): PhoneCall | undefined {
  return calls?.findLast(({ State }) => State !== 'Ended');
}

function ring(phone: Phone, arrived: readonly Item[]): void {
  const number = phone.Number;
  const owner = phone.Name ?? formatNumber(number);
  change({
    ringing: new Set(state.ringing).add(number),
    // Screen readers read the text itself in the conversation, which is a log.
    announcement: arrived.length === 1 ? `New text for ${owner}` : `${arrived.length} new texts for ${owner}`,
  });
  setTimeout(() => {
    const ringing = new Set(state.ringing);
    ringing.delete(number);
    change({ ringing });
    // A visible page counts as read.
    if (document.visibilityState === 'visible') {
      void call('PATCH', `/phones/${number}`, { Read: true }).catch(() => undefined);
    }
  }, ringMs);
}

function roomFor(opened: number): number {
  return Math.max(0, uninvited + 4 - Math.max(4, opened));
}

function hasRoom(phones: readonly Phone[]): boolean {
  const opened = phones.filter(({ Open }) => Open).length;
  return phones.length - opened < roomFor(opened);
}

/** Opened phones first. Of the others, those already on the page come first, so that nothing jumps. */
function choosePhones(listed: readonly Phone[]): Phone[] {
  const opened = listed.filter(({ Open }) => Open);
  const others = new Map(listed.filter(({ Open }) => !Open).map((phone) => [phone.Number, phone]));
  // A full list ends with the latest active ones; a phone on the page may only have dropped off its end.
  const cut = listed.length >= listLength;
  const staying = state.phones.filter(
    (phone) =>
      others.has(phone.Number) ||
      (cut && !phone.Open && !opened.some((each) => each.Number === phone.Number)),
  );
  const numbers = new Set([...staying.map((phone) => phone.Number), ...others.keys()]);
  const chosen = [...numbers].slice(0, roomFor(opened.length));
  return [
    ...opened,
    ...chosen.flatMap((number) => others.get(number) ?? staying.filter((each) => each.Number === number)),
  ];
}

/** Removes the phone from the page. */
export async function closePhone(number: string): Promise<void> {
  await call('DELETE', `/phones/${number}`);
  change({ phones: state.phones.filter((phone) => phone.Number !== number) });
  await refreshList();
}

export async function refreshList(): Promise<void> {
  const { Items } = await call<{ Items: Phone[] }>('GET', `/phones?limit=${listLength}`);
  const phones = choosePhones(Items);
  change({ phones, loaded: true });
  const unknown = phones.filter((phone) => !state.messages.has(phone.Number));
  await Promise.all(unknown.map((phone) => refreshPhone(phone.Number)));
}

async function refreshMails(): Promise<void> {
  const { Items, Unread } = await call<{ Items: Mail[]; Unread: number }>('GET', '/mails?limit=200');
  const before = new Set(state.mails?.map(({ ID }) => ID));
  const [latest] = state.mails ? Items.filter(({ ID }) => !before.has(ID)) : [];
  change({
    mails: Items,
    unreadMails: Unread,
    ...(latest && { announcement: `New email for ${latest.To.join(', ')}` }),
  });
}

/** Shows the change immediately, and tells the sandbox. */
export function readMail(id: string): void {
  const mail = state.mails?.find(({ ID }) => ID === id);
  if (!mail || mail.Read) return;
  change({
    mails: state.mails?.map((each) => (each.ID === id ? { ...each, Read: true } : each)),
    unreadMails: Math.max(0, state.unreadMails - 1),
  });
  void call('PATCH', `/mails/${id}`).catch(() => undefined);
}

export async function emptyMailbox(): Promise<void> {
  await call('DELETE', '/mails');
  await refreshMails();
}

async function refreshAll(): Promise<void> {
  const { Items } = await call<{ Items: ServedNumber[] }>('GET', '/numbers');
  change({ numbers: new Map(Items.map((number) => [number.Number, number])) });
  await refreshList();
  await Promise.all(state.phones.map((phone) => refreshPhone(phone.Number)));
}

let allTimer: ReturnType<typeof setTimeout> | undefined;
let allAt = 0;

/** Immediately, but at most once per `listEveryMs`: a broadcast changes thousands of phones. */
function refreshAllSoon(): void {
  if (allTimer !== undefined) return;
  const waitMs = Math.max(0, allAt + listEveryMs - Date.now());
  allTimer = setTimeout(() => {
    allTimer = undefined;
    allAt = Date.now();
    void refreshAll().catch(() => change({ online: false }));
  }, waitMs);
}

async function follow(event: {
  Phones: string[];
  Many: boolean;
  Mails: boolean;
  Registry: boolean;
  Stats: Stats;
}): Promise<void> {
  change({ stats: event.Stats, online: true });
  if (event.Registry) change({ registryVersion: state.registryVersion + 1 });
  if (event.Mails) void refreshMails().catch(() => change({ online: false }));
  const shown = new Set(state.phones.map((phone) => phone.Number));
  const strangers = event.Phones.some((number) => !shown.has(number));
  if (event.Many || (strangers && hasRoom(state.phones))) refreshAllSoon();
  else await Promise.all(event.Phones.filter((number) => shown.has(number)).map(refreshPhone));
}

/** Opens the event stream; the returned function closes it. */
export function connect(): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource('/events');
    source.onmessage = ({ data }: MessageEvent<string>) => {
      void follow(JSON.parse(data)).catch(() => change({ online: false }));
    };
    source.onerror = () => {
      change({ online: false });
      // The browser reconnects by itself unless it has given up on the address.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, 1500);
    };
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
