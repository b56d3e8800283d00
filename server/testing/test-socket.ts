import { io } from 'socket.io-client';
import { onTestFinished } from 'vitest';
import { getSocketKey } from '../../contract/auth.ts';
import { type Event, eventName } from '../../contract/events.ts';
import type { TestApp } from './test-app.ts';

interface TestSocket {
  /** Every packet of events that came, oldest first. */
  packets: Event[][];
  /** Resolves with the first packet that holds what was asked for, also one that came before. */
  heard(what: Partial<Event>): Promise<Event[]>;
  /** Why the server closed it. */
  closed: Promise<string>;
}

/** A socket as a page opens one, on any web process; rejects with the server's word when it is refused. */
export async function openSocket(url: string, key?: string): Promise<TestSocket> {
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    ...(key === undefined ? {} : { auth: { key } }),
  });
  onTestFinished(() => void socket.close());
  const packets: Event[][] = [];
  const listeners = new Set<() => void>();
  socket.on(eventName, (events: Event[]) => {
    packets.push(events);
    for (const listener of listeners) listener();
  });
  const closed = new Promise<string>((resolve) => {
    socket.on('disconnect', resolve);
  });
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve);
    socket.on('connect_error', reject);
  });
  return {
    packets,
    closed,
    heard: (what) =>
      new Promise((resolve) => {
        const holds = (event: Event) =>
          Object.entries(what).every(([name, value]) => event[name as keyof Event] === value);
        const look = () => {
          const found = packets.find((packet) => packet.some(holds));
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
  };
}

export async function keyOf(app: TestApp, as: { cookie: string }): Promise<string> {
  return (await app.call(getSocketKey, {}, as)).body.Key;
}
