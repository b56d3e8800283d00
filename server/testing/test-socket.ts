import { io } from 'socket.io-client';
import { onTestFinished } from 'vitest';
import { getSocketKey } from '../../contract/auth.ts';
import type { Event, Presence } from '../../contract/events.ts';
import { eventName, presenceNames, quietName } from '../../contract/socket.ts';
import type { TestApp } from './test-app.ts';

interface TestSocket {
  /** Every packet of events, oldest first. */
  packets: Event[][];
  /** Resolves with the first packet that contains the requested event, including earlier ones. */
  heard(what: Partial<Event>): Promise<Event[]>;
  /** Messages about viewers and typing users, oldest first. */
  presences: Presence[];
  /** Resolves once this message has arrived, or if it did before. */
  heardOf(what: Partial<Presence>): Promise<void>;
  /** Sends a page's message about itself; it may be invalid. */
  say(name: string, given: unknown): void;
  /** Time for which, according to the server, the account has had no events. */
  quietMs(): Promise<number>;
  close(): void;
  /** The server's reason for closing it. */
  closed: Promise<string>;
}

/** A socket like a page's, on any web process; rejects with the server's reason when it is refused. */
export async function openSocket(url: string, key?: string): Promise<TestSocket> {
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    ...(key === undefined ? {} : { auth: { key } }),
  });
  onTestFinished(() => void socket.close());
  const packets: Event[][] = [];
  const presences: Presence[] = [];
  const listeners = new Set<() => void>();
  socket.on(eventName, (events: Event[]) => {
    packets.push(events);
    for (const listener of listeners) listener();
  });
  socket.on(presenceNames.presence, (presence: Presence) => {
    presences.push(presence);
    for (const listener of listeners) listener();
  });
  const closed = new Promise<string>((resolve) => {
    socket.on('disconnect', resolve);
  });
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve);
    socket.on('connect_error', reject);
  });
  function once<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
    });
  }
  return {
    packets,
    presences,
    closed,
    heard: (what) => once(() => packets.find((packet) => packet.some((event) => holds(event, what)))),
    async heardOf(what) {
      await once(() => presences.find((presence) => holds(presence, what)));
    },
    say: (name, given) => void socket.emit(name, given),
    quietMs: () => socket.emitWithAck(quietName),
    close: () => void socket.close(),
  };
}

function holds<T extends object>(given: T, what: Partial<T>): boolean {
  return Object.entries(what).every(([name, value]) => given[name as keyof T] === value);
}

export async function keyOf(app: TestApp, as: { cookie: string }): Promise<string> {
  return (await app.call(getSocketKey, {}, as)).body.Key;
}
