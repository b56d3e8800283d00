// The sounds of calls: fetched as a carrier fetches them, measured, and kept for a while so that the page can play them.
import { createHash } from 'node:crypto';
import type { CallHooks } from './call-hooks.ts';
import { readAloud } from './read-aloud.ts';
import { RecentMap } from './recent-map.ts';
import { DocumentError } from './twiml.ts';
import { decodePlainMuLaw, decodeWav, encodeWav, measureMp3, readWav } from './wav.ts';

/** The source of a sound: an address, words that are read aloud, or a recording of the sandbox's own. */
export type SoundSource = { url: string } | { words: string } | { tone: 'beep' };

export type Sound = {
  id: string;
  seconds: number;
  /** The words that are said, where the file tells them. */
  text: string | undefined;
  contentType: string;
  bytes: Buffer;
  /** A pause, not something that is heard. */
  isSilent?: boolean;
};

const keptBytes = 64 * 1024 * 1024;
const largestSound = 40 * 1024 * 1024;
/** Read aloud, a person speaks about so many letters a second. */
const lettersPerSecond = 15;
const fetchMs = 15_000;

export class Sounds {
  readonly #hooks: CallHooks;
  #kept = new Map<string, Promise<Sound>>();
  #size = 0;
  /** The source of each id on the page, even when its bytes are gone. */
  readonly #sources = new RecentMap<SoundSource>(20_000);

  constructor(hooks: CallHooks) {
    this.#hooks = hooks;
  }

  /** The id under which the page finds it. */
  register(source: SoundSource): string {
    const id = createHash('sha256').update(JSON.stringify(source)).digest('hex').slice(0, 32);
    this.#sources.set(id, source);
    return id;
  }

  async find(id: string): Promise<Sound | undefined> {
    const source = this.#sources.get(id);
    return source && (await this.get(source));
  }

  /** Throws DocumentError when it can't be had: 11200 no answer, 12300 not a sound. */
  get(source: SoundSource): Promise<Sound> {
    const id = this.register(source);
    const kept = this.#kept.get(id);
    if (kept) return kept;
    const sound = this.#load(id, source);
    this.#kept.set(id, sound);
    sound.then(
      ({ bytes }) => {
        this.#size += bytes.length;
        if (this.#size <= keptBytes) return;
        this.#kept = new Map([[id, sound]]);
        this.#size = bytes.length;
      },
      () => this.#kept.delete(id),
    );
    return sound;
  }

  clear(): void {
    this.#kept.clear();
    this.#size = 0;
    this.#sources.clear();
  }

  async #load(id: string, source: SoundSource): Promise<Sound> {
    if ('words' in source) {
      const bytes = await readAloud({ text: source.words, voice: 'slt', rate: 1 });
      return { id, contentType: 'audio/wav', ...measure(bytes, ''), text: source.words };
    }
    if ('tone' in source) {
      const bytes = encodeWav(beep(), 8000);
      return { id, contentType: 'audio/wav', ...measure(bytes, '') };
    }
    const { url } = source;
    const post = { url, method: 'GET' as const, headers: { 'user-agent': 'TwilioProxy/1.1' }, body: '' };
    const answer = await this.#hooks.request(
      { ...post, timeoutMs: fetchMs },
      AbortSignal.timeout(fetchMs),
      largestSound,
    );
    if (answer.kind === 'broken') throw new DocumentError(11200, `The sound ${url} could not be fetched.`);
    if (answer.status >= 300) throw new DocumentError(11200, `The sound ${url} answered ${answer.status}.`);
    if (!/^(audio\/|application\/octet-stream)/.test(answer.contentType)) {
      throw new DocumentError(
        12300,
        `The sound ${url} is ${answer.contentType || 'without a content type'}.`,
      );
    }
    // Plain telephone sound, as Asterisk plays it: its name may tell the words.
    if (/^audio\/basic\b/.test(answer.contentType)) {
      const named = /filename\*=UTF-8''(.+)\.ulaw$/.exec(answer.disposition)?.[1];
      const bytes = encodeWav(decodePlainMuLaw(answer.bytes), 8000);
      const isSilent = answer.bytes.every((byte) => byte === 0xff);
      const text = named === undefined ? undefined : decodeURIComponent(named);
      return { id, contentType: 'audio/wav', bytes, seconds: answer.bytes.length / 8000, text, isSilent };
    }
    return { id, contentType: answer.contentType, ...measure(answer.bytes, url) };
  }
}

function measure(bytes: Buffer, url: string): { bytes: Buffer; seconds: number; text: string | undefined } {
  const wav = readWav(bytes);
  if (wav) {
    // Not every browser plays telephone sound (µ-law): the page gets it as plain samples.
    const plain = wav.format === 1 ? bytes : encodeWav(decodeWav(bytes, wav), wav.rate);
    return { bytes: plain, seconds: wav.seconds, text: wav.comment };
  }
  const seconds = measureMp3(bytes);
  if (seconds === undefined) throw new DocumentError(12300, `The sound ${url} is neither WAV nor MP3.`);
  return { bytes, seconds, text: undefined };
}

/** A guess that costs nothing, for the many telephones that nobody listens to. */
export function guessSeconds(words: string): number {
  return Math.max(0.5, words.length / lettersPerSecond);
}

function beep(): Int16Array {
  const samples = new Int16Array(4000);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.sin((i * 2 * Math.PI * 1000) / 8000) * 8000;
  return samples;
}
