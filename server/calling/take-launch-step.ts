/**
 * An inbound call to one of the organization's numbers: ID and PIN, a group by its list ID, a message, and a
 * key that confirms. Every webhook locks the call's row first, so a repeated one finds the result of the
 * first: however often 1 is reported at the end, one broadcast is sent.
 */

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { limits } from '../../contract/reference/limits.ts';
import { type Actor, findActiveActor } from '../access/load-actor.ts';
import { may } from '../access/refuse-unless.ts';
import { hashPassword, matchesHash } from '../auth/sign-in.ts';
import { isChangingRecipients } from '../broadcasts/draft/queries.ts';
import { sendBroadcast } from '../broadcasts/feed/send-broadcast.ts';
import { getPreflight } from '../broadcasts/preflight/get-preflight.ts';
import {
  askDigits,
  askKey,
  askRecording,
  end,
  type LaunchKey,
  launchWords,
  lockMinutes,
  mostFailuresAnHour,
  mostTries,
  mostWaits,
  playBack,
  readLaunchKey,
  waitMore,
  writeLaunchKey,
} from '../calls/launch-rules.ts';
import { nowMs } from '../clock.ts';
import { asAccount, type Database, type Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import type { CallNews, CallStep } from '../outside/calls.ts';
import { saidIn } from '../outside/words-of-calls.ts';
import { recordEvents } from '../record-events.ts';
import { beginKeeping } from './close-recordings.ts';
import { launchReason } from './launch-reason.ts';
import { changeLaunch, findLanguage, type LaunchRow, lockLaunch, openLaunch } from './launch-row.ts';

type Step = Extract<CallNews, { kind: 'step' }>;

/** Compared with when there is no such ID, so that both answers take the same time. */
const nobody = hashPassword(randomBytes(16).toString('hex'));

/** The next step of the call, and the key for its next webhooks. */
export async function takeLaunchStep(
  database: Database,
  provider: number,
  news: Step,
): Promise<{ key: string; steps: CallStep[] }> {
  const key = readLaunchKey(news.key);
  if (key === undefined) return answerCall(database, provider, news);
  const steps = await asAccount(database, key.accountId, async (trx) => {
    const taken = await takeStep(trx, key, news);
    return saidIn(await findLanguage(trx, key), taken);
  });
  return { key: news.key, steps };
}

async function answerCall(database: Database, provider: number, news: Step) {
  const opened = await openLaunch(database, provider, news);
  if (opened === undefined) return { key: '', steps: end(launchWords.notHere) };
  const { key, organization, languageId } = opened;
  const steps = askDigits('id', limits.launchId.max, launchWords.welcome(organization));
  return { key: writeLaunchKey(key), steps: saidIn(languageId, steps) };
}

async function takeStep(trx: Trx, key: LaunchKey, news: Step): Promise<CallStep[]> {
  const row = await lockLaunch(trx, key);
  if (row === undefined || row.nonce !== key.nonce || row.sid !== news.sid) return end();
  if (news.at === 'id') return takeId(trx, row, news.keys);
  if (news.at === 'pin') return takePin(trx, row, news.keys);
  const actor = row.user_id === null ? undefined : await findActiveActor(trx, row.account_id, row.user_id);
  // They may lose the right to send during the call.
  if (actor === undefined || !may(actor, 'createVoiceBroadcast')) return end(launchWords.goodbye);
  switch (news.at) {
    case 'menu':
      return takeMenu(trx, row, news.keys);
    case 'list':
      return takeList(trx, row, news.keys);
    case 'chosen':
      return takeChoice(trx, row, news.keys);
    case 'recorded':
      return takeRecording(trx, row, news);
    case 'kept':
      return takeKept(trx, row, news.keys);
    case 'wait':
      return takeWait(trx, actor, row);
    case 'confirm':
      return takeConfirmation(trx, actor, row, news.keys);
    default:
      return end();
  }
}

/** Digits without the pound key, which the provider may or may not include. */
const digitsOf = (keys: string) => keys.replace(/\D/g, '');

/** Counts a wrong answer; the call ends after several. */
async function again(trx: Trx, row: LaunchRow, steps: CallStep[]): Promise<CallStep[]> {
  if (row.tries + 1 >= mostTries) return end(launchWords.goodbye);
  await changeLaunch(trx, row, { tries: row.tries + 1 });
  return steps;
}

/**
 * The answer doesn't reveal whether the ID exists. A caller who types nothing has called back a number that
 * called them.
 */
async function takeId(trx: Trx, row: LaunchRow, keys: string): Promise<CallStep[]> {
  const typed = digitsOf(keys);
  if (typed === '') return end(launchWords.goodbye);
  await changeLaunch(trx, row, { typed_id: typed });
  return askDigits('pin', limits.launchPin.max, launchWords.pin);
}

async function takePin(trx: Trx, row: LaunchRow, keys: string): Promise<CallStep[]> {
  if ((await failuresThisHour(trx, row.account_id)) >= mostFailuresAnHour) return end(launchWords.tooMany);
  const userId = await checkPin(trx, row, digitsOf(keys));
  if (userId === undefined) {
    const failures = row.failures + 1;
    await changeLaunch(trx, row, { failures });
    await recordEvents(trx, { accountId: row.account_id }, [
      { kind: 'phoneLaunch.refused', id: row.launch_call_id },
    ]);
    if (failures >= mostTries) return end(launchWords.tooMany);
    return askDigits('id', limits.launchId.max, launchWords.wrong, welcomeAgain);
  }
  await changeLaunch(trx, row, { user_id: userId, tries: 0 });
  await recordEvents(trx, { accountId: row.account_id, userId }, [
    { kind: 'phoneLaunch.signedIn', id: row.launch_call_id },
  ]);
  const waiting = await findWaitingMessage(trx, row.account_id, userId);
  return waiting === undefined
    ? askDigits('list', limits.phoneListId, launchWords.list)
    : askKey('menu', launchWords.menu(waiting.name));
}

const welcomeAgain = 'Enter your phone launch ID, then press the pound key.';

async function failuresThisHour(trx: Trx, accountId: number): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    select coalesce(sum(failures), 0)::int as failures from launch_calls
    where account_id = ${accountId} and created_at > now() - interval '1 hour'`.execute(trx);
  return rows[0]?.failures ?? 0;
}

/** The user of an ID and PIN. The ID's row is locked meanwhile: nobody tries two PINs at once. */
async function checkPin(trx: Trx, row: LaunchRow, pin: string): Promise<number | undefined> {
  const found = await trx
    .selectFrom('launch_ids')
    .select(['user_id', 'pin_hash', 'failures', 'locked_until'])
    .where('account_id', '=', row.account_id)
    .where('launch_id', '=', row.typed_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const isRight = await matchesHash(found?.pin_hash ?? (await nobody), pin);
  if (found === undefined) return undefined;
  // A right PIN during the lock isn't accepted, and the reply doesn't reveal that it was right.
  if (found.locked_until !== null && found.locked_until.getTime() > nowMs()) return undefined;
  const failures = isRight ? 0 : found.failures + 1;
  const minutes = lockMinutes(failures);
  await sql`
    update launch_ids
    set failures = ${Math.min(failures, 1000)},
      locked_until = case when ${minutes} > 0 then now() + make_interval(mins => ${minutes}) end
    where account_id = ${row.account_id} and user_id = ${found.user_id}`.execute(trx);
  if (!isRight) return undefined;
  const actor = await findActiveActor(trx, row.account_id, found.user_id);
  return actor !== undefined && may(actor, 'createVoiceBroadcast') ? found.user_id : undefined;
}

/** The oldest message that is still missing in one of their broadcasts. */
async function findWaitingMessage(trx: Trx, accountId: number, userId: number) {
  return trx
    .selectFrom('message_recordings as r')
    .innerJoin('broadcasts as b', (join) =>
      join.onRef('b.account_id', '=', 'r.account_id').onRef('b.broadcast_id', '=', 'r.broadcast_id'),
    )
    .select(['r.recording_id', 'b.name'])
    .where('r.account_id', '=', accountId)
    .where('r.user_id', '=', userId)
    .where('r.state', 'in', ['Waiting', 'Calling'])
    .where('b.status', '=', 'needs_message')
    .orderBy('r.recording_id')
    .executeTakeFirst();
}

async function takeMenu(trx: Trx, row: LaunchRow, keys: string): Promise<CallStep[]> {
  if (keys === '1') return askDigits('list', limits.phoneListId, launchWords.list);
  const waiting = await findWaitingMessage(trx, row.account_id, row.user_id ?? 0);
  if (waiting === undefined) return askDigits('list', limits.phoneListId, launchWords.list);
  if (keys !== '2') return again(trx, row, askKey('menu', launchWords.menu(waiting.name)));
  await changeLaunch(trx, row, { recording_id: waiting.recording_id, tries: 0 });
  return askRecording();
}

async function takeList(trx: Trx, row: LaunchRow, keys: string): Promise<CallStep[]> {
  const group = await trx
    .selectFrom('groups')
    .select(['group_id', 'name'])
    .where('account_id', '=', row.account_id)
    .where('deleted_at', 'is', null)
    .where('phone_list_id', '=', digitsOf(keys))
    .executeTakeFirst();
  if (group === undefined) {
    return again(trx, row, askDigits('list', limits.phoneListId, launchWords.noList, launchWords.list));
  }
  await changeLaunch(trx, row, { group_id: group.group_id, tries: 0 });
  return askKey('chosen', launchWords.chosen(group.name));
}

async function takeChoice(trx: Trx, row: LaunchRow, keys: string): Promise<CallStep[]> {
  if (keys === '1') return askRecording();
  if (keys === '2') return askDigits('list', limits.phoneListId, launchWords.list);
  return again(trx, row, askKey('chosen', launchWords.chosen(await groupName(trx, row))));
}

async function groupName(trx: Trx, { account_id, group_id }: LaunchRow): Promise<string> {
  const group = await trx
    .selectFrom('groups')
    .select('name')
    .where('account_id', '=', account_id)
    .where('group_id', '=', group_id)
    .executeTakeFirst();
  return group?.name ?? '';
}

async function takeRecording(trx: Trx, row: LaunchRow, { recording }: Step): Promise<CallStep[]> {
  if (recording === undefined || recording.seconds < 1) {
    return again(trx, row, askRecording(launchWords.tooShort));
  }
  await changeLaunch(trx, row, { recorded_url: recording.url, tries: 0 });
  return playBack(recording.url);
}

/** Here only 1 means yes: silence must not send anything. */
async function takeKept(trx: Trx, row: LaunchRow, keys: string): Promise<CallStep[]> {
  const url = row.recorded_url;
  if (url === null) return end(launchWords.goodbye);
  if (keys === '2') return askRecording();
  if (keys !== '1') return again(trx, row, playBack(url));
  const { account_id: accountId, launch_call_id: launchCallId } = row;
  if (row.recording_id !== null) {
    if (row.state === 'open') {
      await changeLaunch(trx, row, { state: 'recorded' });
      const { recording_id: recordingId } = row;
      await beginKeeping(trx, {
        accountId,
        recordingId,
        payload: { accountId, callId: 0, launchCallId, url },
      });
    }
    return end(launchWords.saved);
  }
  if (row.state === 'open') {
    await changeLaunch(trx, row, { state: 'preparing', tries: 0 });
    await enqueue(trx, 'prepare_launch', { accountId, launchCallId });
  }
  return waitMore(launchWords.moment);
}

async function takeWait(trx: Trx, actor: Actor, row: LaunchRow): Promise<CallStep[]> {
  if (row.state === 'refused') return end(refusedWords(row, actor));
  if (row.state === 'launched') return end(launchWords.launched);
  const isReady =
    row.state === 'ready' &&
    row.broadcast_id !== null &&
    !(await isChangingRecipients(trx, row.account_id, row.broadcast_id));
  if (!isReady) {
    if (row.tries >= mostWaits) return end(launchWords.slow);
    await changeLaunch(trx, row, { tries: row.tries + 1 });
    return waitMore();
  }
  const params = { DraftBroadcastID: row.broadcast_id ?? 0 };
  const preflight = await getPreflight(trx, actor, { params, query: undefined, body: undefined });
  if (preflight.Refusal !== null) return refuse(trx, actor, row, preflight.Refusal.Message);
  const people = preflight.Calls?.Called ?? 0;
  const credits = preflight.Cost.IsFree ? 0 : preflight.Cost.Credits;
  await changeLaunch(trx, row, { people, credits, tries: 0 });
  return askKey('confirm', launchWords.confirm(people, await groupName(trx, row), credits));
}

function refusedWords(
  { broadcast_id, note }: Pick<LaunchRow, 'broadcast_id' | 'note'>,
  { languageId }: Actor,
): string {
  const reason = launchReason(note, languageId);
  if (reason === '') return broadcast_id === null ? launchWords.notUsed : launchWords.canceled;
  return broadcast_id === null ? launchWords.failed(reason) : launchWords.refused(reason);
}

async function refuse(trx: Trx, actor: Actor, row: LaunchRow, note: string): Promise<CallStep[]> {
  await changeLaunch(trx, row, { state: 'refused', note });
  return end(refusedWords({ ...row, note }, actor));
}

async function takeConfirmation(trx: Trx, actor: Actor, row: LaunchRow, keys: string): Promise<CallStep[]> {
  const { broadcast_id, people, credits } = row;
  if (row.state === 'launched') return end(launchWords.launched);
  if (row.state === 'refused') return end(refusedWords(row, actor));
  if (row.state !== 'ready' || broadcast_id === null) return end(launchWords.canceled);
  if (keys === '2') {
    await changeLaunch(trx, row, { state: 'canceled' });
    return end(launchWords.canceled);
  }
  if (keys !== '1') {
    if (row.tries + 1 >= mostTries) return end(launchWords.canceled);
    await changeLaunch(trx, row, { tries: row.tries + 1 });
    return askKey('confirm', launchWords.confirm(people, await groupName(trx, row), credits));
  }
  await sql`savepoint launch`.execute(trx);
  try {
    await sendBroadcast(trx, actor, broadcast_id, { expectedCount: people, expectedCredits: credits });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await sql`rollback to savepoint launch`.execute(trx);
    return refuse(trx, actor, row, error.message);
  }
  await changeLaunch(trx, row, { state: 'launched' });
  await recordEvents(trx, actor, [
    { kind: 'broadcast.launchedByPhone', id: broadcast_id },
    { kind: 'broadcast.sent', id: broadcast_id },
  ]);
  return end(launchWords.launched);
}
