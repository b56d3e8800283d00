// Calls that this page takes part in: which ones this computer plays, which microphone is on, and which one the panel shows.
import { useSyncExternalStore } from 'react';
import { ApiError, call, type PhoneCall } from './api.ts';
import { CallSound } from './call-sound.ts';

type State = {
  /** Calls whose sound comes out of this computer, and those whose microphone is on. */
  listening: ReadonlySet<string>;
  speaking: ReadonlySet<string>;
  /** The phone whose call the panel tells about. */
  shown: string | undefined;
  /** A sentence for the person at the page, by phone. */
  problems: ReadonlyMap<string, string>;
};

let state: State = { listening: new Set(), speaking: new Set(), shown: undefined, problems: new Map() };
const listeners = new Set<() => void>();
const sounds = new Map<string, { number: string; sound: CallSound }>();

function change(next: Partial<State>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

export function useCalls(): State {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

function setProblem(number: string, problem: string | undefined): void {
  const problems = new Map(state.problems);
  if (problem === undefined) problems.delete(number);
  else problems.set(number, problem);
  change({ problems });
}

export function showCall(number: string | undefined): void {
  change({ shown: number });
}

function listenTo(number: string, callId: string): CallSound {
  const known = sounds.get(callId);
  if (known) return known.sound;
  const sound = new CallSound(number, callId);
  sounds.set(callId, { number, sound });
  change({ listening: new Set(state.listening).add(callId), shown: number });
  return sound;
}

function stopListening(callId: string): void {
  sounds.get(callId)?.sound.close();
  if (!sounds.delete(callId)) return;
  const listening = new Set(state.listening);
  const speaking = new Set(state.speaking);
  listening.delete(callId);
  speaking.delete(callId);
  change({ listening, speaking });
}

export function toggleListening(number: string, current: PhoneCall): void {
  if (sounds.has(current.CallID)) stopListening(current.CallID);
  else listenTo(number, current.CallID).follow(current.Heard);
}

/** Told what a phone's call is now: plays what is heard, and ends with the call. */
export function followCall(number: string, current: PhoneCall | undefined): void {
  for (const [callId, { number: owner, sound }] of sounds) {
    if (owner !== number) continue;
    if (callId === current?.CallID) sound.follow(current.Heard);
    else stopListening(callId);
  }
  // The panel turns to a call when somebody or something picks up.
  const isUp = current?.State === 'InCall' || current?.State === 'Voicemail';
  if (isUp && state.shown === undefined) change({ shown: number });
}

type Action = 'Answer' | 'Voicemail' | 'Busy' | 'HangUp' | 'Press' | 'LetItRing';

async function attempt(number: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    setProblem(number, undefined);
    return true;
  } catch (error) {
    setProblem(number, error instanceof ApiError ? error.message : 'That didn’t work.');
    return false;
  }
}

/** Carries out an action of the person who holds the phone. */
export async function act(number: string, callId: string, action: Action, keys?: string): Promise<void> {
  await attempt(number, async () => {
    await call('POST', `/phones/${number}/calls/${callId}`, {
      Do: action,
      ...(keys !== undefined && { Keys: keys }),
    });
    if (action === 'Answer') listenTo(number, callId);
    if (action === 'HangUp') stopListening(callId);
  });
}

/** Calls one of Muster's numbers from this phone. */
export async function dial(number: string, to: string): Promise<boolean> {
  return await attempt(number, async () => {
    const { CallID } = await call<PhoneCall>('POST', `/phones/${number}/calls`, { To: to });
    listenTo(number, CallID);
  });
}

export async function toggleMicrophone(number: string, callId: string): Promise<void> {
  const speaking = new Set(state.speaking);
  const sound = listenTo(number, callId);
  if (speaking.delete(callId)) sound.closeMicrophone();
  else {
    try {
      await sound.openMicrophone();
      speaking.add(callId);
      setProblem(number, undefined);
    } catch (error) {
      setProblem(number, microphoneProblem(error));
    }
  }
  change({ speaking });
}

function microphoneProblem(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError') return 'Allow the microphone in the browser’s address bar.';
  if (name === 'NotFoundError') return 'This computer has no microphone.';
  return 'The microphone couldn’t be opened.';
}
