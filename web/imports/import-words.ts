import { composeMessages } from '../../contract/forms/compose-text.ts';
import type { FileSummary, FileTab, FileUpload } from '../../contract/imports.ts';
import { notInNorthAmerica, numberNotAllowed } from '../../contract/phone/phone-messages.ts';
import { phoneHint } from '../../contract/reference/countries.ts';
import { countOf, formatCount, formatDuration } from '../ui/format.ts';
import { say } from '../ui/say.ts';
import type { ImportDraft } from './import-draft.ts';

type Progress = FileUpload['Progress'];

/** "812,000 of 1,000,000 rows" */
export function progressCount({ Done, Total }: Progress): string {
  return Total === null
    ? `${countOf(Done, 'row', 'rows')}`
    : `${formatCount(Done)} of ${countOf(Total, 'row', 'rows')}`;
}

/** "31,000 rows a second · about 6 seconds left" */
export function progressPace({ PerSecond, SecondsLeft }: Progress): string {
  const parts = [];
  if (PerSecond > 0) parts.push(`${countOf(PerSecond, 'row', 'rows')} a second`);
  if (SecondsLeft !== null) parts.push(timeLeft(SecondsLeft));
  return parts.join(' · ');
}

export function timeLeft(seconds: number): string {
  if (seconds < 1) return 'almost done';
  return seconds < 60
    ? `about ${countOf(Math.ceil(seconds), 'second', 'seconds')} left`
    : `about ${formatDuration(Math.ceil(seconds / 60) * 60_000)} left`;
}

/** The handling of people who are in the contacts already. */
export const duplicateWords: Record<
  ImportDraft['Duplicates'],
  { title: string; sentence: string; existing: string }
> = {
  update: {
    title: 'Update them',
    sentence: 'Values from the file replace the current ones.',
    existing: 'They’re updated with values from the file.',
  },
  skip: {
    title: 'Don’t change them',
    sentence: 'Only new people are added.',
    existing: 'They stay the same.',
  },
  add: {
    title: 'Add them again',
    sentence: 'Two contacts will share a phone.',
    existing: 'They’re added again as new contacts.',
  },
};

/**
 * "9 have no phone, 6 have invalid numbers, 1 has another problem.": the most frequent reasons, where there are short
 * words for them.
 */
export function reasonsSentence(reasons: FileSummary['Reasons'], countryId: number): string {
  const inShort: Record<string, readonly [one: string, many: string]> = {
    [composeMessages.noRecipient]: ['has no phone', 'have no phone'],
    [phoneHint(countryId)]: ['has an invalid number', 'have invalid numbers'],
    [notInNorthAmerica]: [
      'isn’t in the US, Puerto Rico, or Canada',
      'aren’t in the US, Puerto Rico, or Canada',
    ],
    [numberNotAllowed]: ['has a number that isn’t allowed', 'have numbers that aren’t allowed'],
  };
  const sorted = [...reasons].sort((one, other) => other.Count - one.Count);
  const rest = sorted.slice(3).reduce((sum, { Count }) => sum + Count, 0);
  const parts = sorted.slice(0, 3).map(({ Problem, Count }) => {
    const words = inShort[Problem];
    return words ? countOf(Count, ...words) : `${formatCount(Count)}: ${Problem.replace(/\.$/, '')}`;
  });
  if (rest > 0) parts.push(countOf(rest, 'has another problem', 'have other problems'));
  return `${parts.join(', ')}.`;
}

/** Says how the columns were matched and which rows were skipped. */
export function fileSentence({
  IsRemembered,
  HasHeader,
  TitleRows,
}: Pick<FileTab, 'IsRemembered' | 'HasHeader' | 'TitleRows'>): string {
  const source = HasHeader ? 'the headings' : 'the values in the columns';
  const guess = IsRemembered
    ? 'We matched the columns as last time.'
    : `We matched the columns based on ${source}.`;
  const title =
    TitleRows === 0
      ? ''
      : ` The ${TitleRows === 1 ? 'row above the headings was' : `${TitleRows} rows above the headings were`} skipped.`;
  return `${guess} Change any that are wrong.${title}`;
}

const mostNames = 5;

/** "Choir, Band and 3 more" */
function namesOf(groups: FileUpload['Groups']): string {
  const names = groups.slice(0, mostNames).map(({ ListName }) => ListName);
  const more = groups.length - names.length;
  if (more > 0) return `${names.join(', ')} and ${formatCount(more)} more`;
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** "They were added to Choir, Band and Flute (new)." */
export function joinedSentence(groups: FileUpload['Groups']): string {
  return `They were added to ${namesOf(
    groups.map((group) => (group.IsNew ? { ...group, ListName: `${group.ListName} (new)` } : group)),
  )}.`;
}

/** "Choir and Band already exist. Flute is new." */
export function groupsSentence(groups: FileUpload['Groups']): string {
  const parts = [
    { of: groups.filter(({ IsNew }) => !IsNew), one: 'already exists', many: 'already exist' },
    { of: groups.filter(({ IsNew }) => IsNew), one: 'is new', many: 'are new' },
  ];
  return parts
    .filter(({ of }) => of.length > 0)
    .map(({ of, one, many }) => `${namesOf(of)} ${of.length === 1 ? one : many}.`)
    .join(' ');
}

/** Rows that the user left out while fixing the file. */
export function removedCount({
  RowCount,
  GoodRecordCount,
  DuplicateCount,
  RejectedCount,
}: FileSummary): number {
  return RowCount - GoodRecordCount - DuplicateCount - RejectedCount;
}

/** The result of every row. The figures add up to the rows of the file. */
export function resultFigures(summary: FileSummary): { label: string; count: number; isBad?: boolean }[] {
  const { GoodRecordCount, DuplicateCount, CreatedCount, UpdatedCount, SkippedCount, RejectedCount } =
    summary;
  // If that was chosen, repeated phones with another name have become separate people.
  const ownPeople = CreatedCount + UpdatedCount + SkippedCount - GoodRecordCount;
  const leftOut = RejectedCount + removedCount(summary);
  return [
    { label: say('New', 'people'), count: CreatedCount },
    { label: 'Updated', count: UpdatedCount },
    { label: 'Unchanged', count: SkippedCount },
    { label: 'Duplicates', count: DuplicateCount - ownPeople },
    { label: 'Left out', count: leftOut, isBad: RejectedCount > 0 },
  ];
}

export function previewCount(shown: number, all: number | null): string {
  if (all !== null && all <= shown) return shown === 1 ? 'The only row' : `All ${formatCount(shown)} rows`;
  return all === null
    ? `First ${countOf(shown, 'row', 'rows')}`
    : `First ${formatCount(shown)} of ${countOf(all, 'row', 'rows')}`;
}
