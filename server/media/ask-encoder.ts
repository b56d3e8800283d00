import { type ChildProcess, fork } from 'node:child_process';
import type { ImageType } from '../../contract/uploads/image.ts';
import type { EncodedImage } from './encode-image.ts';

export interface EncoderTask {
  bytes: Uint8Array;
  type: ImageType;
}
/** The picture; or a message why not, if there is one. */
export type EncoderAnswer = { image: EncodedImage } | { refusal: string | undefined };

/** The largest allowed picture takes two seconds, a long animation ten. */
const longestMs = 60_000;
/** Time that the process is kept for the next picture. Starting it takes half a second. */
const keptMs = 5_000;

let encoder: ChildProcess | undefined;
let ending: NodeJS.Timeout | undefined;
let before: Promise<unknown> = Promise.resolve();

/** Encodes a picture, one at a time, which limits the memory to that of one. */
export function askEncoder(bytes: Buffer, type: ImageType): Promise<EncoderAnswer> {
  const answer = before.then(() => ask({ bytes, type }));
  before = answer;
  return answer;
}

async function ask(task: EncoderTask): Promise<EncoderAnswer> {
  clearTimeout(ending);
  encoder ??= startEncoder();
  const asked = encoder;
  // It keeps our process alive only while it is working.
  asked.ref();
  asked.channel?.ref();
  const answer = await answerOf(asked, task);
  asked.unref();
  asked.channel?.unref();
  ending = setTimeout(() => encoder?.disconnect(), keptMs);
  ending.unref();
  return answer;
}

function startEncoder(): ChildProcess {
  const started = fork(new URL('./encode-image-process.ts', import.meta.url), {
    serialization: 'advanced',
    // Few arenas: glibc keeps freed memory in each of them.
    env: { ...process.env, MALLOC_ARENA_MAX: '2' },
    execArgv: [],
  });
  const forget = () => {
    if (encoder === started) encoder = undefined;
  };
  started.on('disconnect', forget).on('exit', forget).on('error', forget);
  return started;
}

/** If the process dies or hangs on a picture, the picture is refused. */
function answerOf(asked: ChildProcess, task: EncoderTask): Promise<EncoderAnswer> {
  return new Promise((resolve) => {
    const refuse = () => end({ refusal: undefined });
    const late = setTimeout(() => asked.kill('SIGKILL'), longestMs);
    function end(answer: EncoderAnswer): void {
      clearTimeout(late);
      asked.off('message', end).off('exit', refuse).off('error', refuse);
      resolve(answer);
    }
    asked.on('message', end).on('exit', refuse).on('error', refuse);
    asked.send(task, (error) => error && refuse());
  });
}
