import { sql } from 'kysely';
import type { Server, Socket } from 'socket.io';
import { ownPresence, type Presence } from '../contract/events.ts';
import { timing } from '../contract/reference/limits.ts';
import { presenceEndsMs, presenceNames } from '../contract/socket.ts';
import { nowMs } from './clock.ts';
import { type Database, isDatabaseDown } from './db.ts';
import type { Log } from './log.ts';
import { eventChannel } from './notify.ts';
import type { createSocketAccess } from './socket-access.ts';
import { createMeter } from './socket-flood.ts';

/** Messages between the processes, on the channel of the notices. */
export interface PresenceNotice {
  accountId: number;
  textNumberId: number;
  presence: Presence;
  /** Only for this user: a new viewer is told who is there. */
  toUserId?: number;
  /** The viewers of the conversation answer it. */
  isNew?: true;
}

interface Who {
  accountId: number;
  userId: number;
}

/** The conversation that a socket views. */
interface Viewing {
  conversationId: number;
  /** Time of the last report. */
  at: number;
  seen: Seen;
}

/** A conversation that the socket's user may see, and the user's name. */
interface Seen {
  textNumberId: number;
  name: string;
}

/** Time that a conversation's access check is cached. Its listeners are queried each time. */
const rememberedMs = 5_000;
/**
 * More messages than this from one socket within rememberedMs are ignored; a correct page sends a fraction of
 * it.
 */
const mostSaid = 20;

/**
 * The viewers of a conversation and the users typing in it: passed on to users of its text number, in every
 * process, and never stored.
 */
export function createPresence({
  io,
  database,
  log,
  access,
}: {
  io: Server;
  database: Database;
  log: Log;
  access: ReturnType<typeof createSocketAccess>;
}) {
  const viewings = new WeakMap<Socket, Viewing>();

  /** Messages to pass on, by account. */
  const passing = new Map<number, Promise<void>>();

  async function say(notice: PresenceNotice): Promise<void> {
    await sql`select pg_notify(${eventChannel}, ${JSON.stringify(notice)})`.execute(database.system);
  }

  /** Not while another page of the same user views it: they haven't left. */
  async function leave(socket: Socket, who: Who): Promise<void> {
    const viewing = viewings.get(socket);
    viewings.delete(socket);
    if (viewing === undefined || isElsewhere(who, viewing.conversationId)) return;
    await say(noticeOf(who, viewing.conversationId, viewing.seen, 'left'));
  }

  function isElsewhere({ accountId, userId }: Who, conversationId: number): boolean {
    return viewersOf(accountId, conversationId).some((viewer) => viewer.who.userId === userId);
  }

  /** Sockets of this process that view a conversation, and reported it recently. */
  function viewersOf(accountId: number, conversationId: number) {
    const ids = io.sockets.adapter.rooms.get(`account:${accountId}`) ?? [];
    return [...ids].flatMap((id) => {
      const socket = io.sockets.sockets.get(id);
      const viewing = socket && viewings.get(socket);
      const isThere =
        viewing?.conversationId === conversationId && nowMs() - viewing.at < presenceEndsMs.viewing;
      return isThere ? [{ who: socket?.data as Who, viewing }] : [];
    });
  }

  /** The messages of one socket, processed one after the other. */
  function hear(socket: Socket): void {
    const who = socket.data as Who;
    const maySee = remember((conversationId: number) => findSeen(database, who, conversationId));
    let before: Promise<void> = Promise.resolve();
    const said = createMeter(rememberedMs);
    let typed = { conversationId: 0, at: 0 };

    async function view(conversationId: number | null): Promise<void> {
      const old = viewings.get(socket);
      if (old !== undefined && old.conversationId !== conversationId) await leave(socket, who);
      const seen = conversationId === null ? undefined : await maySee(conversationId);
      if (conversationId === null || seen === undefined) return;
      viewings.set(socket, { conversationId, at: nowMs(), seen });
      const isNew = old?.conversationId !== conversationId;
      await say({ ...noticeOf(who, conversationId, seen, 'viewing'), ...(isNew ? { isNew } : {}) });
    }

    async function type(conversationId: number | null): Promise<void> {
      const isAgain = typed.conversationId === conversationId && nowMs() - typed.at < timing.typingEventMs;
      if (conversationId === null || isAgain) return;
      typed = { conversationId, at: nowMs() };
      const seen = await maySee(conversationId);
      if (seen !== undefined) await say(noticeOf(who, conversationId, seen, 'typing'));
    }

    function listen(name: string, react: (conversationId: number | null) => Promise<void>): void {
      socket.on(name, (given: unknown) => {
        if (said.count() > mostSaid) return;
        const { success, data } = ownPresence.safeParse(given);
        if (!success) return;
        inTurn(() => react(data.ConversationID));
      });
    }

    function inTurn(act: () => Promise<void>): void {
      before = before.then(act).catch((error) => {
        // It will be sent again soon.
        if (!isDatabaseDown(error)) log.warn({ err: error }, 'presence was not passed on');
      });
    }

    listen(presenceNames.viewing, view);
    listen(presenceNames.typing, type);
    socket.on('disconnect', () => inTurn(() => leave(socket, who)));
  }

  async function passOn({
    accountId,
    textNumberId,
    presence,
    toUserId,
    isNew,
  }: PresenceNotice): Promise<void> {
    const users = await access.usersOf(accountId, textNumberId);
    const to = users.filter((id) => id !== presence.UserID && (toUserId ?? id) === id);
    // An empty list of rooms would mean everybody.
    if (to.length === 0) return;
    io.local.to(to.map((id) => `user:${id}`)).emit(presenceNames.presence, presence);
    if (!isNew) return;
    for (const { who, viewing } of viewersOf(accountId, presence.ConversationID)) {
      if (who.userId === presence.UserID) continue;
      const mine = noticeOf(who, presence.ConversationID, viewing.seen, 'viewing');
      await say({ ...mine, toUserId: presence.UserID });
    }
  }

  return {
    hear,
    /** Messages of the processes, including this one. */
    pass(notice: PresenceNotice): void {
      const { accountId } = notice;
      // One after the other within an account: a user who left must not appear to come.
      const passed = (passing.get(accountId) ?? Promise.resolve())
        .then(() => passOn(notice))
        .catch((error) => {
          if (!isDatabaseDown(error)) log.warn({ err: error }, 'presence was not passed on');
        })
        .then(() => {
          if (passing.get(accountId) === passed) passing.delete(accountId);
        });
      passing.set(accountId, passed);
    },
  };
}

