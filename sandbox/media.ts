import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Media } from './message.ts';

/** The largest picture that Twilio takes; Infobip's telephones get the same. */
const largestBytes = 5 * 1024 * 1024;
const memoryBytes = 64 * 1024 * 1024;
const fetchTimeoutMs = 10_000;

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'audio/mpeg': 'mp3',
  'audio/amr': 'amr',
  'audio/wav': 'wav',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'text/vcard': 'vcf',
  'application/pdf': 'pdf',
};

export type Picture = { contentType: string; bytes: Buffer };

/** The picture could not be had or is none that a telephone shows. */
export class MediaError extends Error {}

/**
 * Pictures and other attachments. The carrier keeps its own copy, as real ones do: what it can't fetch
 * can't be delivered. Named by their content, so the same picture for a thousand people is kept once.
 */
export class MediaStore {
  readonly #folder: string | undefined;
  readonly #memory = new Map<string, Picture>();
  #bytes = 0;

  constructor(dataDir: string | undefined) {
    this.#folder = dataDir === undefined ? undefined : join(dataDir, 'media');
  }

  keep(contentType: string, bytes: Buffer): Media {
    const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
    const extension = extensions[type];
    if (extension === undefined)
      throw new MediaError(`A telephone can't show ${type || 'this kind of file'}.`);
    if (bytes.length === 0) throw new MediaError('The picture is empty.');
    if (bytes.length > largestBytes) throw new MediaError('The picture is larger than 5 MB.');
    const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${extension}`;
    if (!this.#memory.has(name)) {
      if (this.#folder !== undefined) {
        mkdirSync(this.#folder, { recursive: true });
        writeFileSync(join(this.#folder, name), bytes);
      }
      this.#remember(name, { contentType: type, bytes });
    }
    return { ContentType: type, Url: `/media/${name}` };
  }

  async fetch(url: string): Promise<Media> {
    let response: Response;
    let bytes: Buffer;
    try {
      response = await fetch(url, { signal: AbortSignal.timeout(fetchTimeoutMs) });
      // Said to be too large: not even read.
      const tooLarge = Number(response.headers.get('content-length') ?? 0) > largestBytes;
      bytes = tooLarge ? Buffer.alloc(largestBytes + 1) : Buffer.from(await response.arrayBuffer());
    } catch {
      throw new MediaError(`The picture at ${url} could not be read.`);
    }
    if (!response.ok) throw new MediaError(`The picture at ${url} could not be read (${response.status}).`);
    return this.keep(response.headers.get('content-type') ?? '', bytes);
  }

  /** `name` is what follows /media/ in its address. */
  find(name: string): Picture | undefined {
    const kept = this.#memory.get(name);
    if (kept) return kept;
    const match = /^[0-9a-f]{32}\.([a-z0-9]+)$/.exec(name);
    const type = Object.entries(extensions).find(([, extension]) => extension === match?.[1])?.[0];
    if (this.#folder === undefined || type === undefined) return undefined;
    try {
      const picture = { contentType: type, bytes: readFileSync(join(this.#folder, name)) };
      this.#remember(name, picture);
      return picture;
    } catch {
      return undefined;
    }
  }

  #remember(name: string, picture: Picture): void {
    this.#memory.set(name, picture);
    this.#bytes += picture.bytes.length;
    for (const [oldest, { bytes }] of this.#memory) {
      if (this.#bytes <= memoryBytes || oldest === name) break;
      this.#memory.delete(oldest);
      this.#bytes -= bytes.length;
    }
  }
}
