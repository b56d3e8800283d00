// The recordings of <Record>: the microphone's sound if a page sends it, otherwise a sentence that the person at the
// telephone says.
import type { Call } from './call.ts';
import type { Exchange } from './exchange.ts';
import { RecentMap } from './recent-map.ts';
import { decodeWav, encodeWav, readWav } from './wav.ts';

type Recording = {
  sid: string;
  callSid: string;
  seconds: number;
  startedAt: number;
  wav: Buffer;
  url: string;
};

const sentence = 'Hello. This is a message for everybody. School begins at ten o clock tomorrow. Thank you.';
/** About as long as the sentence takes. */
const sentenceSeconds = 6;
const rate = 8000;
const keptRecordings = 500;
const recordings = new WeakMap<Exchange, RecentMap<Recording>>();

/** Seconds that the person at the telephone speaks and then is silent, until the recorder notices. */
export function recordingSeconds(timeout: number): number {
  return sentenceSeconds + timeout;
}

export async function keepRecording(
  exchange: Exchange,
  call: Call,
  {
    frames,
    seconds,
    startedAt,
    isTrimmed,
  }: { frames: readonly Buffer[]; seconds: number; startedAt: number; isTrimmed: boolean },
): Promise<Recording> {
  const samples = frames.length > 0 ? joinFrames(frames) : await speakSentence(exchange, seconds, isTrimmed);
  const { carrier } = exchange;
  const sid = exchange.createSid('RE', startedAt);
  const recording: Recording = {
    sid,
    callSid: call.sid,
    seconds: samples.length / rate,
    startedAt,
    wav: encodeWav(samples, rate),
    url: `${carrier.publicUrl}/2010-04-01/Accounts/${carrier.config.twilioAccountSid}/Recordings/${sid}`,
  };
  keptBy(exchange).set(sid, recording);
  return recording;
}

export function findRecording(exchange: Exchange, sid: string): Recording | undefined {
  return keptBy(exchange).get(sid);
}

export function listRecordings(exchange: Exchange, callSid: string): Recording[] {
  return [...keptBy(exchange).values()].filter((recording) => recording.callSid === callSid);
}

export function deleteRecording(exchange: Exchange, sid: string): void {
  keptBy(exchange).delete(sid);
}

function keptBy(exchange: Exchange): RecentMap<Recording> {
  let kept = recordings.get(exchange);
  if (!kept) {
    kept = new RecentMap(keptRecordings);
    recordings.set(exchange, kept);
  }
  return kept;
}

function joinFrames(frames: readonly Buffer[]): Int16Array {
  const bytes = Buffer.concat(frames);
  const samples = new Int16Array(Math.floor(bytes.length / 2));
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(i * 2);
  return samples;
}

async function speakSentence(exchange: Exchange, seconds: number, isTrimmed: boolean): Promise<Int16Array> {
  const { bytes } = await exchange.sounds.get({ words: sentence });
  const wav = readWav(bytes);
  const length = Math.max(1, Math.round(seconds * rate));
  if (!wav) return new Int16Array(length);
  const spoken = decodeWav(bytes, wav);
  const step = wav.rate / rate;
  const samples = new Int16Array(isTrimmed ? Math.min(length, Math.floor(spoken.length / step)) : length);
  for (let i = 0; i < samples.length; i++) samples[i] = spoken[Math.floor(i * step)] ?? 0;
  return samples;
}
