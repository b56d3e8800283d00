import type { Server as HttpServer } from 'node:http';
import { sql } from 'kysely';
import pg from 'pg';
import { Server, type Socket } from 'socket.io';
import type { Event } from '../contract/events.ts';
import { eventName, quietName } from '../contract/socket.ts';
import { findSession, getSecret } from './auth/queries.ts';
import { readSocketKey } from './auth/rules.ts';
import { nowMs } from './clock.ts';
import { type Database, isDatabaseDown } from './db.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { eventChannel, type Notice, type SocketNotice, wholeLists } from './notify.ts';
import { createPresence, type PresenceNotice } from './presence.ts';
import { createSocketAccess, eventsFor } from './socket-access.ts';
import { closeFloods } from './socket-flood.ts';

export interface Realtime {
  close(): Promise<void>;
}

type Heard = Notice | PresenceNotice | SocketNotice;

/** The user of a socket, and the known expiry of its session. */
interface SocketData {
  accountId: number;
  userId: number;
  sessionId: number;
  expiresAtMs: number;
}

/** Longest delay between the end of a session and the end of its socket. */
const expiryCheckMs = 500;
/** Events of one account within this time are sent as one packet. */
const gatherMs = 15;
/** More than this at once: the client refetches its lists rather than a hundred conversations. */
const mostEvents = 100;
/** Per user and process: more than anybody has tabs, on all their devices. */
const mostSockets = 50;

