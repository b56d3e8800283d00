import { Refusal } from '../../contract/errors.ts';
import { limits } from '../../contract/reference/limits.ts';
import { cutText } from '../../contract/text/cut-text.ts';
import { AUDIO_MAX_BYTES } from '../../contract/uploads/audio.ts';
import { type Actor, findActiveActor } from '../access/load-actor.ts';
import { createAudio } from '../audio/create-audio.ts';
import { BadAudio } from '../audio/rules.ts';
import { prepareInThread } from '../audio/run-thread.ts';
import { beginDraft } from '../broadcasts/draft/create-draft.ts';
import { addRecipients } from '../broadcasts/recipients/add-recipients.ts';
import { requireLists } from '../broadcasts/recipients/find-candidates.ts';
import { asAccount, type Database, type Trx } from '../db.ts';
import type { FileStore } from '../files.ts';
import type { Tasks } from '../jobs.ts';
import type { Log } from '../log.ts';
import { notify } from '../notify.ts';
import type { CallProvider } from '../outside/calls.ts';
import { recordEvents } from '../record-events.ts';
import { changeLaunch, type LaunchRow, lockLaunch } from './launch-row.ts';
import { requireCaller } from './queries.ts';

interface Context {
  database: Database;
  files: FileStore;
  log: Log;
  providers: ReadonlyMap<number, CallProvider>;
}

/**
 * Makes a draft of what somebody recorded while they wait on the line: the message, the group, their own settings.
 * Nothing is sent here. A second time it finds it made.
 */
export async function prepareLaunch(
  { database, files, log, providers }: Context,
  key: Tasks['prepare_launch'],
): Promise<void> {
  const row = await asAccount(database, key.accountId, (trx) => lockLaunch(trx, key));
  const provider = row && providers.get(row.provider);
  const url = row?.recorded_url ?? null;
  if (row?.state !== 'preparing' || provider === undefined || url === null) return;
  try {
    const bytes = await provider.fetchRecording(url, AUDIO_MAX_BYTES);
    const sound = await prepareInThread({ bytes }, { isStrict: false });
    const insert = await createAudio(files, sound, {
      accountId: row.account_id,
      userId: row.user_id ?? 0,
      name: 'Recorded by phone',
      audioType: 'announcement',
      origin: 'Recording',
      isSilenceCut: true,
    });
    await asAccount(database, key.accountId, async (trx) => {
      const held = await lockLaunch(trx, key);
      const actor = await findActiveActor(trx, key.accountId, row.user_id ?? 0);
      if (held?.state !== 'preparing' || actor === undefined) return;
      await makeDraft(trx, actor, held, await insert(trx));
    });
  } catch (error) {
    // What may pass is tried again by the job; what won't is said to whoever waits.
    if (!(error instanceof BadAudio || error instanceof Refusal)) throw error;
    await asAccount(database, key.accountId, async (trx) => {
      const held = await lockLaunch(trx, key);
      if (held?.state === 'preparing')
        await changeLaunch(trx, held, { state: 'refused', note: error.message });
    });
  }
  await provider
    .deleteRecording(url)
    .catch((error) => log.warn({ err: error }, 'a recording could not be deleted at the provider'));
}

async function makeDraft(trx: Trx, actor: Actor, row: LaunchRow, audioId: number): Promise<void> {
  const listId = row.group_id ?? 0;
  const [group] = await requireLists(trx, actor, [listId]);
  const { callerId } = await requireCaller(trx, actor);
  const audio = { AudioID: audioId };
  const broadcastId = await beginDraft(trx, actor, {
    BroadcastName: cutText(`By phone: ${group?.name ?? ''}`, limits.broadcastName),
    BroadcastType: 'Announcement',
    CallerID: callerId,
    Audio: audio,
    AudioVM: audio,
    Step: 4,
  });
  await addRecipients(trx, actor, broadcastId, { kind: 'lists', listIds: [listId] });
  await changeLaunch(trx, row, { state: 'ready', broadcast_id: broadcastId, tries: 0 });
  await recordEvents(trx, actor, [
    { kind: 'audio.created', id: audioId },
    { kind: 'draft.created', id: broadcastId },
  ]);
  await notify(trx, actor.accountId, [{ type: 'audio.changed' }, { type: 'broadcasts.changed' }]);
}
