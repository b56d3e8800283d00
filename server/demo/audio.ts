import { sql } from 'kysely';
import type { AudioType } from '../../contract/audio.ts';
import { createAudio } from '../audio/create-audio.ts';
import { prepareInThread } from '../audio/run-thread.ts';
import type { Trx } from '../db.ts';
import type { FileStore } from '../files.ts';
import { fliteSpeech } from '../outside/speech-flite.ts';

type Who = 'ownerId' | 'adminId' | 'userId';

interface DemoAudio {
  name: string;
  audioType: AudioType;
  by: Who;
  /** The first one sounds best; kal16 takes a tenth of the time, and a new user waits for all of them. */
  voice: 'slt' | 'rms' | 'kal16';
  isShared?: true;
  isStarred?: true;
  /** Number of uses, and days since the last one. */
  used?: [times: number, daysAgo: number];
  text: string;
}

const recordings: DemoAudio[] = [
  {
    name: 'Late start, two hours',
    audioType: 'announcement',
    by: 'ownerId',
    voice: 'slt',
    isShared: true,
    isStarred: true,
    used: [14, 47],
    text: 'Good evening. This is Harlow Creek Schools. Because of ice on the roads, all schools start two hours late tomorrow. Buses run two hours later than usual. If your road is not safe, keep your child at home and call the office. Thank you.',
  },
  {
    name: 'Schools closed, snow',
    audioType: 'announcement',
    by: 'ownerId',
    voice: 'rms',
    isShared: true,
    isStarred: true,
    used: [9, 19],
    text: 'This is Harlow Creek Schools. All schools and offices are closed today because of snow. There is no after-care. We will call again this evening about tomorrow.',
  },
  {
    name: 'Bus count question',
    audioType: 'survey',
    by: 'userId',
    voice: 'kal16',
    isShared: true,
    used: [3, 6],
    text: 'Hello from Harlow Creek Schools. Does your child ride the bus next week? For yes, press star 1. For no, press star 2. To talk to the bus office, press 0.',
  },
  {
    name: 'Board meeting reminder',
    audioType: 'announcement',
    by: 'adminId',
    voice: 'kal16',
    isShared: true,
    used: [6, 5],
    text: 'This is a reminder from Harlow Creek Schools. The school board meets on Thursday at 7 in the evening, in the library of the high school. Everybody is welcome, and child care is free.',
  },
  {
    name: 'Talk to the bus office',
    audioType: 'transfer-connect',
    by: 'userId',
    voice: 'kal16',
    isShared: true,
    isStarred: true,
    used: [2, 32],
    text: 'This is the bus office of Harlow Creek Schools. The route of bus 14 changes on Monday. To talk to us about your stop, press 0 now. To hear this message again, press star.',
  },
  {
    name: 'Voicemail, please call back',
    audioType: 'announcement',
    by: 'ownerId',
    voice: 'kal16',
    isShared: true,
    used: [21, 5],
    text: 'Hello. This is Harlow Creek Schools with a message about your child. Please call the main office at (423) 555-0100, Monday to Friday between 8 and 4. Thank you.',
  },
  {
    name: 'Lunch balance is low',
    audioType: 'announcement',
    by: 'adminId',
    voice: 'kal16',
    used: [4, 7],
    text: 'Hello from Harlow Creek Schools. The lunch account of your child is below five dollars. You can add money online, or send it with your child in an envelope. Thank you.',
  },
  {
    name: 'Picture day',
    audioType: 'announcement',
    by: 'ownerId',
    voice: 'kal16',
    text: 'This is Harlow Creek Elementary. Picture day is next Tuesday. Order forms went home today. If you would like no picture to be taken, please tell the teacher before Monday.',
  },
];

/** Synthesizes the demo's messages, ready for calls: the same sound every time. */
export function readDemoAudio() {
  const speech = fliteSpeech();
  const { signal } = new AbortController();
  return Promise.all(
    recordings.map(async ({ text, voice }) =>
      prepareInThread({ bytes: await speech.speak(text, voice, 1, signal) }, { isStrict: false }),
    ),
  );
}

export async function createDemoAudio(
  trx: Trx,
  files: FileStore,
  sounds: Awaited<ReturnType<typeof readDemoAudio>>,
  ids: Record<Who, number> & { accountId: number },
): Promise<void> {
  const { accountId } = ids;
  for (const [index, sound] of sounds.entries()) {
    const about = recordings[index];
    if (about === undefined) continue;
    const insert = await createAudio(files, sound, {
      accountId,
      userId: ids[about.by],
      name: about.name,
      audioType: about.audioType,
      origin: 'Speech',
      speech: { text: about.text, voiceId: `flite:${about.voice}`, rate: 1 },
    });
    const audioId = await insert(trx);
    const [times, daysAgo] = about.used ?? [0, 0];
    await sql`
      update audio set is_shared = ${about.isShared ?? false}, use_count = ${times},
        last_used_at = case when ${times} > 0 then now() - ${daysAgo} * interval '1 day' end,
        created_at = now() - ${daysAgo + times * 9 + 3} * interval '1 day'
      where account_id = ${accountId} and audio_id = ${audioId}`.execute(trx);
    if (about.isStarred) {
      await trx
        .insertInto('audio_favorites')
        .values({ account_id: accountId, audio_id: audioId, user_id: ids.ownerId })
        .execute();
    }
  }
}
