import { createMp3Encoder } from 'wasm-media-encoders';
import { readMuLawWav } from './code-mulaw.ts';
import { callRate } from './rules.ts';

/** Encodes the sound that calls play as an mp3 that every program can open. */
export async function encodeMp3(wav: Buffer): Promise<Buffer> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate: callRate, channels: 1, bitrate: 32 });
  // The returned buffer belongs to the encoder and is overwritten.
  const frames = Buffer.from(encoder.encode([readMuLawWav(wav)]));
  return Buffer.concat([frames, Buffer.from(encoder.finalize())]);
}
