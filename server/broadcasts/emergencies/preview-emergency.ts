import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { previewEmergency as definition, EmergencyPreview } from '../../../contract/emergencies.ts';
import { asAccount } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { getPreflight } from '../preflight/get-preflight.ts';
import { countHeld } from './count-held.ts';
import { makeEmergency, prepareWords } from './make-emergency.ts';
import type { EmergencyContext } from './speak-words.ts';

/** Made like the real one and rolled back before anybody sees it, so it can't show anything different. */
export async function previewEmergency(
  context: EmergencyContext,
  actor: Actor,
  { body: asked }: Input<typeof definition>,
): Promise<EmergencyPreview> {
  const { database } = context.app;
  const said = await prepareWords(context, actor, asked, { isPreview: true });
  return asAccount(database, actor.accountId, async (trx) => {
    await sql`savepoint preview`.execute(trx);
    const made = await makeEmergency(trx, actor, asked, { ...said, key: null });
    const preflight = await getPreflight(trx, actor, {
      params: { DraftBroadcastID: made.broadcastId },
      query: undefined,
      body: undefined,
    });
    const held = await countHeld(trx, actor, made.broadcastId);
    await sql`rollback to savepoint preview`.execute(trx);
    const { Summary, Cost, Starts, Ends, Calls, Sample } = preflight;
    const CallCredits = Calls?.Credits ?? 0;
    const Texted = made.channel === 'Call' ? 0 : (Calls?.Texted ?? Summary.Good);
    const Reached = Calls?.Reached ?? Summary.Good;
    const [first] = made.same;
    // The other emergency reaches everybody: confirming joins it, which nothing refuses.
    const isJoin = first !== undefined && Reached === 0;
    return {
      ...{ Summary, Cost, Starts, Ends, Calls, Sample, Texted, Reached },
      Refusal: isJoin ? null : preflight.Refusal,
      Channel: made.channel,
      TextProblem: made.textProblem,
      CallProblem: made.callProblem,
      TextCredits: Cost.Credits - CallCredits,
      CallCredits,
      HeldTexts: held.texts,
      HeldCalls: held.calls,
      HeldUntil: held.until?.toISOString() ?? null,
      Joins:
        first === undefined
          ? null
          : {
              ...first,
              StartDate: first.StartDate.toISOString(),
              HeldUntil: first.HeldUntil?.toISOString() ?? null,
            },
    };
  });
}
