import { WebSocket } from 'undici';
import type { AsteriskLine } from './asterisk-line.ts';
import type { CallEar } from './calls.ts';
import { isRecord, parseObject } from './carrier-line.ts';

/** Intervals for checking whether this process leads, and for reopening a lost connection. */
const tickMs = 2_000;
const againMs = 500;
/** A connection attempt that takes longer than this is given up. */
const openMs = 5_000;

interface Hearing {
  /** The connection is open, for the first time or again: events in between were missed. */
  opened: () => void;
  heard: (event: Record<string, unknown>) => void;
}

/**
 * The connection over which Asterisk reports the events of calls. Asterisk has one such connection per
 * application and the newer one wins, so only the process that leads opens it; if it dies, another one leads
 * after some seconds.
 */
export function openAsteriskEvents(line: AsteriskLine, ear: CallEar, { opened, heard }: Hearing) {
  let socket: WebSocket | undefined;
  let isOpen = false;
  let isLeading = false;
  let isClosing = false;
  let isTold = false;
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> | undefined;

  function connect(): void {
    const mine = new WebSocket(line.events.url, { headers: { authorization: line.events.authorization } });
    socket = mine;
    const late = setTimeout(() => mine.close(), openMs);
    mine.addEventListener('open', () => {
      clearTimeout(late);
      isOpen = true;
      if (isTold) ear.warn({}, 'Asterisk can be reached again');
      isTold = false;
      opened();
    });
    mine.addEventListener('message', ({ data }) => {
      const event = typeof data === 'string' ? parseObject(data) : undefined;
      if (!isRecord(event)) return;
      // Another process has taken over. The leader handles it.
      if (event.type === 'ApplicationReplaced') mine.close();
      else if (mine === socket) heard(event);
    });
    mine.addEventListener('error', () => undefined);
    mine.addEventListener('close', () => {
      clearTimeout(late);
      if (mine !== socket) return;
      socket = undefined;
      isOpen = false;
      if (isClosing) return;
      if (isLeading && !isTold) {
        isTold = true;
        ear.warn({}, 'Asterisk can’t be reached; no call begins until it can');
      }
      plan(againMs);
    });
  }

  async function tick(): Promise<void> {
    try {
      isLeading = await ear.lead();
    } catch {
      // Without the database nobody else can take over either.
    }
    if (isClosing) return;
    if (isLeading && socket === undefined) connect();
    else if (!isLeading) socket?.close();
    plan(tickMs);
  }

  function plan(ms: number): void {
    clearTimeout(timer);
    if (isClosing) return;
    timer = setTimeout(() => {
      ticking = tick();
    }, ms);
  }

  plan(0);
  return {
    isOpen: () => isOpen,
    /** True if this process should be connected and isn't. */
    isLost: () => isLeading && isTold,
    async close() {
      isClosing = true;
      clearTimeout(timer);
      await ticking;
      const mine = socket;
      socket = undefined;
      isOpen = false;
      mine?.close();
      if (isLeading) await ear.leave().catch(() => undefined);
    },
  };
}
