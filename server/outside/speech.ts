import type { Config } from '../config.ts';
import { fliteSpeech } from './speech-flite.ts';
import { googleSpeech } from './speech-google.ts';
import { openSpeech } from './speech-open.ts';

export interface SpeechVoice {
  /** Unique within its service. */
  id: string;
  /** As in "en-US". */
  language: string;
  label: string;
  /** Sounds like a person. */
  isNatural: boolean;
}

/** Somebody who reads typed words, in our words. */
export interface Speech {
  /** Begins the ids of its voices: `flite:rms`. */
  name: string;
  /** How people know it. */
  label: string;
  voices(): Promise<SpeechVoice[]>;
  /**
   * A wav file, whatever its rate. Throws SpeechRefused where this can't be read by this voice, anything else where it may
   * work later. `rate` 1 is the voice's own pace.
   */
  speak(text: string, voice: string, rate: number, signal: AbortSignal): Promise<Uint8Array>;
}

/** The voices that come with Muster, and those of services that the operator has set up; those first. */
export function createSpeeches(config: Config): Speech[] {
  const { GOOGLE_SPEECH_API_KEY, GOOGLE_SPEECH_BASE_URL, SPEECH_BASE_URL, SPEECH_API_KEY, SPEECH_MODEL } =
    config;
  return [
    ...(GOOGLE_SPEECH_API_KEY === undefined
      ? []
      : [googleSpeech({ baseUrl: GOOGLE_SPEECH_BASE_URL, key: GOOGLE_SPEECH_API_KEY })]),
    ...(SPEECH_BASE_URL === undefined
      ? []
      : [
          openSpeech({
            baseUrl: SPEECH_BASE_URL,
            key: SPEECH_API_KEY,
            model: SPEECH_MODEL,
            voices: config.SPEECH_VOICES,
          }),
        ]),
    fliteSpeech(),
  ];
}
