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

/** A service that reads typed words, in our terms. */
export interface Speech {
  /** Prefix of the ids of its voices: `flite:rms`. */
  name: string;
  /** Its display name. */
  label: string;
  voices(): Promise<SpeechVoice[]>;
  /**
   * A wav file, whatever its rate. Throws SpeechRefused if this voice can't read this text, anything else if
   * it may work later. `rate` 1 is the voice's own pace.
   */
  speak(text: string, voice: string, rate: number, signal: AbortSignal): Promise<Uint8Array>;
}

/**
 * The built-in voices of Muster, and those of services that the operator has configured; the latter first.
 */
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
