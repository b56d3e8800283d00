import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { type startEmergency as definition, emergencyRefusals } from '../../../contract/emergencies.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { EventKind } from '../../../contract/event-kinds.ts';
import { againAfterDeadlock } from '../../again-after-deadlock.ts';
import { asAccount, type Trx } from '../../db.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { readSending } from '../draft/read-sending.ts';
import { sendBroadcast } from '../feed/send-broadcast.ts';
import { reckonSending } from '../preflight/reckon-sending.ts';
import { choicesOf, type EmergencyWords, makeEmergency, prepareWords } from './make-emergency.ts';
import { findByKey, type StartedRow } from './queries.ts';
import { setHoursAside } from './set-hours-aside.ts';
import type { EmergencyContext, Spoken } from './speak-words.ts';

type Body = Input<typeof definition>['body'];
type Started = Pick<StartedRow, 'BroadcastID' | 'StartedBy' | 'StartDate'>;

/**
 * Starts an emergency: a broadcast like any other, sent by the verb that sends all of them. Starts of one
 * account run one after the other, so that if two people press at once the second finds the first one's and
 * joins it. The key is saved on the broadcast's own row: a user who confirms again after a lost reply finds
 * it too.
 */
export async function startEmergency(
  context: EmergencyContext,
  actor: Actor,
  { body }: Input<typeof definition>,
) {
  const { database } = context.app;
  const { accountId } = actor;
  const known = await asAccount(database, accountId, (trx) => findByKey(trx, accountId, body.Key));
  if (known !== undefined) return answerAgain(known, body);
  const said = await prepareWords(context, actor, body, { isPreview: false });
  return againAfterDeadlock(() => asAccount(database, accountId, (trx) => startOnce(trx, actor, body, said)));
}

async function startOnce(
  trx: Trx,
  actor: Actor,
  body: Body,
  said: { words: EmergencyWords; spoken: Spoken },
) {
  const { accountId } = actor;
  await sql`select pg_advisory_xact_lock(hashtextextended('emergency', ${accountId}))`.execute(trx);
  const known = await findByKey(trx, accountId, body.Key);
  if (known !== undefined) return answerAgain(known, body);
  await sql`savepoint making`.execute(trx);
  const { broadcastId, same } = await makeEmergency(trx, actor, body, { ...said, key: body.Key });
  const [first] = same;
  if (first !== undefined && (await countReached(trx, actor, broadcastId)) === 0) {
    await sql`rollback to savepoint making`.execute(trx);
    await recordEvents(trx, actor, [{ kind: 'broadcast.emergencyJoined', id: first.BroadcastID }]);
    if (body.IgnoreHours) await setHoursAside(trx, actor, same);
    return answer(first, { isJoined: true });
  }
  await sendBroadcast(trx, actor, broadcastId, {
    expectedCount: body.ExpectedCount,
    expectedCredits: body.ExpectedCredits,
  });
  // This one leaves out the people of the others, who would otherwise wait.
  if (body.IgnoreHours) await setHoursAside(trx, actor, same);
  await recordEvents(
    trx,
    actor,
    (await kindsOf(trx, actor, body)).map((kind) => ({ kind, id: broadcastId })),
  );
  const started = await findByKey(trx, accountId, body.Key);
  if (started === undefined) throw new Error(`emergency ${broadcastId} was sent and isn’t there`);
  return answer(started, { isJoined: false });
}

async function countReached(trx: Trx, actor: Actor, broadcastId: number): Promise<number> {
  const sending = await readSending(trx, actor.accountId, broadcastId);
  return (await reckonSending(trx, actor, sending)).reached;
}

/** The entry in the audit log: it also says that a limit was ignored, where the account has one. */
async function kindsOf(trx: Trx, { accountId }: Actor, body: Body): Promise<EventKind[]> {
  const { most_broadcasts } = await trx
    .selectFrom('accounts')
    .select('most_broadcasts')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return [
    'broadcast.sent',
    body.IsDrill ? 'broadcast.drillStarted' : 'broadcast.emergencyStarted',
    ...(most_broadcasts === null ? [] : (['broadcast.frequencySetAside'] as const)),
    ...(body.IgnoreHours ? (['broadcast.hoursSetAside'] as const) : []),
  ];
}

/** The same confirmation once more, as after a lost reply. One with other choices must not seem to be sent. */
function answerAgain(known: StartedRow, body: Body) {
  if (known.choices !== null && known.choices !== choicesOf(body))
    throw new Refusal('conflict', emergencyRefusals.otherChoices);
  return answer(known, { isJoined: false });
}

function answer({ BroadcastID, StartedBy, StartDate }: Started, { isJoined }: { isJoined: boolean }) {
  return {
    BroadcastID,
    IsJoined: isJoined,
    StartedBy,
    StartDate: StartDate.toISOString(),
    UriSummary: `/broadcasts/${BroadcastID}`,
  };
}
