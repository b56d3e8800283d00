import type { Preflight } from '../../../contract/drafts.ts';
import { composeMessages } from '../../../contract/forms/compose-text.ts';
import { triedCount } from '../../../contract/forms/second-text.ts';
import { exceedsMessagesPerDay } from '../../../contract/money/credit-check.ts';
import { formatE164 } from '../../../contract/phone/format-phone.ts';
import { isTollFree } from '../../../contract/phone/toll-free.ts';
import type { MissingField } from '../../../contract/template-merges.ts';
import { unknownFieldMessage } from '../../../contract/text/merge-fields.ts';
import type { PersonalizedField } from '../../../contract/text/personalized-fields.ts';
import { findBlockedUrls, shortenerWarning } from '../../../contract/text/short-urls.ts';
import { singleWordWarning } from '../../../contract/text/single-word-warning.ts';
import { findUnicodeCharacters } from '../../../contract/text/unicode-characters.ts';
import { formatClockTime } from '../../../contract/time/clock-time.ts';
import { dayMs } from '../../../contract/time/wall-clock.ts';
import { timeOfDay } from '../../accounts/rules.ts';
import { now } from '../../clock.ts';
import { findTextingProblem } from '../../numbers/rules.ts';
import type { Sending } from '../draft/read-sending.ts';
import { zoneLabel } from '../draft/rules.ts';
import { draftRefusals } from './judge-draft.ts';
import { leftToday } from './plan-zones.ts';
import type { Reckoning, SendingPlan } from './reckon-sending.ts';

type Check = Preflight['Checks'][number];

export interface Checked {
  sending: Sending;
  reckoning: Reckoning;
  plan: SendingPlan;
  /** Texts of other broadcasts on that day, and the carriers' limit. */
  allocated: number;
  limit: number;
  /** Fields without a value, whose recipients are left out, and fields that don't exist. */
  missing: MissingField[];
  unknown: PersonalizedField[];
}

const ok = (Text: string): Check => ({ Kind: 'ok', Text });
const warning = (Text: string): Check => ({ Kind: 'warning', Text });
const error = (Text: string): Check => ({ Kind: 'error', Text });
const count = (figure: number) => figure.toLocaleString('en-US');
const people = (figure: number) => (figure === 1 ? '1 person' : `${count(figure)} people`);

/**
 * Everything that could stop it or get it blocked, in plain words. Also lists what is fine, to show that it
 * was checked.
 */
export function checkBeforeSend(checked: Checked): Check[] {
  return [
    checkNumber(checked),
    ...checkDay(checked),
    checkLinks(checked),
    ...checkFields(checked),
    ...checkWord(checked),
    checkTwice(checked),
    checkCharacters(checked),
    ...checkHours(checked),
    ...checkSecondText(checked),
  ];
}

function checkNumber({ reckoning: { number } }: Checked): Check {
  if (number === undefined) return error(composeMessages.noTextNumber);
  const problem = findTextingProblem(number, now());
  if (problem !== undefined) return error(problem.message);
  if (!number.can_create_broadcast) return error(draftRefusals.notForBroadcasts);
  const phone = formatE164(number.phone);
  if (number.registration_status === 'Registered') return ok(`${phone} is registered with the carriers.`);
  if (number.is_free_trial && !isTollFree(number.phone)) {
    return ok(`${phone} texts verified phones during the free trial.`);
  }
  return isTollFree(number.phone)
    ? warning(
        `${phone} is toll-free and not registered. Carriers accept fewer texts from it and filter more of them.`,
      )
    : ok(`${phone} doesn’t need to be registered.`);
}

/** The daily limit, and caps that spread it over several days. */
function checkDay({ reckoning, allocated, limit, plan }: Checked): Check[] {
  const { messages, summary } = reckoning;
  const isOver = exceedsMessagesPerDay(messages, allocated, limit);
  const others = allocated > 0 ? `, including ${count(allocated)} for other broadcasts` : '';
  const day = isOver
    ? error(draftRefusals.tooManyADay(messages + allocated, limit))
    : ok(
        `Uses ${count(messages + allocated)} of the ${count(limit)} texts that carriers allow that day${others}.`,
      );
  const { cap } = plan;
  if (cap === undefined || summary.good <= leftToday(cap)) return [day];
  const perDay = Math.floor(cap.perDay);
  const days = Math.max(2, Math.ceil((plan.endsMs - plan.startsMs) / dayMs));
  return [
    day,
    warning(
      `Toll-free numbers can send ${count(perDay)} texts like this per day. This broadcast takes ${days} days.`,
    ),
  ];
}

function checkLinks({ sending: { body } }: Checked): Check {
  const blocked = findBlockedUrls(body);
  if (blocked.length > 0) {
    return error(
      `Carriers block ${blocked.map(({ host }) => host).join(', ')}. Please change to a full URL.`,
    );
  }
  const shortened = shortenerWarning(body);
  return shortened === undefined ? ok('No shortened links.') : error(shortened);
}

