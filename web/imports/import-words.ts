import { composeMessages } from '../../contract/forms/compose-text.ts';
import type { FileSummary, FileTab, FileUpload } from '../../contract/imports.ts';
import { notInNorthAmerica } from '../../contract/phone/phone-messages.ts';
import { phoneHint } from '../../contract/reference/countries.ts';
import { countOf, formatCount, formatDuration } from '../ui/format.ts';
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

/** What is done with people who are in the contacts already. */
export const duplicateWords: Record<
  ImportDraft['Duplicates'],
  { title: string; sentence: string; existing: string }
> = {
  update: {
    title: 'Update them',
    sentence: 'What the file says replaces what is there.',
    existing: 'They are updated with what the file says.',
  },
  skip: {
    title: 'Leave them as they are',
    sentence: 'Only new people are added.',
    existing: 'They stay as they are.',
  },
  add: {
    title: 'Add them again',
    sentence: 'Two contacts then share a phone.',
    existing: 'They are added a second time.',
  },
};

/** "9 have no phone, 6 aren’t a whole number.": the most frequent reasons, where there are words for them in short. */
export function reasonsSentence(reasons: FileSummary['Reasons'], countryId: number): string {
  const inShort: Record<string, readonly [one: string, many: string]> = {
    [composeMessages.noRecipient]: ['has no phone', 'have no phone'],
    [phoneHint(countryId)]: ['isn’t a whole number', 'aren’t a whole number'],
    [notInNorthAmerica]: [
      'isn’t in the US, Puerto Rico, or Canada',
      'aren’t in the US, Puerto Rico, or Canada',
    ],
  };
  const most = [...reasons].sort((one, other) => other.Count - one.Count).slice(0, 3);
  const parts = most.map(({ Problem, Count }) => {
    const words = inShort[Problem];
    return words ? countOf(Count, ...words) : `${formatCount(Count)}: ${Problem.replace(/\.$/, '')}`;
  });
  return `${parts.join(', ')}.`;
}

/** Where the targets over the columns come from. */
export function fileSentence({
  IsRemembered,
  HasHeader,
}: Pick<FileTab, 'IsRemembered' | 'HasHeader'>): string {
  if (IsRemembered) return 'Named as last time. Change any that are wrong.';
  const source = HasHeader ? 'the headings' : 'what stands in the columns';
  return `We guessed from ${source}. Change any that are wrong.`;
}

export function previewCount(shown: number, all: number | null): string {
  if (all !== null && all <= shown) return shown === 1 ? 'The only row' : `All ${formatCount(shown)} rows`;
  return all === null
    ? `First ${countOf(shown, 'row', 'rows')}`
    : `First ${formatCount(shown)} of ${countOf(all, 'row', 'rows')}`;
}
