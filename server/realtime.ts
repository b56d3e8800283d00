import type { Server as HttpServer } from 'node:http';
import { createAdapter } from '@socket.io/postgres-adapter';
import pg from 'pg';
import { Server } from 'socket.io';
import { type Event, eventName } from '../contract/events.ts';
import { findSession, getSecret } from './auth/queries.ts';
import { readSocketKey } from './auth/rules.ts';
import { nowMs } from './clock.ts';
import { type Database, openOwnerPool } from './db.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { eventChannel, type Notice, wholeLists } from './notify.ts';
import { createPresence, type PresenceNotice } from './presence.ts';

export interface Realtime {
  /** Closes the sockets of a session that has ended, in whichever process they are. */
  disconnectSession(sessionId: number): void;
  close(): Promise<void>;
}

/** Events of one account that follow each other within this time go out as one packet. */
const gatherMs = 15;
/** More than this at once: the client refetches its lists rather than a hundred conversations. */
const mostEvents = 100;

/**
 * The real-time socket. Every web process listens to the notices that commit with changes and passes
 * them to its own sockets; the adapter's channel between processes carries what isn't a change of rows
 * (ending the sockets of a session).
 */
export function startRealtime(context: {
  http: HttpServer;
  database: Database;
  log: Log;
  metrics: Metrics;
}): Realtime {
  const { database, log, metrics } = context;
  const adapterPool = openAdapterPool(database.url, log);
  const io = new Server(context.http, {
    path: '/socket.io',
    serveClient: false,
    // Same origin only; there is no CORS header, and the key in the handshake comes from a signed-in call.
    cors: { origin: false },
    maxHttpBufferSize: 100_000,
    adapter: createAdapter(adapterPool.pool, {
      errorHandler: (error) => log.warn({ err: error }, 'socket adapter'),
    }),
  });

  io.use(async (socket, next) => {
    try {
      const key = readSocketKey(await getSecret(database), String(socket.handshake.auth.key ?? ''), nowMs());
      const session = key && (await findSession(database, key.accountId, key.sessionId));
      if (!session) return next(new Error('signInRequired'));
      socket.data = session;
      await socket.join([
        `account:${session.accountId}`,
        `user:${session.userId}`,
        `session:${session.sessionId}`,
      ]);
      return next();
    } catch (error) {
      log.warn({ err: error }, 'socket handshake failed');
      return next(new Error('unavailable'));
    }
  });
  const presence = createPresence({ io, database, log });
  io.on('connection', (socket) => {
    metrics.sockets.inc();
    presence.hear(socket);
    socket.on('disconnect', () => metrics.sockets.dec());
  });

  /** The first event of an account goes out at once; what follows within a moment goes together. */
  const gathered = new Map<number, Event[]>();
  function pass({ accountId, events }: Notice): void {
    const waiting = gathered.get(accountId);
    if (waiting !== undefined) {
      waiting.push(...events);
      return;
    }
    const emit = (all: Event[]) => io.local.to(`account:${accountId}`).emit(eventName, distinct(all));
    emit(events);
    gathered.set(accountId, []);
    const next = () => {
      const more = gathered.get(accountId) ?? [];
      gathered.delete(accountId);
      if (more.length === 0) return;
      gathered.set(accountId, []);
      emit(more);
      setTimeout(next, gatherMs);
    };
    setTimeout(next, gatherMs);
  }

  const listener = listen(database.url, log, {
    onNotice: (notice) => ('presence' in notice ? presence.pass(notice) : pass(notice)),
    // What was said while we didn't listen is not repeated: everybody looks again.
    onReturn: () =>
      io.local.emit(eventName, [
        { type: 'conversations.changed' },
        { type: 'contacts.changed' },
        { type: 'textnumbers.changed' },
        { type: 'credits.changed' },
        ...wholeLists.map((type) => ({ type })),
      ]),
  });

  return {
    disconnectSession: (sessionId) => io.in(`session:${sessionId}`).disconnectSockets(true),
    async close() {
      await listener.close();
      await io.close();
      await adapterPool.end();
    },
  };
}

/**
 * The adapter doesn't give back a connection that broke, nor one that it gets after it was closed: at
 * the third restart of the database its pool would be used up, and a stop while it connects would wait
 * for ever. This gives them back in its place.
 */
function openAdapterPool(url: string, log: Log): { pool: pg.Pool; end(): Promise<void> } {
  const pool = openOwnerPool(url, 3, (error) =>
    log.warn({ err: error }, 'socket adapter lost its connection'),
  );
  const giveBack = new Set<() => void>();
  const never = new Promise<never>(() => undefined);
  let isEnding = false;
  async function connect(): Promise<pg.PoolClient> {
    if (isEnding) return never;
    const client = await pool.connect();
    // This loan's own way back: later ones of the same connection have another.
    const { release } = client;
    const back = () => {
      giveBack.delete(back);
      try {
        release.call(client, true);
      } catch {
        // The adapter has given it back itself.
      }
    };
    giveBack.add(back);
    client.once('end', back);
    if (!isEnding) return client;
    back();
    return never;
  }
  return {
    // All that the adapter uses of a pool.
    pool: { connect, query: pool.query.bind(pool) } as unknown as pg.Pool,
    async end() {
      isEnding = true;
      for (const back of giveBack) back();
      await pool.end();
    },
  };
}

function distinct(events: Event[]): Event[] {
  const kept = [...new Map(events.map((event) => [JSON.stringify(event), event])).values()];
  if (kept.length <= mostEvents) return kept;
  return [
    { type: 'conversations.changed' },
    ...kept.filter(({ type }) => !/^(conversation|message|notes)/.test(type)),
    // A page rings once, however many came.
    ...kept.filter(({ type }) => type === 'message.received').slice(-1),
  ];
}

/** Listens for notices on a connection of its own, and comes back whenever it is lost. */
function listen(
  url: string,
  log: Log,
  on: { onNotice: (notice: Notice | PresenceNotice) => void; onReturn: () => void },
): { close(): Promise<void> } {
  let isClosed = false;
  let client: pg.Client | undefined;
  let wait: NodeJS.Timeout | undefined;

  async function connect(isReturn: boolean): Promise<void> {
    const mine = new pg.Client({ connectionString: url, application_name: 'muster_listen', keepAlive: true });
    client = mine;
    mine.on('error', () => undefined);
    mine.on('end', () => {
      if (isClosed || client !== mine) return;
      log.warn('lost the connection that listens for changes; connecting again');
      again();
    });
    mine.on('notification', ({ payload }) =>
      on.onNotice(JSON.parse(payload ?? '{}') as Notice | PresenceNotice),
    );
    await mine.connect();
    await mine.query(`listen ${eventChannel}`);
    if (isReturn) on.onReturn();
  }

  function again(): void {
    clearTimeout(wait);
    if (isClosed) return;
    wait = setTimeout(() => connect(true).catch(again), 500);
  }

  connect(false).catch(again);
  return {
    async close() {
      isClosed = true;
      clearTimeout(wait);
      await client?.end().catch(() => undefined);
    },
  };
}
