import type { EmergencyChannel, EmergencyPreview, RunningEmergency } from '../../contract/emergencies.ts';
import { countOf, formatCount, formatTime } from '../ui/format.ts';
import { say } from '../ui/say.ts';

type StartedBy = RunningEmergency['StartedBy'];

export function starterWords({ UserID, Name }: StartedBy, me: number | undefined): string {
  return UserID === me ? say('You') : Name;
}

/** The second of two people who start the same one. */
export function joinedWords(by: StartedBy, me: number | undefined): string {
  return `${starterWords(by, me)} started this already. You’ve joined it, and nobody gets it twice.`;
}

/** The one that reaches everybody already: how it goes out, or what keeps it waiting. */
export function joinWords(
  { Count, Channel, IsPaused, HeldUntil }: NonNullable<EmergencyPreview['Joins']>,
  { ignoresHours, zone }: { ignoresHours: boolean; zone: string },
): string {
  const people = countOf(Count, 'person', 'people');
  if (IsPaused)
    return `It is paused, and goes to ${people} when somebody resumes it. Join it to see its page.`;
  if (HeldUntil === null) {
    return `It goes to ${people} already, ${channelLabels[Channel]}. Join it to follow its results.`;
  }
  if (ignoresHours)
    return `It waits for quiet hours or a calling window. Join it, and it goes to ${people} now.`;
  return `It goes to ${people}, but waits until ${formatTime(HeldUntil, zone)}: quiet hours or a calling window.`;
}

const channelLabels: Record<EmergencyChannel, string> = {
  TextAndCall: say('by text and call'),
  Text: say('by text only'),
  Call: say('by call only'),
};

/** The label of the button: "now" only where nobody has to wait. */
export function confirmWords(
  preview: EmergencyPreview | undefined,
  { isDrill, ignoresHours }: { isDrill: boolean; ignoresHours: boolean },
): string {
  if (preview === undefined) return isDrill ? 'Send the drill' : 'Send now';
  const { Reached, Joins, Channel, HeldUntil } = preview;
  if (Joins !== null && Reached === 0) {
    return ignoresHours && Joins.HeldUntil !== null && !Joins.IsPaused
      ? 'Join it and send it now'
      : 'Join it';
  }
  const people = countOf(Reached, 'person', 'people');
  if (isDrill) return `Send the drill to ${people}`;
  if (HeldUntil !== null) return Channel === 'Call' ? say(`Call ${people}`) : `Send to ${people}`;
  return Channel === 'Call' ? `Call ${people} now` : `Send now to ${people}`;
}

/** Beside the button: what it costs, and how many get nothing. */
export function barWords(preview: EmergencyPreview): string {
  const leftOut = preview.Summary.Total - preview.Reached;
  const out = leftOut === 0 ? 'Leaves out nobody' : `Leaves out ${countOf(leftOut, 'person', 'people')}`;
  return `${costWords(preview)}. ${out}.`;
}

/** "1,960 texts and 1,985 calls". */
export function channelWords({ Texted, Calls }: EmergencyPreview): string {
  const parts = [
    ...(Texted > 0 ? [countOf(Texted, 'text', 'texts')] : []),
    ...(Calls !== null && Calls.Called > 0 ? [countOf(Calls.Called, 'call', 'calls')] : []),
  ];
  return parts.length === 0 ? say('Nothing') : bothWords(parts);
}

/** "5,905 credits, 12,095 left", or that it costs nothing. */
export function costWords({ Cost }: EmergencyPreview): string {
  if (Cost.Credits === 0) return 'No credits';
  const credits = countOf(Cost.Credits, 'credit', 'credits');
  return Cost.After >= 0
    ? `${credits}, ${formatCount(Cost.After)} left`
    : `${credits}, ${formatCount(-Cost.After)} more than you have`;
}

/**
 * Says what waits for quiet hours or the calling window, and until when: this emergency, or the one of another user
 * that it joins, which the same choice releases. Undefined if nothing waits.
 */
export function heldWords(preview: EmergencyPreview, zone: string): string | undefined {
  const { HeldUntil, Joins } = preview;
  if (HeldUntil !== null) {
    return `${waitWords(preview)} until ${formatTime(HeldUntil, zone)}: quiet hours or your calling window.`;
  }
  const joined = Joins?.HeldUntil ?? null;
  if (joined === null) return undefined;
  return `The one that was started waits until ${formatTime(joined, zone)}: quiet hours or a calling window.`;
}

/** "5 texts and 5 calls wait until 8:00 AM": the part before "until". */
function waitWords({ HeldTexts, HeldCalls }: EmergencyPreview): string {
  const parts = [
    ...(HeldTexts > 0 ? [countOf(HeldTexts, 'text', 'texts')] : []),
    ...(HeldCalls > 0 ? [countOf(HeldCalls, 'call', 'calls')] : []),
  ];
  const isOne = HeldTexts + HeldCalls === 1;
  return isOne ? `${bothWords(parts)} waits` : `${bothWords(parts)} wait`;
}

function bothWords([first = '', second]: readonly string[]): string {
  return second === undefined ? first : `${first} and ${second}`;
}
