import { Refusal } from '../../contract/errors.ts';
import { type Actor, findActiveActor } from '../access/load-actor.ts';
import { BadAudio } from '../audio/rules.ts';
import { beginDraft } from '../broadcasts/draft/create-draft.ts';
import { launchName } from '../broadcasts/name-broadcast.ts';
import { addRecipients } from '../broadcasts/recipients/add-recipients.ts';
import { requireLists } from '../broadcasts/recipients/find-candidates.ts';
import { asAccount, type Trx } from '../db.ts';
import { inLanguage } from '../in-language.ts';
import type { Tasks } from '../jobs.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import { dropRecording, fetchRecording, type RecordingContext } from './fetch-recording.ts';
import { changeLaunch, findLanguage, type LaunchRow, lockLaunch } from './launch-row.ts';
import { requireCaller } from './queries.ts';

/**
 * Creates a draft from a recording while the caller waits on the line: the message, the group, their own
 * settings. Nothing is sent here. A second run finds it created.
 */
export async function prepareLaunch(
  { database, files, log, providers }: RecordingContext,
  key: Tasks['prepare_launch'],
): Promise<void> {
  const row = await asAccount(database, key.accountId, (trx) => lockLaunch(trx, key));
  const provider = row && providers.get(row.provider);
  const url = row?.recorded_url ?? null;
  if (row?.state !== 'preparing' || provider === undefined || url === null) return;
  try {
    const languageId = await asAccount(database, key.accountId, (trx) => findLanguage(trx, key));
    const insert = await fetchRecording(files, provider, {
      url,
      accountId: row.account_id,
      userId: row.user_id ?? 0,
      name: inLanguage(languageId, 'files')('Recorded by phone'),
      audioType: 'announcement',
    });
    await asAccount(database, key.accountId, async (trx) => {
      const held = await lockLaunch(trx, key);
      const actor = await findActiveActor(trx, key.accountId, row.user_id ?? 0);
      if (held?.state !== 'preparing' || actor === undefined) return;
      await makeDraft(trx, actor, held, await insert(trx));
    });
  } catch (error) {
    // The job retries temporary errors; for permanent ones the waiting caller hears the reason.
    if (!(error instanceof BadAudio || error instanceof Refusal)) throw error;
    await asAccount(database, key.accountId, async (trx) => {
      const held = await lockLaunch(trx, key);
      if (held?.state === 'preparing')
        await changeLaunch(trx, held, { state: 'refused', note: error.message });
    });
  }
  await dropRecording(log, provider, url);
}

async function makeDraft(trx: Trx, actor: Actor, row: LaunchRow, audioId: number): Promise<void> {
  const listId = row.group_id ?? 0;
  const [group] = await requireLists(trx, actor, [listId]);
  const { callerId } = await requireCaller(trx, actor);
  const audio = { AudioID: audioId };
  const broadcastId = await beginDraft(trx, actor, {
    BroadcastName: launchName(group?.name ?? '', actor.languageId),
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