/**
 * The real-time socket. Every web process listens to the notices that commit with changes and passes them to
 * its own sockets. On the same channel the processes notify each other about ended sessions, and about
 * viewers and typing users.
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
    // A page sends its key, and the conversation that it shows.
    maxHttpBufferSize: 10_000,
  });
  closeFloods(io, () => log.warn('closed a socket that sent too many frames'));

  io.use(async (socket, next) => {
    try {
      const key = readSocketKey(await getSecret(database), String(socket.handshake.auth.key ?? ''), nowMs());
      const session = key && (await findSession(database, key.accountId, key.sessionId));
      if (!session) return next(new Error('signInRequired'));
      // The page retries by itself until there is room.
      if ((io.sockets.adapter.rooms.get(`user:${session.userId}`)?.size ?? 0) >= mostSockets)
        return next(new Error('tooManySockets'));
      socket.data = {
        accountId: session.accountId,
        userId: session.userId,
        sessionId: session.sessionId,
        // Checked again right away: it may have ended while the socket opened.
        expiresAtMs: 0,
      } satisfies SocketData;
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
  const access = createSocketAccess(database);
  const presence = createPresence({ io, database, log, access });
  /** The time of the last event to an account, and since when we would know. */
  const saidAt = new Map<number, number>();
  let listensSince = Number.POSITIVE_INFINITY;
  const noteSaid = (accountId: number) => saidAt.set(accountId, performance.now());
  const quietMs = (accountId: number) =>
    Math.max(0, performance.now() - Math.max(listensSince, saidAt.get(accountId) ?? 0));

  io.on('connection', (socket) => {
    metrics.sockets.inc();
    // Answered after the socket has joined its rooms, so it gets every later event.
    socket.on(quietName, (answer: unknown) => {
      if (typeof answer === 'function') answer(quietMs((socket.data as SocketData).accountId));
    });
    presence.hear(socket);
    socket.on('disconnect', () => metrics.sockets.dec());
  });

  /** The first event of an account is sent at once; those that follow within a moment are sent together. */
  const gathered = new Map<number, Notice[]>();
  function pass(notice: Notice): void {
    const { accountId } = notice;
    const waiting = gathered.get(accountId);
    if (waiting !== undefined) {
      waiting.push(notice);
      return;
    }
    emitInTurn(accountId, [notice]);
    gathered.set(accountId, []);
    const next = () => {
      const more = gathered.get(accountId) ?? [];
      gathered.delete(accountId);
      if (more.length === 0) return;
      gathered.set(accountId, []);
      emitInTurn(accountId, more);
      setTimeout(next, gatherMs);
    };
    setTimeout(next, gatherMs);
  }

  /** One packet after the other within an account, although its recipients may have to be queried. */
  const emitting = new Map<number, Promise<void>>();
  function emitInTurn(accountId: number, notices: Notice[]): void {
    if (!io.sockets.adapter.rooms.has(`account:${accountId}`)) {
      access.forget(accountId);
      return;
    }
    const emitted = (emitting.get(accountId) ?? Promise.resolve())
      .then(() => emit(accountId, notices))
      .catch((error) => {
        if (!isDatabaseDown(error)) log.warn({ err: error }, 'events were not passed on');
        // The permitted recipients are unknown: everybody refetches what they may see.
        io.local.to(`account:${accountId}`).emit(eventName, everything);
      })
      .then(() => {
        if (emitting.get(accountId) === emitted) emitting.delete(accountId);
      });
    emitting.set(accountId, emitted);
  }

  async function emit(accountId: number, notices: Notice[]): Promise<void> {
    const events = notices.flatMap((notice) => notice.events);
    const numbers = new Map(notices.flatMap((notice) => notice.numbers ?? []));
    for (const group of await access.groupsOf(accountId)) {
      const theirs = distinct(eventsFor(group.numbers, events, (id) => numbers.get(id)));
      if (theirs.length === 0) continue;
      io.local.to(group.userIds.map((id) => `user:${id}`)).emit(eventName, theirs);
    }
  }

  function end(sessionIds: readonly number[]): void {
    // An empty list of rooms would mean everybody.
    if (sessionIds.length === 0) return;
    io.local.in(sessionIds.map((id) => `session:${id}`)).disconnectSockets(true);
  }

  /** Ends the sockets of sessions that are over, and of deactivated users. */
  async function endGone(sockets: Iterable<Socket>): Promise<void> {
    const open = [...sockets].map(({ data }) => data as SocketData);
    if (open.length === 0) return;
    const ids = [...new Set(open.map(({ sessionId }) => sessionId))];
    const { rows } = await sql<{ id: number; expiresAt: Date }>`
      select s.session_id as id, s.expires_at as "expiresAt" from sessions s
      join users u on u.account_id = s.account_id and u.user_id = s.user_id
      where s.session_id = any(${ids}::bigint[]) and s.expires_at > now() and u.is_active`.execute(
      database.system,
    );
    const live = new Map(rows.map(({ id, expiresAt }) => [id, expiresAt.getTime()]));
    for (const data of open) data.expiresAtMs = live.get(data.sessionId) ?? 0;
    end(ids.filter((id) => !live.has(id)));
  }

  /**
   * The expiry of a session isn't announced. Activity extends it, so it is read again when it seems to have
   * expired.
   */
  const clock = setInterval(() => {
    const due = [...io.sockets.sockets.values()].filter(
      ({ data }) => (data as SocketData).expiresAtMs <= nowMs(),
    );
    endGone(due).catch((error) => log.warn({ err: error }, 'could not check for expired sessions'));
  }, expiryCheckMs);
  clock.unref();

  const listener = listen(() => database.url, log, {
    onNotice(notice) {
      if ('presence' in notice) presence.pass(notice);
      else if ('endedSessionIds' in notice) end(notice.endedSessionIds);
      else if ('endedUserId' in notice) io.local.in(`user:${notice.endedUserId}`).disconnectSockets(true);
      else if ('accessChangedOf' in notice) {
        noteSaid(notice.accessChangedOf);
        access.forget(notice.accessChangedOf);
      } else {
        noteSaid(notice.accountId);
        pass(notice);
      }
    },
    onListening() {
      listensSince = performance.now();
    },
    // Notices sent while we didn't listen are not repeated: everybody refetches.
    onReturn() {
      access.forgetAll();
      io.local.emit(eventName, everything);
      endGone(io.sockets.sockets.values()).catch((error) =>
        log.warn({ err: error }, 'could not check for ended sessions'),
      );
    },
  });

  return {
    async close() {
      clearInterval(clock);
      await listener.close();
      await io.close();
    },
  };
}

/** Events were sent while nobody listened, or can't be determined: refetch everything. */
const everything: Event[] = [
  { type: 'conversations.changed' },
  { type: 'contacts.changed' },
  { type: 'textnumbers.changed' },
  { type: 'credits.changed' },
  ...wholeLists.map((type) => ({ type })),
];

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

/** Listens for notices on its own connection, and reconnects whenever it is lost. */
function listen(
  url: () => string,
  log: Log,
  on: { onNotice: (notice: Heard) => void; onListening: () => void; onReturn: () => void },
): { close(): Promise<void> } {
  let isClosed = false;
  let client: pg.Client | undefined;
  let wait: NodeJS.Timeout | undefined;

  async function connect(isReturn: boolean): Promise<void> {
    const mine = new pg.Client({
      connectionString: url(),
      application_name: 'muster_listen',
      keepAlive: true,
    });
    client = mine;
    mine.on('error', () => undefined);
    mine.on('end', () => {
      if (isClosed || client !== mine) return;
      log.warn('lost the connection that listens for changes; reconnecting');
      again();
    });
    mine.on('notification', ({ payload }) => on.onNotice(JSON.parse(payload ?? '{}') as Heard));
    await mine.connect();
    await mine.query(`listen ${eventChannel}`);
    on.onListening();
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
