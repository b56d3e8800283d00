import { io, type Socket } from 'socket.io-client';
import type { Event } from '../contract/events.ts';
import { eventName } from '../contract/socket.ts';
import { hashPassword } from '../server/auth/sign-in.ts';
import type { Bench } from './harness.ts';

const password = 'bench-horse-7';

/** An owner who can sign in. */
export async function addOwner(bench: Bench, accountId: number): Promise<number> {
  const { rows } = await bench.db.query<{ user_id: string }>(
    `insert into users (account_id, user_name, password_hash, first_name, last_name, email, role, can_see_all_roster)
     values ($1, $2, $3, 'Bench', 'Owner', 'bench@example.org', 'owner', true) returning user_id`,
    [accountId, `owner-${accountId}`, await hashPassword(password)],
  );
  return Number(rows[0]?.user_id);
}

export async function signIn(bench: Bench, accountId: number): Promise<string> {
  const answer = await fetch(`${bench.serverUrl}/proxy/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName: `owner-${accountId}`, Password: password }),
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

export interface Watch {
  /** Milliseconds of each look at the inbox's list. */
  lists: number[];
  /** Milliseconds from a text typed on a telephone until a page has heard of it and fetched its list again. */
  arrivals: number[];
  stop(): Promise<void>;
}

/** Somebody who works in the inbox meanwhile: looks at the list, and gets a text from the telephones now and then. */
export async function watchInbox(bench: Bench, cookie: string, number: string): Promise<Watch> {
  const lists: number[] = [];
  const arrivals: number[] = [];
  const socket = await openSocket(bench, cookie);
  let isOver = false;
  const lookAgain = async () => {
    for (let turn = 0; !isOver; turn += 1) {
      lists.push(await look(bench, cookie));
      if (turn % 4 === 0) arrivals.push(await receive(bench, socket, { cookie, number, turn }));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const looking = lookAgain();
  return {
    lists,
    arrivals,
    async stop() {
      isOver = true;
      await looking;
      socket.close();
    },
  };
}

async function look(bench: Bench, cookie: string): Promise<number> {
  const start = performance.now();
  const answer = await fetch(`${bench.serverUrl}/proxy/api/conversations?pagesize=15`, {
    headers: { cookie },
  });
  if (!answer.ok) throw new Error(`the inbox answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  return performance.now() - start;
}

async function receive(
  bench: Bench,
  socket: Socket,
  { cookie, number, turn }: { cookie: string; number: string; turn: number },
) {
  const heard = new Promise<void>((resolve) => {
    const listen = (events: Event[]) => {
      if (!events.some(({ type }) => type === 'message.received' || type === 'conversations.changed')) return;
      socket.off(eventName, listen);
      resolve();
    };
    socket.on(eventName, listen);
  });
  const start = performance.now();
  await bench.sandbox('POST', `/phones/1423555${2000 + (turn % 50)}/messages`, {
    To: number,
    Text: `Thank you, got it (${turn})`,
  });
  await heard;
  await look(bench, cookie);
  return performance.now() - start;
}

export async function openSocket(bench: Bench, cookie: string): Promise<Socket> {
  // A new key each time, as pages do: one is good for a minute.
  const auth = (give: (data: object) => void) => {
    fetch(`${bench.serverUrl}/proxy/api/websocket/key`, { headers: { cookie } })
      .then((answer) => answer.json() as Promise<{ Key: string }>)
      .then(
        ({ Key }) => give({ key: Key }),
        () => give({}),
      );
  };
  const socket = io(bench.serverUrl, { transports: ['websocket'], auth, forceNew: true });
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve);
    socket.on('connect_error', reject);
  });
  return socket;
}
