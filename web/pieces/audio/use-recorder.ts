import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { timing } from '../../../contract/reference/limits.ts';
import { next } from '../../../contract/states/machine.ts';
import { type RecorderEvent, type RecorderState, recorder } from '../../../contract/states/recorder.ts';
import { AUDIO_MAX_SECONDS } from '../../../contract/uploads/audio.ts';
import { drawPeaks, findSilence, type Silence } from '../../../contract/uploads/sound.ts';
import { microphoneSentences } from './microphone.ts';
import { stopPlaying } from './player.ts';
import { resample, writeWav } from './wav-file.ts';

const figures = timing.recorder;

export interface Recording {
  wav: Blob;
  seconds: number;
  peaks: Uint8Array;
  /** Undefined where nothing is to be heard. */
  silence: Silence | undefined;
}

/** A microphone that runs, and how to end it. */
interface Running {
  finish: () => Promise<Float32Array>;
  release: () => void;
  sampleRate: number;
}

function isMobile(): boolean {
  return matchMedia('(pointer: coarse)').matches && !matchMedia('(any-pointer: fine)').matches;
}

/**
 * Records from the microphone into a wav file. States: initial, starting, recording, processing, review, error, as
 * contract/states/recorder.ts has them.
 */
export function useRecorder() {
  const [state, send] = useReducer(
    (before: RecorderState, event: RecorderEvent) => next(recorder, before, event),
    recorder.initial,
  );
  const [problem, setProblem] = useState('');
  const [recording, setRecording] = useState<Recording>();
  /** One for each tenth of a second, 0 to 255. */
  const [peaks, setPeaks] = useState<readonly number[]>([]);
  const running = useRef<Running>(undefined);
  /** Counts the attempts: what an earlier one still had to say is not about this one. */
  const attempt = useRef(0);

  const release = useCallback(() => {
    running.current?.release();
    running.current = undefined;
  }, []);
  useEffect(
    () => () => {
      attempt.current += 1;
      release();
    },
    [release],
  );

  const stop = useCallback(async () => {
    const microphone = running.current;
    const own = attempt.current;
    send('stop');
    if (!microphone) {
      // Stopped while it was starting.
      attempt.current += 1;
      return;
    }
    running.current = undefined;
    try {
      const samples = await microphone.finish();
      const made = await makeRecording(samples, microphone.sampleRate);
      if (own !== attempt.current) return;
      setRecording(made);
      send('processed');
    } catch {
      setProblem('The recording couldn’t be prepared. Please record it again.');
      send('fail');
    }
  }, []);

  const start = useCallback(
    async (deviceId?: string) => {
      attempt.current += 1;
      const own = attempt.current;
      stopPlaying();
      setRecording(undefined);
      setPeaks([]);
      send('start');
      try {
        const microphone = await openMicrophone(deviceId, {
          onChunk: (peak, seconds) => {
            setPeaks((before) => [...before, peak]);
            if (seconds >= AUDIO_MAX_SECONDS) void stop();
          },
          // Unplugged: what was said until then is kept.
          onLost: () => void stop(),
          isWanted: () => own === attempt.current,
        });
        if (own !== attempt.current) {
          microphone.release();
          return;
        }
        running.current = microphone;
        send('started');
      } catch (error) {
        if (own !== attempt.current) return;
        setProblem(sentenceOf(error));
        send('fail');
      }
    },
    [stop],
  );

  const again = useCallback(() => {
    attempt.current += 1;
    release();
    setRecording(undefined);
    setPeaks([]);
    setProblem('');
    send('again');
  }, [release]);

  /** Throws away the current recording and starts over. */
  const startOver = useCallback(async () => {
    release();
    send('fail');
    send('again');
    await start();
  }, [release, start]);

  return { state, problem, recording, peaks, start, stop, again, startOver };
}

function sentenceOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  const { 'no-devices': none, denied } = microphoneSentences;
  if (name === 'NotAllowedError' || name === 'SecurityError') return `${denied.title}. ${denied.words}`;
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return `${none.title}. ${none.words}`;
  if (name === 'NotReadableError' || name === 'AbortError')
    return 'Another program is using the microphone. Close it and try again.';
  return 'The microphone couldn’t be started. Please try again.';
}

interface Listening {
  onChunk: (peak: number, seconds: number) => void;
  onLost: () => void;
  /** False once somebody has stopped it. */
  isWanted: () => boolean;
}

async function openMicrophone(deviceId: string | undefined, listening: Listening): Promise<Running> {
  const mobile = isMobile();
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: {
      channelCount: 1,
      sampleRate: { ideal: figures.idealSampleRateHz },
      ...(deviceId ? { deviceId: { exact: deviceId } } : {}),
    },
  });
  const release: (() => void)[] = [
    () => {
      for (const track of stream.getTracks()) track.stop();
    },
  ];
  const releaseAll = () => {
    for (const each of release) each();
  };
  try {
    const { context, source } = connect(stream, mobile ? figures.mobileSampleRateHz : figures.sampleRateHz);
    release.push(() => void context.close());
    await context.audioWorklet.addModule('/recorder-worklet.js');
    // The first moments of a microphone are clicks and noise.
    await new Promise((resolve) =>
      setTimeout(resolve, mobile ? figures.mobileStartDelayMs : figures.startDelayMs),
    );
    if (!listening.isWanted()) throw new DOMException('stopped', 'AbortError');
    return record(context, source, stream, { listening, release: releaseAll });
  } catch (error) {
    releaseAll();
    throw error;
  }
}

/** At the wished rate where the browser connects a microphone to it, else at its own. */
function connect(stream: MediaStream, sampleRate: number) {
  const wished = new AudioContext({ sampleRate });
  try {
    return { context: wished, source: wished.createMediaStreamSource(stream) };
  } catch {
    void wished.close();
    const context = new AudioContext();
    return { context, source: context.createMediaStreamSource(stream) };
  }
}

function record(
  context: AudioContext,
  source: MediaStreamAudioSourceNode,
  stream: MediaStream,
  { listening: { onChunk, onLost }, release }: { listening: Listening; release: () => void },
): Running {
  const chunks: Float32Array[] = [];
  let length = 0;
  const last = Promise.withResolvers<void>();
  const node = new AudioWorkletNode(context, 'muster-recorder', {
    numberOfOutputs: 0,
    processorOptions: { chunkMs: figures.chunkMs },
  });
  node.port.onmessage = ({ data }: MessageEvent<{ samples: Float32Array; isLast: boolean }>) => {
    chunks.push(data.samples);
    length += data.samples.length;
    if (data.isLast) last.resolve();
    else onChunk(drawPeaks(data.samples, 1)[0] ?? 0, length / context.sampleRate);
  };
  source.connect(node);
  for (const track of stream.getTracks()) track.addEventListener('ended', onLost, { once: true });
  return {
    sampleRate: context.sampleRate,
    release,
    async finish() {
      node.port.postMessage('end');
      // A context that the system has suspended answers nothing any more.
      await Promise.race([last.promise, new Promise((resolve) => setTimeout(resolve, 500))]);
      release();
      const samples = new Float32Array(length);
      let at = 0;
      for (const chunk of chunks) {
        samples.set(chunk, at);
        at += chunk.length;
      }
      return samples;
    },
  };
}

async function makeRecording(samples: Float32Array, sampleRate: number): Promise<Recording> {
  const rate = sampleRate === figures.mobileSampleRateHz ? sampleRate : figures.idealSampleRateHz;
  // A chunk more than two minutes would be a message that is too long.
  const most = samples.subarray(0, AUDIO_MAX_SECONDS * sampleRate);
  const sound = await resample(most, sampleRate, rate);
  return {
    wav: writeWav(sound, rate),
    seconds: sound.length / rate,
    peaks: drawPeaks(sound),
    silence: findSilence(sound, rate),
  };
}
