import { nextCall } from '../../../contract/time/call-hours.ts';
import { nextAllowedMs } from '../../../contract/time/quiet-hours.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { readSending } from '../draft/read-sending.ts';
import { zonesOf } from '../preflight/plan-zones.ts';
import { reckonSending } from '../preflight/reckon-sending.ts';

/** Texts and calls held by quiet hours or the calling window, and the time when the first of them is released. */
export interface Held {
  texts: number;
  calls: number;
  until: Date | null;
}

export async function countHeld(trx: Trx, actor: Actor, broadcastId: number): Promise<Held> {
  const atMs = nowMs();
  const sending = await readSending(trx, actor.accountId, broadcastId);
  const { summary, calls } = await reckonSending(trx, actor, sending);
  const { hours, accountZone } = sending;
  const texts = wait(summary.zones, atMs, (zone) =>
    hours === undefined ? undefined : nextAllowedMs(zonesOf(zone, accountZone), atMs, hours),
  );
  const called = wait(calls?.summary.zones ?? {}, atMs, (zone) => {
    if (calls === undefined) return undefined;
    const { calling } = calls;
    const next = nextCall(zone, atMs, { window: calling, senderZone: calling.zone, hours, accountZone });
    return next === 'expired' ? undefined : next.atMs;
  });
  const untilMs = Math.min(texts.untilMs, called.untilMs);
  return {
    texts: texts.count,
    calls: called.count,
    until: Number.isFinite(untilMs) ? new Date(untilMs) : null,
  };
}

function wait(zones: Record<string, number>, atMs: number, opens: (zone: string) => number | undefined) {
  const held = { count: 0, untilMs: Number.POSITIVE_INFINITY };
  for (const [zone, count] of Object.entries(zones)) {
    const opensMs = opens(zone);
    if (opensMs === undefined || opensMs <= atMs) continue;
    held.count += count;
    held.untilMs = Math.min(held.untilMs, opensMs);
  }
  return held;
}
