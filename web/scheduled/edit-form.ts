import type { CallInput } from '../../contract/call.ts';
import { firstFailure } from '../../contract/fields/rule.ts';
import { composedText, composeMessages } from '../../contract/forms/compose-text.ts';
import type { MediaItem } from '../../contract/media.ts';
import type { ScheduledConversation, updateScheduledConversation } from '../../contract/scheduled.ts';
import { maxStartAheadMs, startDateMessages } from '../../contract/time/start-date.ts';
import { fieldTime, instantOfField } from '../ui/field-time.ts';
import { personName, type ScheduledPerson } from './scheduled-words.ts';

/** The editable values; the time as its field holds it. */
export interface EditDraft {
  people: readonly ScheduledPerson[];
  textNumberId: number;
  text: string;
  pictures: readonly MediaItem[];
  includeSignature: boolean;
  keepCharacters: boolean;
  start: string;
}

export interface EditErrors {
  people?: string | undefined;
  number?: string | undefined;
  text?: string | undefined;
  start?: string | undefined;
  /** Errors that belong to no field. */
  form?: string | undefined;
}

export function draftOf(one: ScheduledConversation, zone: string): EditDraft {
  return {
    people: one.Contacts,
    textNumberId: one.TextNumberID,
    text: one.TextMessage,
    pictures: one.Media,
    includeSignature: one.IncludeSignature,
    keepCharacters: one.KeepCharacters,
    start: fieldTime(Date.parse(one.StartDate), zone),
  };
}

interface Surroundings {
  one: ScheduledConversation;
  zone: string;
  now: number;
  limit: number;
  signature: string | undefined;
}

/** The instant to send at. An unchanged time keeps its seconds. */
export function startOf(draft: EditDraft, { one, zone }: Pick<Surroundings, 'one' | 'zone'>) {
  const known = Date.parse(one.StartDate);
  return draft.start === fieldTime(known, zone) ? known : instantOfField(draft.start, zone);
}

/** Errors in the spec's words. The text may still be empty. */
export function editErrors(draft: EditDraft, around: Surroundings): EditErrors {
  const { now, limit, signature } = around;
  const text = firstFailure(
    draft.text.trim(),
    composedText({
      maxLength: limit,
      hasMedia: draft.pictures.length > 0,
      signature,
      mayBeWithoutText: true,
    }),
  );
  const start = startProblem(startOf(draft, around), now);
  return {
    ...(draft.people.length === 0 ? { people: composeMessages.noRecipient } : {}),
    ...(text ? { text } : {}),
    ...(start ? { start } : {}),
  };
}

function startProblem(startMs: number | undefined, now: number): string | undefined {
  if (startMs === undefined) return 'Enter a Start Time';
  if (startMs < now) return startDateMessages.past;
  return startMs > now + maxStartAheadMs ? startDateMessages.tooFar : undefined;
}

export function bodyOf(
  draft: EditDraft,
  startMs: number,
): CallInput<typeof updateScheduledConversation>['body'] {
  return {
    Contacts: draft.people.map(({ PersonID, FirstName, LastName, PhoneNumber, TextMessage }) => ({
      ...(PersonID === null ? {} : { PersonID }),
      FirstName,
      LastName,
      PrimaryPhone: PhoneNumber,
      ...(TextMessage === null ? {} : { TextMessage }),
    })),
    TextNumberID: draft.textNumberId,
    TextMessage: draft.text.trim(),
    Media: draft.pictures.map(({ mediaId }) => ({ MediaID: mediaId })),
    IncludeSignature: draft.includeSignature,
    KeepCharacters: draft.keepCharacters,
    // Their other phones, if requested, are among the recipients.
    PrimaryPhoneNumbersOnly: true,
    StartDate: new Date(startMs).toISOString(),
  };
}

/** Maps a refusal to a field, by its path. Several recipients are each named. */
export function refusedFields(
  messages: Record<string, string>,
  people: readonly ScheduledPerson[],
): EditErrors {
  const errors: EditErrors = {};
  for (const [field, message] of Object.entries(messages)) {
    const person = people[Number(/^Contacts\.(\d+)\./.exec(field)?.[1])];
    if (person) errors.people = joined(errors.people, `${personName(person)}: ${message}`);
    else if (field === 'Contacts') errors.people = message;
    else if (field === 'TextNumberID') errors.number = message;
    else if (field === 'StartDate') errors.start = message;
    else if (field === 'TextMessage') errors.text = message;
    else errors.form ??= message;
  }
  return errors;
}

function joined(before: string | undefined, next: string): string {
  return before === undefined ? next : `${before} ${next}`;
}
