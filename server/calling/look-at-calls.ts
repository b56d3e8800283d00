import { bindAttempt } from '../calls/bind-attempt.ts';
import { claimLooks, type LookedCall, lookLater } from '../calls/claim-looks.ts';
import { endAttempt } from '../calls/end-attempt.ts';
import { doubtPauseSeconds, doubtSeconds, writeCallKey } from '../calls/rules.ts';
import { asSystem } from '../db.ts';
import type { CallProvider, SeenCall } from '../outside/calls.ts';
import type { PlacingContext } from './place-calls.ts';

const atOnce = 50;
/** Seconds until an active call is checked again. */
const stillUpSeconds = 15;

/**
 * Checks calls without events for too long. A call in doubt is looked up and never placed again; one that
 * can't be found for two minutes is Call Failed and free. Returns whether there may be more.
 */
export async function lookAtCalls(context: PlacingContext, provider: CallProvider): Promise<boolean> {
  const looked = await claimLooks(context.database, provider.aggregatorId, atOnce);
  await Promise.all(looked.map((call) => lookAt(context, provider, call)));
  return looked.length === atOnce;
}

async function lookAt(context: PlacingContext, provider: CallProvider, call: LookedCall): Promise<void> {
  const { database, log } = context;
  const key = writeCallKey(call);
  let seen: SeenCall | undefined;
  try {
    seen =
      call.sid === null
        ? await provider.find({
            key,
            from: call.callerId,
            to: call.phone,
            since: call.placedAt,
            otherSids: call.otherSids,
          })
        : await provider.look(call.sid, key);
  } catch (error) {
    log.warn({ provider: provider.name, err: error }, 'could not ask the provider about a call');
    return lookLater(database, call, doubtPauseSeconds);
  }
  if (seen === undefined) return giveUpOrWait(context, call);
  await settle(context, provider, call, seen);
}

async function giveUpOrWait({ database }: PlacingContext, call: LookedCall): Promise<void> {
  if (call.placedSeconds <= doubtSeconds) return lookLater(database, call, doubtPauseSeconds);
  await asSystem(database, async (trx) => {
    // It was active, and the provider no longer knows it: an Asterisk doesn't know calls that are over.
    if (call.heardAt !== null) {
      await endAttempt(trx, call, { end: 'completed' });
      return;
    }
    await endAttempt(trx, call, {
      end: 'call_failed',
      isDoubt: true,
      note: 'The provider didn’t say whether it placed this call. It wasn’t repeated, and nothing was charged.',
    });
  });
}

async function settle(
  { database }: PlacingContext,
  provider: CallProvider,
  call: LookedCall,
  seen: SeenCall,
): Promise<void> {
  const { state, sid } = seen;
  const isEnded = state !== 'ringing' && state !== 'up';
  await asSystem(database, async (trx) => {
    const isBound = await bindAttempt(trx, call, sid, {
      isUp: state === 'up',
      lookSeconds: stillUpSeconds,
      ...(seen.answeredBy === null ? {} : { answeredBy: seen.answeredBy }),
    });
    if (!isBound || !isEnded) return;
    await endAttempt(trx, call, { end: state, answeredBy: seen.answeredBy, seconds: seen.seconds });
  });
  const answeredBy = seen.answeredBy ?? call.answeredBy;
  // The verdict arrived, but not the request that should have started the voicemail message.
  if (state === 'up' && answeredBy === 'machine' && !call.hasPressed && call.voicemailAt === null) {
    await provider.playVoicemail(sid, writeCallKey(call));
  }
}
