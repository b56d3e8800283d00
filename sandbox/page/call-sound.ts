// The sound of a call on this computer: messages that are played into it, the other side while two are connected, and
// the microphone on the way out.
import type { PhoneCall } from './api.ts';

const rate = 8000;
const frameSamples = 160;

let context: AudioContext | undefined;
const sounds = new Map<string, Promise<AudioBuffer>>();

/** Browsers allow sound only after somebody clicked something. */
function wakeContext(): AudioContext {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  return context;
}

function load(address: string): Promise<AudioBuffer> {
  let sound = sounds.get(address);
  if (!sound) {
    sound = fetch(address)
      .then((response) => response.arrayBuffer())
      .then((bytes) => new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes));
    sound.catch(() => sounds.delete(address));
    sounds.set(address, sound);
  }
  return sound;
}

/** Loudness along its length, from 0 to 1, for a drawing of so many bars. */
export async function readPeaks(address: string, bars: number): Promise<number[]> {
  const samples = (await load(address)).getChannelData(0);
  const width = samples.length / bars;
  const peaks = Array.from({ length: bars }, (_, bar) => {
    let peak = 0;
    for (let i = Math.floor(bar * width); i < (bar + 1) * width; i += 4) {
      peak = Math.max(peak, Math.abs(samples[i] ?? 0));
    }
    return peak;
  });
  const loudest = Math.max(0.01, ...peaks);
  return peaks.map((peak) => peak / loudest);
}

type Playing = { key: string; stop: () => void };

/** Plays a sound from a place in it; the returned function stops it. */
export function playSound(address: string, fromSeconds: number, seconds?: number): () => void {
  const startedAt = performance.now();
  let source: AudioBufferSourceNode | undefined;
  let isStopped = false;
  void load(address).then(
    (buffer) => {
      if (isStopped) return;
      const audio = wakeContext();
      source = audio.createBufferSource();
      source.buffer = buffer;
      source.connect(audio.destination);
      // A part of a recording begins where it should; a message that already runs goes on where it is by now.
      const late = seconds === undefined ? (performance.now() - startedAt) / 1000 : 0;
      const from = Math.min(buffer.duration, fromSeconds + late);
      source.start(0, from, seconds ?? Math.max(0, buffer.duration - from));
    },
    () => undefined,
  );
  return () => {
    isStopped = true;
    source?.stop();
  };
}

/** One call that this computer listens to. */
export class CallSound {
  #playing: Playing | undefined;
  readonly #socket: WebSocket;
  #nextAt = 0;
  #microphone: { stop: () => void } | undefined;

  constructor(number: string, callId: string) {
    wakeContext();
    const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
    this.#socket = new WebSocket(
      `${scheme}://${window.location.host}/phones/${number}/calls/${callId}/sound`,
    );
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => this.#hear(new Int16Array(data));
  }

  /** Plays what the call hears now, and nothing else. */
  follow(heard: PhoneCall['Heard']): void {
    const index = heard.findLastIndex(({ Playing }) => Playing);
    const now = heard[index];
    const key = now ? `${index} ${now.At}` : '';
    if (key === (this.#playing?.key ?? '')) return;
    this.#playing?.stop();
    this.#playing = now && { key, stop: playSound(now.Sound, now.Seconds) };
  }

  /** Throws what the browser throws when there is no microphone or it may not be used. */
  async openMicrophone(): Promise<void> {
    if (this.#microphone) return;
    const stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true } });
    const audio = wakeContext();
    await audio.audioWorklet.addModule(new URL('microphone-worklet.js', document.baseURI).href);
    const source = audio.createMediaStreamSource(stream);
    const worklet = new AudioWorkletNode(audio, 'microphone', { numberOfOutputs: 0 });
    const pack = createPacker(audio.sampleRate, (frame) => {
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(frame);
    });
    worklet.port.onmessage = ({ data }: MessageEvent<Float32Array>) => pack(data);
    source.connect(worklet);
    this.#microphone = {
      stop: () => {
        source.disconnect();
        for (const track of stream.getTracks()) track.stop();
      },
    };
  }

  closeMicrophone(): void {
    this.#microphone?.stop();
    this.#microphone = undefined;
  }

  close(): void {
    this.#playing?.stop();
    this.closeMicrophone();
    this.#socket.close();
  }

  /** The other side, frame after frame without a gap. */
  #hear(samples: Int16Array): void {
    if (samples.length === 0) return;
    const audio = wakeContext();
    const buffer = audio.createBuffer(1, samples.length, rate);
    const channel = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) channel[i] = (samples[i] ?? 0) / 32768;
    const source = audio.createBufferSource();
    source.buffer = buffer;
    source.connect(audio.destination);
    // A little ahead, so that a late frame leaves no hole; never far behind.
    if (this.#nextAt < audio.currentTime || this.#nextAt > audio.currentTime + 0.5) {
      this.#nextAt = audio.currentTime + 0.06;
    }
    source.start(this.#nextAt);
    this.#nextAt += buffer.duration;
  }
}

/** Makes 20 ms frames of 8000 Hz out of whatever the browser records. */
function createPacker(
  inputRate: number,
  send: (frame: Int16Array<ArrayBuffer>) => void,
): (samples: Float32Array) => void {
  const step = inputRate / rate;
  let frame = new Int16Array(frameSamples);
  let filled = 0;
  let sum = 0;
  let count = 0;
  let position = 0;
  return (samples) => {
    for (const sample of samples) {
      sum += sample;
      count += 1;
      position += 1;
      if (position < step) continue;
      position -= step;
      frame[filled] = Math.max(-1, Math.min(1, sum / count)) * 32767;
      filled += 1;
      sum = 0;
      count = 0;
      if (filled < frameSamples) continue;
      send(frame);
      frame = new Int16Array(frameSamples);
      filled = 0;
    }
  };
}