function noticeOf(
  { accountId, userId }: Who,
  ConversationID: number,
  { textNumberId, name }: Seen,
  Kind: Presence['Kind'],
): PresenceNotice {
  return { accountId, textNumberId, presence: { ConversationID, UserID: userId, Name: name, Kind } };
}

async function findSeen(
  database: Database,
  { accountId, userId }: Who,
  conversationId: number,
): Promise<Seen | undefined> {
  const { rows } = await sql<Seen>`
    select c.text_number_id as "textNumberId", u.first_name || ' ' || u.last_name as name
    from conversations c
    join users u on u.account_id = c.account_id and u.user_id = ${userId}
    join text_numbers n on n.account_id = c.account_id and n.text_number_id = c.text_number_id
    where c.account_id = ${accountId} and c.conversation_id = ${conversationId} and ${mayUse}`.execute(
    database.system,
  );
  return rows[0];
}

/** The rule of usableTextNumbers, for a user `u` and a number `n`. */
const mayUse = sql`n.released_at is null and u.is_active and (u.role <> 'user' or exists (
  select from user_text_numbers t
  where t.account_id = u.account_id and t.user_id = u.user_id and t.text_number_id = n.text_number_id))`;

/** Queries, and caches the result for a while. */
function remember<Key extends number[], Answer>(ask: (...key: Key) => Promise<Answer>) {
  const answers = new Map<string, { until: number; answer: Promise<Answer> }>();
  return (...key: Key): Promise<Answer> => {
    const name = key.join(':');
    const known = answers.get(name);
    if (known !== undefined && known.until > nowMs()) return known.answer;
    for (const [old, { until }] of answers) if (until <= nowMs()) answers.delete(old);
    const answer = ask(...key);
    answers.set(name, { until: nowMs() + rememberedMs, answer });
    answer.catch(() => answers.delete(name));
    return answer;
  };
}
