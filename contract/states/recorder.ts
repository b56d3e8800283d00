import { machine } from './machine.ts';

/** Recorder states: initial, starting, recording, processing, review, error. */
export type RecorderState = 'initial' | 'starting' | 'recording' | 'processing' | 'review' | 'error';
export type RecorderEvent = 'start' | 'started' | 'stop' | 'processed' | 'fail' | 'again';

export const recorder = machine<RecorderState, RecorderEvent>({
  initial: 'initial',
  transitions: {
    initial: { start: 'starting', fail: 'error' },
    /** Stopping before the microphone runs leaves nothing to process. */
    starting: { started: 'recording', stop: 'initial', fail: 'error' },
    recording: { stop: 'processing', fail: 'error' },
    processing: { processed: 'review', fail: 'error' },
    review: { again: 'initial' },
    error: { again: 'initial' },
  },
});

/** Microphone states: no-devices, denied, prompt. Undefined when the microphone may be used. */
export type MicrophoneState = 'no-devices' | 'denied' | 'prompt';

export function microphoneState(
  microphones: number,
  permission: 'granted' | 'denied' | 'prompt',
): MicrophoneState | undefined {
  if (microphones === 0) return 'no-devices';
  return permission === 'granted' ? undefined : permission;
}
