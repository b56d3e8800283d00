import type { Server as HttpServer } from 'node:http';
import { sql } from 'kysely';
import pg from 'pg';
import { Server } from 'socket.io';
import { type Event, eventName } from '../contract/events.ts';
import { findSession, getSecret } from './auth/queries.ts';
import { readSocketKey } from './auth/rules.ts';
import { nowMs } from './clock.ts';
import type { Database } from './db.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { eventChannel, type Notice, wholeLists } from './notify.ts';
import { createPresence, type PresenceNotice } from './presence.ts';

export interface Realtime {
  /** Closes the sockets of a session that has ended, in whichever process they are. */
  disconnectSession(sessionId: number): void;
  close(): Promise<void>;
}

interface EndedSession {
  endedSessionId: number;
}
type Heard = Notice | PresenceNotice | EndedSession;

/** Events of one account that follow each other within this time go out as one packet. */
const gatherMs = 15;
/** More than this at once: the client refetches its lists rather than a hundred conversations. */
const mostEvents = 100;

/**
 * The real-time socket. Every web process listens to the notices that commit with changes and passes
 * them to its own sockets. On the same channel the processes tell each other which sessions have ended,
 * and who looks at what.
 */
export function startRealtime(context: {
  http: HttpServer;
  database: Database;
  log: Log;
  metrics: Metrics;
}): Realtime {
  const { database, log, metrics } = context;
  const io = new Server(context.http, {
    path: '/socket.io',
    serveClient: false,
    // Same origin only; there is no CORS header, and the key in the handshake comes from a signed-in call.
    cors: { origin: false },
    maxHttpBufferSize: 100_000,
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

  function end(sessionId: number): void {
    io.local.in(`session:${sessionId}`).disconnectSockets(true);
  }

  /** Sessions that ended while we didn't listen. */
  async function endGone(): Promise<void> {
    const ids = [...io.sockets.sockets.values()].map(({ data }) => (data as { sessionId: number }).sessionId);
    const { rows } = await sql<{ id: number }>`
      select id from unnest(${[...new Set(ids)]}::bigint[]) id
      where not exists (select from sessions s where s.session_id = id and s.expires_at > now())`.execute(
      database.system,
    );
    for (const { id } of rows) end(id);
  }

  const listener = listen(database.url, log, {
    onNotice(notice) {
      if ('presence' in notice) presence.pass(notice);
      else if ('endedSessionId' in notice) end(notice.endedSessionId);
      else pass(notice);
    },
    // What was said while we didn't listen is not repeated: everybody looks again.
    onReturn() {
      io.local.emit(eventName, [
        { type: 'conversations.changed' },
        { type: 'contacts.changed' },
        { type: 'textnumbers.changed' },
        { type: 'credits.changed' },
        ...wholeLists.map((type) => ({ type })),
      ]);
      endGone().catch((error) => log.warn({ err: error }, 'could not look for ended sessions'));
    },
  });

  return {
    disconnectSession(sessionId) {
      end(sessionId);
      const notice: EndedSession = { endedSessionId: sessionId };
      sql`select pg_notify(${eventChannel}, ${JSON.stringify(notice)})`
        .execute(database.system)
        .catch((error) => log.warn({ err: error }, 'could not tell that a session has ended'));
    },
    async close() {
      await listener.close();
      await io.close();
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
  on: { onNotice: (notice: Heard) => void; onReturn: () => void },
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
    mine.on('notification', ({ payload }) => on.onNotice(JSON.parse(payload ?? '{}') as Heard));
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
