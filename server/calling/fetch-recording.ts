import type { AudioType } from '../../contract/audio.ts';
import { AUDIO_MAX_BYTES } from '../../contract/uploads/audio.ts';
import { createAudio } from '../audio/create-audio.ts';
import { prepareInThread } from '../audio/run-thread.ts';
import type { Database } from '../db.ts';
import type { FileStore } from '../files.ts';
import type { Log } from '../log.ts';
import type { CallProvider } from '../outside/calls.ts';

export interface RecordingContext {
  database: Database;
  files: FileStore;
  log: Log;
  providers: ReadonlyMap<number, CallProvider>;
}

/**
 * Fetches a message recorded by telephone and prepares it for the library; the function that it returns
 * stores it there. Throws BadAudio with a message for people when it can't be used.
 */
export async function fetchRecording(
  files: FileStore,
  provider: CallProvider,
  { url, ...of }: { url: string; accountId: number; userId: number; name: string; audioType: AudioType },
) {
  const bytes = await provider.fetchRecording(url, AUDIO_MAX_BYTES);
  const sound = await prepareInThread({ bytes }, { isStrict: false });
  return createAudio(files, sound, {
    ...of,
    origin: 'Recording',
    isSilenceCut: true,
  });
}

/** The provider's copy isn't needed any more. */
export async function dropRecording(log: Log, provider: CallProvider, url: string): Promise<void> {
  await provider
    .deleteRecording(url)
    .catch((error) => log.warn({ err: error }, 'a recording could not be deleted at the provider'));
}
