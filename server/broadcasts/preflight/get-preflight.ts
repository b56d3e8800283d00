import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { getPreflight as definition, Preflight } from '../../../contract/drafts.ts';
import { Refusal } from '../../../contract/errors.ts';
import { sendsTexts } from '../../../contract/money/units.ts';
import { wirePhone } from '../../../contract/phone/normalize-phone.ts';
import { formatClockTime } from '../../../contract/time/clock-time.ts';
import { timeOfDay } from '../../accounts/rules.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { mergeText, readMergeRecipients } from '../draft/merge-recipients.ts';
import { requireDraft } from '../draft/queries.ts';
import { readSending, type Sending } from '../draft/read-sending.ts';
import { zoneLabel } from '../draft/rules.ts';
import { toContactSummary } from '../recipients/summarize-recipients.ts';
import { checkBeforeSend } from './check-before-send.ts';
import { checkCalls, toCalls } from './check-calls.ts';
import { findMissingFields, findUnknownFields } from './find-missing.ts';
import { refuseUnlessSendable } from './judge-draft.ts';
import { type Plan, zonesOf } from './plan-zones.ts';
import {
  countAllocated,
  getDailyLimit,
  planBoth,
  planSending,
  type Reckoning,
  reckonSending,
} from './reckon-sending.ts';

/** The result of pressing Send, by the same functions that Send calls. Writes nothing. */
export async function getPreflight(
  trx: Trx,
  actor: Actor,
  { params }: Input<typeof definition>,
): Promise<Preflight> {
  const { broadcast_id } = await requireDraft(trx, actor, params.DraftBroadcastID);
  const sending = await readSending(trx, actor.accountId, broadcast_id);
  const reckoning = await reckonSending(trx, actor, sending);
  const plan = await planSending(trx, sending, reckoning);
  const both = reckoning.calls === undefined ? plan : await planBoth(trx, sending, reckoning);
  const balance = await getBalance(trx, actor);
  const sample = await firstText(trx, actor, sending);
  return {
    Summary: await toContactSummary(trx, actor, broadcast_id),
    Cost: costOf(reckoning, balance),
    Starts: new Date(both.startsMs).toISOString(),
    Ends: new Date(both.endsMs).toISOString(),
    Plan: toPlan(plan, sending),
    Calls: reckoning.calls === undefined ? null : toCalls(sending, reckoning, reckoning.calls),
    QuietHours: {
      IsOn: sending.hours !== undefined,
      Start: formatClockTime(timeOfDay(sending.quietHours.quiet_start)),
      Stop: formatClockTime(timeOfDay(sending.quietHours.quiet_stop)),
    },
    Checks: [
      ...(sendsTexts(sending.broadcast_type)
        ? checkBeforeSend({
            sending,
            reckoning,
            plan,
            allocated: await countAllocated(trx, sending, reckoning.startMs),
            limit: await getDailyLimit(trx, sending),
            missing: reckoning.summary.leftOut.missing_data ? await findMissingFields(trx, sending) : [],
            unknown: await findUnknownFields(trx, sending),
          })
        : []),
      ...checkCalls(sending, reckoning),
    ],
    Sample: sendsTexts(sending.broadcast_type) ? (sample ?? null) : null,
    Refusal: await findRefusal(trx, actor, sending, {
      reckoning,
      available: balance.credit_balance - balance.credit_reserved,
    }),
  };
}

function getBalance(trx: Trx, actor: Actor) {
  return trx
    .selectFrom('accounts')
    .select(['credit_balance', 'credit_reserved'])
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
}

function costOf(
  { allCredits: credits, bySegments, isFree }: Reckoning,
  { credit_balance, credit_reserved }: { credit_balance: number; credit_reserved: number },
): Preflight['Cost'] {
  return {
    Credits: credits,
    Segments: bySegments.map(({ segments, count }) => ({ Segments: segments, Count: count })),
    Balance: credit_balance,
    Reserved: credit_reserved,
    After: credit_balance - credit_reserved - credits,
    IsFree: isFree,
  };
}

/** The zones in the order in which they get it. */
function toPlan({ zones }: Plan, { accountZone }: Sending): Preflight['Plan'] {
  return zones
    .toSorted((a, b) => a.opensMs - b.opensMs || b.count - a.count)
    .map(({ zone, count, opensMs, doneMs }) => ({
      Zones: zonesOf(zone, accountZone),
      Label: zoneLabel(zone === '' ? accountZone : zone),
      Count: count,
      Opens: new Date(opensMs).toISOString(),
      Done: new Date(doneMs).toISOString(),
    }));
}

async function firstText(trx: Trx, actor: Actor, sending: Sending): Promise<Preflight['Sample'] | undefined> {
  const [first] = await readMergeRecipients(
    trx,
    { accountId: sending.accountId, broadcastId: sending.broadcast_id, text: sending.body, shownTo: actor },
    { where: sql`r.problem is null`, rest: sql`order by r.recipient_id limit 1` },
  );
  if (first === undefined) return undefined;
  const { text, segments } = mergeText(first, { ...sending, second: undefined });
  return {
    Name: `${first.firstName} ${first.lastName}`.trim(),
    PhoneNumber: wirePhone(first.phone, actor.account.CountryID),
    TextMessage: text,
    Segments: segments,
  };
}

/** Reason why Send would refuse it right now. */
async function findRefusal(
  trx: Trx,
  actor: Actor,
  sending: Sending,
  { reckoning, available }: { reckoning: Reckoning; available: number },
): Promise<Preflight['Refusal']> {
  try {
    await refuseUnlessSendable(trx, actor, sending, { reckoning, available });
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ErrorCode: error.body.ErrorCode, Message: error.message };
  }
}
