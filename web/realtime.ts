import type { Query, QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Socket } from 'socket.io-client';
import { getSocketKey } from '../contract/addresses/auth.gen.ts';
import type { Event } from '../contract/events.ts';
import { eventName, presenceNames, quietName, socketLimits } from '../contract/socket.ts';
import { callApi } from './api.ts';
import { gatherFor } from './queries/gather.ts';
import { connectPresence, hearPresence } from './queries/presence.ts';
import { type Stale, staleAfter, threadPath } from './queries/stale-after.ts';

/**
 * connecting → live: the socket says what changed.
 * live → polling: the socket broke; what is on the screen is fetched every few seconds until it is back.
 * any → offline: the server can't be reached at all (or the browser says so); polling goes on and finds out.
 */
export type Connection = 'connecting' | 'live' | 'polling' | 'offline';

type SocketScript = Pick<typeof import('./socket.ts'), 'io' | 'readEvents' | 'readPresence'>;

let connection: Connection = 'connecting';
const listeners = new Set<() => void>();

function become(next: Connection): void {
  if (connection === next) return;
  connection = next;
  for (const listener of listeners) listener();
}

/** Hears whenever the connection has become another. */
export function hearConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True if the server answered when it was last asked. */
export function isReachable(): boolean {
  return connection === 'live' || connection === 'polling';
}

export function useConnection(): Connection {
  return useSyncExternalStore(hearConnection, () => connection);
}

/** Interval at which queries that show a broadcast are refetched while it goes out. */
const BROADCAST_MS = 1_000;
/**
 * Delay before everything around the open thread is refetched: at once where little happens, twice a second while
 * texts come by the hundred, because nobody can read a list that never stops moving. The thread itself doesn't wait
 * for it.
 */
const aroundMs = (stale: number) => (stale > 20 ? 500 : 100);
const isGathered = ({ type }: Event) => type === 'broadcast.changed' || type === 'broadcasts.changed';

const hearers = new Set<(happened: Event) => void>();

/** For effects beyond fresh data: the sound and the notification of a new text. */
export function hearEvents(hear: (happened: Event) => void): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

function onceEach<Item>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/** 2^n seconds plus one to two seconds of jitter, at most a minute. */
export function serverDisconnectDelayMs(times: number, random: () => number = Math.random): number {
  return Math.min(2 ** times * 1000 + 1000 + random() * 1000, socketLimits.serverDisconnectMaxMs);
}

/**
 * Fetches a query again, once at a time. A fetch that was already under way may have been answered
 * before the event: it is let finish (canceling it at every event would starve a busy list) and then
 * repeated once.
 */
function createFreshener(client: QueryClient): (query: Query) => Promise<void> {
  const dirty = new Set<Query>();
  const busy = new Set<Query>();
  return async (query) => {
    dirty.add(query);
    if (busy.has(query)) return;
    busy.add(query);
    try {
      while (dirty.delete(query)) {
        if (query.state.fetchStatus === 'fetching') {
          // Awaited explicitly: invalidating doesn't wait for a query without observers, and this would spin.
          dirty.add(query);
          await query.fetch(undefined, { cancelRefetch: false }).catch(() => undefined);
        } else {
          await client.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
        }
      }
    } finally {
      busy.delete(query);
    }
  };
}

/** By both clocks: one stops while a computer sleeps, the other may be set back. */
function pageAgeMs(): number {
  return Math.max(performance.now(), Date.now() - performance.timeOrigin);
}

/**
 * Resolves when the browser has drawn what it has, or after a second and a half: the page comes before the socket.
 */
function untilDrawn(): Promise<void> {
  return new Promise((done) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => done(), { timeout: 1_500 });
    else setTimeout(done, 300);
  });
}