/** Personalized fields: those that don't exist, and those that some people have no value for. */
function checkFields({ sending, reckoning: { summary }, missing, unknown }: Checked): Check[] {
  if (!sending.isPersonalized) return [];
  const checks: Check[] = [];
  const bare = unknown.filter(({ fallback }) => fallback === undefined).map(({ name }) => name);
  if (bare.length > 0) checks.push(error(unknownFieldMessage(bare)));
  for (const { name, fallback } of unknown) {
    if (fallback !== undefined) {
      checks.push(
        warning(`There is no personalized field {{${name}}}. Everyone gets “${fallback}” instead.`),
      );
    }
  }
  const leftOut = summary.leftOut.missing_data ?? 0;
  const known = missing.filter(({ Exists }) => Exists);
  if (leftOut > 0 && known.length > 0) {
    const fields = known.map(({ Field, Count }) => `${people(Count)} without ${Field}`).join(', ');
    checks.push(
      warning(
        `${people(leftOut)} ${leftOut === 1 ? 'is' : 'are'} left out because a personalized field has no value: ${fields}.`,
      ),
    );
  }
  if (sending.acceptsMissing && sending.merge_gaps > 0) {
    const texts = sending.merge_gaps === 1 ? '1 text is' : `${count(sending.merge_gaps)} texts are`;
    checks.push(warning(`${texts} sent with a blank where a personalized field has no value.`));
  }
  return checks.length > 0 ? checks : [ok('Every personalized field has a value.')];
}

function checkWord({ sending: { body } }: Checked): Check[] {
  const text = singleWordWarning(body);
  return text === undefined ? [] : [warning(text)];
}

function checkTwice({ reckoning: { summary } }: Checked): Check {
  const twice = summary.leftOut.duplicate ?? 0;
  if (twice === 0) return ok('Nobody gets it twice.');
  const entries = twice === 1 ? '1 entry shares its phone' : `${count(twice)} entries share their phone`;
  return ok(`Nobody gets it twice. ${entries} with another, and each phone gets one message.`);
}

function checkCharacters({ sending: { body, suffix } }: Checked): Check {
  const found = findUnicodeCharacters(`${body}${suffix}`);
  if (found.length === 0) return ok('Plain characters only.');
  const shown = [...new Set(found.map(({ character }) => character))].slice(0, 5).join(' ');
  return warning(
    `${shown} can’t be sent as plain characters. Carriers split this text after 70 characters instead of 160.`,
  );
}

/**
 * For an A/B test: who gets which text first and when the rest follows. Problems of the second text are
 * listed separately.
 */
function checkSecondText(checked: Checked): Check[] {
  const { sending, reckoning } = checked;
  const { second } = sending;
  if (second === undefined) return [];
  const tried = triedCount(reckoning.summary.good, second.share);
  const rest = reckoning.summary.good - 2 * tried;
  const hours = second.hours === 1 ? '1 hour' : `${second.hours} hours`;
  const answers = second.decideBy === 'Clicks' ? 'clicks' : 'replies';
  const other = { ...checked, sending: { ...sending, body: second.body } };
  return [
    ok(
      `About ${people(tried)} get each text. ${hours} after the last of them, the text with more ${answers} goes to the other ${count(rest)}.`,
    ),
    ...[checkLinks(other), ...checkWord(other), checkCharacters(other)]
      .filter(({ Kind }) => Kind !== 'ok')
      .map(({ Kind, Text }) => ({ Kind, Text: `Second text: ${Text}` })),
  ];
}

/** "Eastern & Central": the list of them ends in "Time". */
function shortPlace(place: string): string {
  return place.replaceAll(' Time', '').replace(/,? and /, ' & ');
}

/** Quiet hours hold and never drop: who waits, and until when. */
function checkHours({ sending, plan, reckoning }: Checked): Check[] {
  const { hours, accountZone, quietHours } = sending;
  if (hours === undefined) {
    return [warning('Quiet hours are off. People get it right away, whatever their local time.')];
  }
  const start = formatClockTime(timeOfDay(quietHours.quiet_start));
  const stop = formatClockTime(timeOfDay(quietHours.quiet_stop));
  const waiting = plan.zones.filter(({ opensMs }) => opensMs > reckoning.startMs);
  if (waiting.length === 0) return [ok(`It starts between ${start} and ${stop} local time for everyone.`)];
  const sum = waiting.reduce((total, zone) => total + zone.count, 0);
  const places = [...new Set(waiting.map(({ zone }) => zoneLabel(zone === '' ? accountZone : zone)))];
  const where =
    places.length > 3
      ? `in ${places.length} time zones`
      : `in ${new Intl.ListFormat('en-US').format(places.map(shortPlace))} Time`;
  return [
    warning(
      `${people(sum)} ${where} ${sum === 1 ? 'waits' : 'wait'} until quiet hours end and ${sum === 1 ? 'gets' : 'get'} it at ${start} or later.`,
    ),
  ];
}
