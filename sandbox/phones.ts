import type { Message } from './message.ts';
import { RecentMap } from './recent-map.ts';
import { ruleFor } from './rules.ts';

type PhoneState = 'Awake' | 'Asleep';

export type Phone = {
  readonly number: string;
  name: string | undefined;
  state: PhoneState;
  /** Somebody wants this one on the page. */
  open: boolean;
  /** Closed by hand: not on the page until something arrives. */
  hidden: boolean;
  unread: number;
  /** Oldest first. */
  messages: Message[];
  /** Texts that wait at the carrier because the telephone is asleep. */
  waiting: Message[];
  /** Number of calls it had. */
  calls: number;
  lastAt: number;
  lastAutomaticAnswerAt: number;
};

/** Telephones with messages that are remembered; the least recently active is forgotten first. */
const rememberedPhones = 20_000;
/** And never more than about this many messages on telephones that nobody opened. */
const rememberedMessages = 300_000;

/** The telephones of the world. Every number has one; those that nobody looks at are forgotten in time. */
export class Phones {
  /** Opened, named or asleep: never forgotten. In the order they were opened. */
  #kept = new Map<string, Phone>();
  #recent = new RecentMap<Phone>(rememberedPhones);
  #messagesSinceTurn = 0;

  find(number: string): Phone | undefined {
    return this.#kept.get(number) ?? this.#recent.get(number);
  }

  get(number: string): Phone {
    return this.find(number) ?? this.#create(number);
  }

  /** Call after `open`, `name` or `state` changed. */
  settle(phone: Phone): void {
    if (phone.open || phone.name !== undefined || phone.state === 'Asleep') {
      this.#recent.delete(phone.number);
      this.#kept.set(phone.number, phone);
    } else if (this.#kept.delete(phone.number)) {
      this.#recent.set(phone.number, phone);
    }
  }

  /** Puts the message on the telephone's screen. */
  add(phone: Phone, message: Message, at: number, keepMessages: number): void {
    // Nearly always at the end; but the journal records typed and delivered texts in its own order. Texts of
    // the same moment are ordered as they were accepted, so that a restart doesn't reorder them.
    let place = phone.messages.length;
    while (place > 0 && isLater(phone.messages[place - 1], at, message.seq)) place -= 1;
    phone.messages.splice(place, 0, message);
    // Cut in strides, so that a busy telephone doesn't move its whole list for every message.
    if (phone.messages.length > keepMessages + 64) {
      phone.messages.splice(0, phone.messages.length - keepMessages);
    }
    phone.lastAt = at;
    phone.hidden = false;
    if (message.direction === 'in') phone.unread += 1;
    if (this.#kept.has(phone.number)) return;
    this.#recent.set(phone.number, phone);
    this.#messagesSinceTurn += 1;
    if (this.#messagesSinceTurn * 2 > rememberedMessages) {
      this.#messagesSinceTurn = 0;
      this.#recent.turn();
    }
  }

  /** Opened ones in their order, then the latest active. */
  list(limit: number): Phone[] {
    const opened = [...this.#kept.values()].filter((phone) => phone.open);
    const others: Phone[] = [];
    for (const phone of this.all()) {
      if (
        !phone.open &&
        !phone.hidden &&
        (phone.messages.length > 0 || phone.waiting.length > 0 || phone.calls > 0)
      ) {
        others.push(phone);
      }
    }
    others.sort((a, b) => b.lastAt - a.lastAt);
    return [...opened, ...others].slice(0, Math.max(limit, opened.length));
  }

  *all(): Generator<Phone> {
    yield* this.#kept.values();
    yield* this.#recent.values();
  }

  clear(): void {
    this.#kept.clear();
    this.#recent.clear();
    this.#messagesSinceTurn = 0;
  }

  #create(number: string): Phone {
    const phone: Phone = {
      number,
      name: undefined,
      state: ruleFor(number).startsAsleep ? 'Asleep' : 'Awake',
      open: false,
      hidden: false,
      unread: 0,
      messages: [],
      waiting: [],
      calls: 0,
      lastAt: 0,
      lastAutomaticAnswerAt: 0,
    };
    if (phone.state === 'Asleep') this.#kept.set(number, phone);
    else this.#recent.set(number, phone);
    return phone;
  }
}

/** A message is shown on the screen from the time it arrived at the phone, or was typed on it. */
function isLater(message: Message | undefined, at: number, seq: number): boolean {
  if (message === undefined) return false;
  const shownAt = message.direction === 'in' ? message.endedAt : message.acceptedAt;
  return shownAt > at || (shownAt === at && message.seq > seq);
}