/** Keeps the signed-in pages fresh until the returned function is called. */
export function startRealtime(client: QueryClient): () => void {
  const freshen = createFreshener(client);
  let socket: Socket | undefined;
  let stopped = false;
  let starting = false;
  let serverDisconnects = 0;
  let connectedAt = 0;
  let restart: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;

  const queriesOf = ({ path, params }: Stale) =>
    client.getQueryCache().findAll({ queryKey: params ? [path, params] : [path] });
  const around = gatherFor<Stale>(aroundMs, (stale) => {
    for (const query of onceEach(stale).flatMap(queriesOf)) void freshen(query);
  });
  /** The open thread first: what somebody reads should not wait for the lists around it. */
  const freshenEach = async (stale: Stale[]) => {
    const isThread = ({ path }: Stale) => path === threadPath;
    await Promise.all(stale.filter(isThread).flatMap(queriesOf).map(freshen));
    if (!stopped) around.add(stale.filter((item) => !isThread(item)));
  };
  const broadcasts = gatherFor<Event>(
    BROADCAST_MS,
    (events) => void freshenEach(onceEach(events).flatMap(staleAfter)),
  );
  const freshenAll = () => {
    for (const query of client.getQueryCache().findAll()) void freshen(query);
  };

  const pollOnce = async () => {
    if (navigator.onLine === false) {
      become('offline');
      return;
    }
    const active = client.getQueryCache().findAll({ type: 'active' });
    await Promise.all(active.map(freshen));
    if (stopped || connection === 'live' || active.length === 0) return;
    // Refusals are answers; only a server that can't be reached is offline.
    const unreachable = active.every((query) => query.state.error instanceof TypeError);
    become(unreachable ? 'offline' : 'polling');
  };
  const startPolling = () => {
    poll ??= setInterval(() => void pollOnce(), socketLimits.pollMs);
  };
  const stopPolling = () => {
    clearInterval(poll);
    poll = undefined;
  };

  const startIn = (delayMs: number) => {
    clearTimeout(restart);
    restart = setTimeout(() => void start(), delayMs);
  };

  const start = async () => {
    if (stopped || starting || socket?.connected) return;
    starting = true;
    socket?.close();
    try {
      const { io, readEvents, readPresence } = await import('./socket.ts');
      const { Key } = await callApi(getSocketKey, {}, { missing: 'refuse' });
      if (!stopped) socket = open({ io, readEvents, readPresence }, Key);
    } catch {
      startPolling();
      void pollOnce();
      startIn(socketLimits.serverDisconnectMaxMs);
    } finally {
      starting = false;
    }
  };

  const open = ({ io, readEvents, readPresence }: SocketScript, firstKey: string): Socket => {
    let nextKey: string | undefined = firstKey;
    const opened = io({
      path: '/socket.io',
      transports: ['websocket', 'polling'],
      reconnectionAttempts: socketLimits.reconnectionAttempts,
      reconnectionDelay: socketLimits.reconnectionDelayMs,
      reconnectionDelayMax: socketLimits.reconnectionDelayMaxMs,
      // A key lives a minute: every later attempt fetches its own.
      auth: (give) => {
        const key = nextKey;
        nextKey = undefined;
        if (key) give({ key });
        else
          callApi(getSocketKey, {}, { missing: 'refuse' }).then(
            ({ Key }) => give({ key: Key }),
            () => give({}),
          );
      },
    });
    opened.on('connect', () => {
      connectedAt = Date.now();
      stopPolling();
      become('live');
      connectPresence((name, said) => opened.emit(name, said));
      // Changes between the last fetch and this moment were not reported. Usually there are none.
      opened
        .timeout(socketLimits.quietAnswerMs)
        .emit(quietName, (error: Error | null, quietMs: number | undefined) => {
          if (error || !(Number(quietMs) > pageAgeMs())) freshenAll();
        });
    });
    opened.on(eventName, (payload: unknown) => {
      const events = readEvents(payload);
      for (const happened of events) for (const hear of hearers) hear(happened);
      broadcasts.add(events.filter(isGathered));
      return freshenEach(events.filter((happened) => !isGathered(happened)).flatMap(staleAfter));
    });
    opened.on(presenceNames.presence, (payload: unknown) => hearPresence(readPresence(payload)));
    opened.on('connect_error', () => {
      // Some networks let no websocket through: polling first from now on.
      opened.io.opts.transports = ['polling', 'websocket'];
      startPolling();
      // Refused by the server (not unreachable): socket.io gives up by itself, we don't.
      if (!opened.active) startIn(serverDisconnectDelayMs(serverDisconnects++));
    });
    opened.on('disconnect', (reason) => {
      connectPresence(undefined);
      if (stopped || reason === 'io client disconnect') return;
      startPolling();
      void pollOnce();
      if (reason !== 'io server disconnect') return;
      // A connection that held for a minute was a good one: the backoff starts over.
      if (Date.now() - connectedAt > socketLimits.serverDisconnectMaxMs) serverDisconnects = 0;
      startIn(serverDisconnectDelayMs(serverDisconnects++));
    });
    // This socket has given up; the page hasn't: polling goes on, and a minute later a new one is tried
    // (docs/decisions/0406).
    opened.io.on('reconnect_failed', () => {
      startPolling();
      startIn(socketLimits.serverDisconnectMaxMs);
    });
    return opened;
  };

  const onOnline = () => void retryNow();
  const onOffline = () => {
    become('offline');
    startPolling();
  };
  const retryNow = async () => {
    clearTimeout(restart);
    if (poll) await pollOnce();
    if (!socket?.connected) {
      socket?.close();
      socket = undefined;
      await start();
    } else become('live');
  };

  retry = retryNow;
  window.addEventListener('online', onOnline);
  window.addEventListener('offline', onOffline);
  become('connecting');
  void untilDrawn().then(start);

  return () => {
    stopped = true;
    retry = undefined;
    clearTimeout(restart);
    stopPolling();
    broadcasts.stop();
    around.stop();
    socket?.close();
    window.removeEventListener('online', onOnline);
    window.removeEventListener('offline', onOffline);
  };
}

let retry: (() => Promise<void>) | undefined;

/** For the notice's Retry button. */
export async function retryConnection(): Promise<void> {
  await retry?.();
}
