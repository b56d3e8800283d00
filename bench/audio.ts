/**
 * Messages for calls: from typed words to something that plays, and from a file to a recording that is ready, while the
 * server goes on answering. Beside it the same gaps of a server that has nothing to do, which are this machine's own.
 *
 *   node bench/audio.ts [rounds]
 */
import { createMp3Encoder } from 'wasm-media-encoders';
import { type Audio, listVoices, previewSpeech, uploadAudio } from '../contract/audio.ts';
import { pathOf, prefixOf } from '../contract/call-address.ts';
import { writeMuLawWav } from '../server/audio/code-mulaw.ts';
import { demoPassword, loadDemo } from '../server/demo/load-demo.ts';
import { percentile, report, startBench } from './harness.ts';

const rounds = Number(process.argv[2] ?? 8);

/** Some 20 seconds in the voice that is slowest. */
const words =
  'Good evening. This is Harlow Creek Schools. Because of ice on the roads, all schools start two hours late tomorrow. Buses run two hours later than usual. If your road is not safe, keep your child at home and call the office. The absence will be excused. Thank you, and good night.';

const metricsPort = 4264;
const bench = await startBench({ port: 4260, numbers: {} });
try {
  await loadDemo(bench.databaseUrl, bench.dataDir);
  const server = await bench.startServer({ METRICS_PORT: String(metricsPort) });
  const cookie = await signIn();
  const emptyMb = server.peakMb();
  const mp3 = await makeMp3(120);
  const wav = writeMuLawWav(speechLike(120, 8000));

  // As the form does when it opens.
  await fetch(bench.serverUrl + prefixOf(listVoices) + listVoices.path, { headers: { cookie } });
  // One of each first: threads start and code is compiled, as on the day's first message.
  const first = { speech: await speak(cookie, 0), file: await send(cookie, 'first.mp3', mp3) };
  console.log(`the first of the day: ${ms(first.speech.ms)} for typed words, ${ms(first.file)} for a file`);
  await longestGap();
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const idle = await longestGap();

  const typed: number[] = [];
  for (let n = 1; n <= rounds; n += 1) typed.push((await speak(cookie, n)).ms);
  const typedGap = await longestGap();
  const files: Record<string, number[]> = { mp3: [], wav: [] };
  for (let n = 1; n <= rounds; n += 1) {
    files.mp3?.push(await send(cookie, `${n}.mp3`, mp3));
    files.wav?.push(await send(cookie, `${n}.wav`, wav));
  }
  const fileGap = await longestGap();

  console.log(
    `${first.speech.seconds} s of speech, ${(mp3.length / 1e6).toFixed(1)} MB of mp3 (44.1 kHz, stereo)`,
  );
  const holds = [
    report('typed words to playable audio, p95', percentile(typed, 0.95), { most: 2000 }, 'ms'),
    report('120 s of mp3 ready, p95', percentile(files.mp3 ?? [], 0.95), { most: 4000 }, 'ms'),
    report('120 s of wav ready, p95', percentile(files.wav ?? [], 0.95), { most: 4000 }, 'ms'),
    report(
      `longest gap while it reads aloud (idle: ${ms(idle)})`,
      typedGap,
      { most: Math.max(50, idle) },
      'ms',
    ),
    report(
      `longest gap while files are prepared (idle: ${ms(idle)})`,
      fileGap,
      { most: Math.max(50, idle) },
      'ms',
    ),
    report(
      `memory it took beside the ${emptyMb} MB of an idle server`,
      server.peakMb() - emptyMb,
      { most: 300 },
      'MB',
    ),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}

async function signIn(): Promise<string> {
  const answer = await fetch(`${bench.serverUrl}/proxy/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName: 'demo-owner', Password: demoPassword }),
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** From the press until all of the sound is here. Other words every time: the same ones are read once. */
async function speak(cookie: string, n: number): Promise<{ ms: number; seconds: number }> {
  const startedAt = performance.now();
  const answer = await fetch(bench.serverUrl + prefixOf(previewSpeech) + previewSpeech.path, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ Text: `${words} Number ${n}.`, VoiceID: 'flite:rms' }),
  });
  const { Length } = (await answer.json()) as { Length: number };
  if (!(Length > 15)) throw new Error(`nothing was read: ${answer.status}`);
  return { ms: performance.now() - startedAt, seconds: Length };
}

/** From the first byte until it can be played. */
async function send(cookie: string, name: string, bytes: Buffer): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(
    bench.serverUrl + prefixOf(uploadAudio) + pathOf(uploadAudio, { FileName: name }),
    {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    },
  );
  const audio = (await answer.json()) as Audio;
  const file = await fetch(bench.serverUrl + audio.PlayUri);
  if ((await file.arrayBuffer()).byteLength < 900_000) throw new Error(`${name} did not become ready`);
  return performance.now() - startedAt;
}

/** The longest time that the server's event loop was blocked since the last query, by its own measure. */
async function longestGap(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^muster_nodejs_eventloop_lag_max_seconds\S* (\S+)/m.exec(text)?.[1] ?? Number.NaN) * 1000;
}

function speechLike(seconds: number, rate: number): Float32Array {
  return Float32Array.from({ length: seconds * rate }, (_, i) => {
    const t = i / rate;
    const isWord = t % 0.5 < 0.4;
    return isWord ? 0.3 * Math.sin(2 * Math.PI * (180 + 60 * Math.sin(t)) * t) + 0.02 * Math.random() : 0;
  });
}

async function makeMp3(seconds: number): Promise<Buffer> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate: 44_100, channels: 2, bitrate: 128 });
  const channel = speechLike(seconds, 44_100);
  return Buffer.concat([Buffer.from(encoder.encode([channel, channel])), Buffer.from(encoder.finalize())]);
}
