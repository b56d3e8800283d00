import type { RecipientProblem } from '../../../contract/draft-recipients.ts';
import type { Preflight } from '../../../contract/drafts.ts';
import { misleadingKeys, missingKeys } from '../../../contract/forms/broadcast.ts';
import { formatE164 } from '../../../contract/phone/format-phone.ts';
import { wirePhone } from '../../../contract/phone/normalize-phone.ts';
import { isAllDay } from '../../../contract/time/calling-window.ts';
import { formatClockTime } from '../../../contract/time/clock-time.ts';
import type { Sending } from '../draft/read-sending.ts';
import { zoneLabel } from '../draft/rules.ts';
import { zonesOf } from './plan-zones.ts';
import { type CallReckoning, planTheCalls } from './reckon-calls.ts';
import type { Reckoning } from './reckon-sending.ts';

type Calls = NonNullable<Preflight['Calls']>;
type Check = Preflight['Checks'][number];

/** The calls of a broadcast as the page before Send shows them. */
export function toCalls(
  sending: Sending,
  { startMs, summary: texts, reached }: Reckoning,
  calls: CallReckoning,
): Calls {
  const { summary, calling } = calls;
  const plan = planTheCalls(sending, calls, startMs);
  return {
    Called: summary.called,
    Texted: texts.good,
    Reached: reached,
    LeftOut: Object.entries(summary.leftOut).map(([problem, Count]) => ({
      Problem: problem as RecipientProblem,
      Count: Count ?? 0,
    })),
    CallerID:
      calls.callerPhone === undefined ? calling.CallerID : wirePhone(calls.callerPhone, calling.CountryID),
    Lines: calls.lines,
    StartsPerSecond: calls.provider?.startsPerSecond ?? 1,
    LiveSeconds: calls.liveSeconds,
    VoicemailSeconds: calls.voicemailSeconds,
    CreditsEach: calls.creditsEach,
    Credits: calls.credits,
    Window: windowWords(calls),
    Plan: plan.zones
      .toSorted((a, b) => a.opensMs - b.opensMs || b.count - a.count)
      .map(({ zone, count, opensMs, doneMs }) => ({
        Zones: zonesOf(zone, sending.accountZone),
        Label: zoneLabel(zone === '' ? sending.accountZone : zone),
        Count: count,
        Opens: new Date(opensMs).toISOString(),
        Done: new Date(doneMs).toISOString(),
      })),
    Starts: new Date(plan.startsMs).toISOString(),
    Ends: new Date(plan.endsMs).toISOString(),
    Expiring: plan.expiring,
  };
}

/** "9:00 AM to 9:00 PM, Monday to Friday" in the sender's own words. */
function windowWords({ calling }: CallReckoning): string {
  const hours = isAllDay(calling)
    ? 'All day'
    : `${formatClockTime(calling.StartTimeOfDay)} to ${formatClockTime(calling.StopTimeOfDay)}`;
  const days = calling.CallingWindowDays;
  return days.length === 7 ? `${hours}, every day` : `${hours}, ${days.join(', ')}`;
}

/** Problems that could keep calls from being placed or heard. */
export function checkCalls(sending: Sending, { calls, startMs }: Reckoning): Check[] {
  if (calls === undefined) return [];
  const plan = planTheCalls(sending, calls, startMs);
  const checks: Check[] = [];
  if (calls.provider !== undefined && calls.callerPhone !== undefined) {
    checks.push({ Kind: 'ok', Text: `Calls come from ${formatE164(calls.callerPhone)}.` });
  }
  if (plan.expiring > 0) {
    const many = plan.expiring.toLocaleString('en-US');
    checks.push({
      Kind: 'warning',
      Text: `${many} ${plan.expiring === 1 ? 'call doesn’t' : 'calls don’t'} fit into the calling window and will expire. Use more calls at a time, or continue on the next day.`,
    });
  }
  const live = calls.calling.Audio?.Text ?? null;
  if (live !== null && !/\b(this is|from|calling)\b/i.test(live)) {
    checks.push({ Kind: 'warning', Text: 'The message doesn’t say who is calling.' });
  }
  const asked = { type: sending.broadcast_type, isTransfer: sending.is_transfer };
  for (const Text of missingKeys(live, asked)) checks.push({ Kind: 'error', Text });
  for (const Text of misleadingKeys(live, asked)) checks.push({ Kind: 'warning', Text });
  checks.push({
    Kind: 'ok',
    Text: 'After the message, everyone can press 9 to stop these calls.',
  });
  return checks;
}
