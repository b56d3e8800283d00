import type { PhoneCall } from './api.ts';
import { formatNumber } from './format.ts';

export type Sentence = { text: string; from: number; until: number };

/** The sentences of a message and when each is said, by their share of its letters. */
export function splitSentences(text: string, seconds: number): Sentence[] {
  const parts = text.split(/(?<=[.!?…])\s+/).filter((part) => part !== '');
  const letters = parts.reduce((sum, part) => sum + part.length, 0);
  let before = 0;
  return parts.map((part) => {
    const from = (before / Math.max(1, letters)) * seconds;
    before += part.length;
    return { text: part, from, until: (before / Math.max(1, letters)) * seconds };
  });
}

export type Heard = PhoneCall['Heard'][number];

/** Seconds of the message that were heard by now. */
export function heardSeconds(heard: Heard, now: Date): number {
  if (!heard.Playing) return heard.Seconds;
  return Math.min(heard.Length, Math.max(0, (now.getTime() - Date.parse(heard.At)) / 1000));
}

/** 0:24 */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

export function talkingSeconds(call: PhoneCall, now: Date): number {
  if (call.AnsweredAt === null) return 0;
  const until = call.EndedAt === null ? now.getTime() : Date.parse(call.EndedAt);
  return Math.max(0, (until - Date.parse(call.AnsweredAt)) / 1000);
}

/** The line below the phone while it is in a call. */
export function describeCall(call: PhoneCall, now: Date): string {
  if (call.State === 'Ringing') {
    if (call.Direction === 'out') return 'Waiting for an answer';
    if (call.Rings === null) return 'Rings until the caller gives up';
    const rings = Math.round(call.Rings);
    const ring = Math.floor((now.getTime() - Date.parse(call.StartedAt)) / 4000) + 1;
    const who = call.PicksUp === 'Machine' ? 'voicemail picks up' : 'somebody answers';
    return `Ring ${Math.min(ring, rings)} of ${rings}, then ${who}`;
  }
  if (call.State === 'Voicemail') return 'The message is kept after the beep';
  if (call.Connected !== null) return 'Connected to another phone';
  if (call.Recording) return 'Records what the microphone hears';
  if (call.Keys !== '') return `Pressed ${call.Keys}`;
  return 'Press keys on the phone or the keyboard';
}

export function otherNumber(call: PhoneCall): string {
  return call.Direction === 'in' ? call.From : call.To;
}

export function nameOf(number: string, numbers: ReadonlyMap<string, { Name: string | null }>): string {
  return numbers.get(number)?.Name ?? formatNumber(number);
}
