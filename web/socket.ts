import { type Event, event, type Presence, presence } from '../contract/events.ts';

// Fetched once the page is drawn: the socket's own script, and what reads what it brings.
export { io } from 'socket.io-client';

/** One or many events as they come off the wire; what a newer server says and we don't know is left out. */
export function readEvents(payload: unknown): Event[] {
  return (Array.isArray(payload) ? payload : [payload]).flatMap((item) => {
    const read = event.safeParse(item);
    return read.success ? [read.data] : [];
  });
}

export function readPresence(payload: unknown): Presence | undefined {
  return presence.safeParse(payload).data;
}
