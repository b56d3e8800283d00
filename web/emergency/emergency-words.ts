import type { EmergencyPreview, RunningEmergency } from '../../contract/emergencies.ts';
import { countOf, formatCount } from '../ui/format.ts';
import { say } from '../ui/say.ts';

type StartedBy = RunningEmergency['StartedBy'];

export function starterWords({ UserID, Name }: StartedBy, me: number | undefined): string {
  return UserID === me ? say('You') : Name;
}

/** The second of two people who start the same one. */
export function joinedWords(by: StartedBy, me: number | undefined): string {
  return `${starterWords(by, me)} started this already. You’ve joined it, and nobody gets it twice.`;
}

/** The label of the button: "now" only where nobody has to wait. */
export function confirmWords(preview: EmergencyPreview | undefined, isDrill: boolean): string {
  if (preview === undefined) return isDrill ? 'Send the drill' : 'Send now';
  const { Reached, Joins, Channel, HeldUntil } = preview;
  if (Joins !== null && Reached === 0) return 'Join it';
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

/** "5 texts and 5 calls wait until 8:00 AM": the part before "until". */
export function heldWords({ HeldTexts, HeldCalls }: EmergencyPreview): string {
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
