import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { Refusal } from '../../contract/errors.ts';
import { type HashTask, hashPasswordHere } from './hash-password.ts';

export type HashQuestion = HashTask & { id: number };
/** The value is missing if the hash could not be read. */
export interface HashAnswer {
  id: number;
  value?: string | boolean;
}

interface Asked {
  question: HashQuestion;
  isOver: boolean;
  /** It has waited long enough, and is hashed here. */
  isUrgent: boolean;
  settle(answer: HashAnswer): void;
}

/**
 * So many at a time; the others wait. If many people sign in at once, one processor stays free for calls, and one of
 * Node's four threads for reading files and looking up names.
 */
const atOnce = Math.max(1, Math.min(3, availableParallelism() - 1));
/**
 * A hash takes 25 ms. On a machine that is busy with other things the hasher gets little CPU time: a request
 * that has waited this long is hashed here, at normal priority. The same applies while a hasher starts, or if
 * it hangs.
 */
const urgentAfterMs = 500;
/** With this many waiting, another request is told to try again: it would wait for several seconds. */
const mostWaiting = 200;
const patienceMs = 20_000;
const hungMs = 20_000;
/** Time during which passwords are hashed in this process when a hasher could not start. */
const restMs = 10_000;

const tooMany = 'Too many people are signing in at the moment. Please try again in a few seconds.';

const waiting: Asked[] = [];
const urgent: Asked[] = [];
/** The question that the hasher is working on. */
const under = new Map<number, { asked: Asked; hung: NodeJS.Timeout }>();
let underHere = 0;
let open = 0;
let serial = 0;
let isElsewhere = false;
let hasher: ChildProcess | undefined;
let hereUntilMs = 0;

/**
 * From now on a separate process with a low priority hashes passwords. Without this they are hashed in Node's
 * threads, as in tests.
 */
export function hashElsewhere(): { pid(): number | undefined; stop(): void } {
  isElsewhere = true;
  hasher ??= startHasher();
  return {
    pid: () => hasher?.pid,
    stop() {
      isElsewhere = false;
      hasher?.disconnect();
    },
  };
}

/** Hashes or compares a password. Refused when too many are waiting, or after waiting too long. */
export function askHasher(task: HashTask): Promise<string | boolean> {
  if (open >= mostWaiting) return Promise.reject(new Refusal('unavailable', tooMany));
  return new Promise((resolve, reject) => {
    serial += 1;
    open += 1;
    const end = (say: () => void) => {
      if (asked.isOver) return;
      asked.isOver = true;
      open -= 1;
      clearTimeout(hurry);
      clearTimeout(patience);
      say();
    };
    const asked: Asked = {
      question: { ...task, id: serial },
      isOver: false,
      isUrgent: false,
      settle: ({ value }) =>
        end(() =>
          value === undefined ? reject(new Error('a password hash could not be read')) : resolve(value),
        ),
    };
    const hurry = setTimeout(hashSoon, urgentAfterMs, asked);
    const patience = setTimeout(() => end(() => reject(new Refusal('unavailable', tooMany))), patienceMs);
    if (isHere()) hashSoon(asked);
    else waiting.push(asked);
    askNext();
  });
}

const isHere = () => !isElsewhere || performance.now() < hereUntilMs;

/** The longest waiting request is next. */
function askNext(): void {
  while (under.size < atOnce) {
    const asked = waiting.shift();
    if (asked === undefined) return;
    if (!asked.isOver && !asked.isUrgent) ask(asked);
  }
}

function ask(asked: Asked): void {
  hasher ??= startHasher();
  const its = hasher;
  const hung = setTimeout(() => its.kill('SIGKILL'), hungMs);
  under.set(asked.question.id, { asked, hung });
  // A broken pipe means that the process has ended, and the question is asked again.
  its.send(asked.question, () => undefined);
}

function take(answer: HashAnswer): void {
  const found = under.get(answer.id);
  if (found === undefined) return;
  under.delete(answer.id);
  clearTimeout(found.hung);
  found.asked.settle(answer);
  askNext();
}

/** Hashes it in this process when its turn comes. */
function hashSoon(asked: Asked): void {
  asked.isUrgent = true;
  urgent.push(asked);
  hashNext();
}

function hashNext(): void {
  while (underHere < atOnce) {
    const asked = urgent.shift();
    if (asked === undefined) return;
    if (!asked.isOver) hashOne(asked);
  }
}

function hashOne({ question: { id, ...task }, settle }: Asked): void {
  underHere += 1;
  hashPasswordHere(task)
    .then(
      (value) => settle({ id, value }),
      () => settle({ id }),
    )
    .finally(() => {
      underHere -= 1;
      hashNext();
    });
}

function startHasher(): ChildProcess {
  let hasAnswered = false;
  const started = fork(new URL('./hash-password-process.ts', import.meta.url), {
    // In a session of its own, so that it can lower the session's priority.
    detached: true,
    execArgv: [],
    // None of our settings: it needs no secrets.
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      MALLOC_ARENA_MAX: '2',
    },
  });
  started.unref();
  started.channel?.unref();
  started.on('message', (answer: HashAnswer) => {
    hasAnswered = true;
    take(answer);
  });
  const gone = () => {
    if (hasher !== started) return;
    hasher = undefined;
    started.kill('SIGKILL');
    if (!hasAnswered) hereUntilMs = performance.now() + restMs;
    askAgain();
  };
  started.on('exit', gone).on('error', gone).on('disconnect', gone);
  return started;
}

/** The question that a hasher was working on when it ended comes before all that are waiting. */
function askAgain(): void {
  const cut = [...under.values()];
  under.clear();
  for (const { hung } of cut) clearTimeout(hung);
  waiting.unshift(...cut.map(({ asked }) => asked));
  if (isHere()) for (const asked of waiting.splice(0)) if (!asked.isOver && !asked.isUrgent) hashSoon(asked);
  askNext();
}
