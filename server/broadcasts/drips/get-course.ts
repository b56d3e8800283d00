import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { formatE164 } from '../../../contract/phone/format-phone.ts';
import type { getSequenceCourse as definition, WholeSequence } from '../../../contract/sequences.ts';
import { betweenStepsMs, courseStepMs } from '../../../contract/time/course.ts';
import { localDay } from '../../../contract/time/local-day.ts';
import { nextAllowedMs } from '../../../contract/time/quiet-hours.ts';
import { nowMs } from '../../clock.ts';
import { editKinds } from '../../conversations/list/list-contact-history.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { mergeText, readMergeRecipients } from '../draft/merge-recipients.ts';
import { readSending, type Sending } from '../draft/read-sending.ts';
import { zonesOf } from '../preflight/plan-zones.ts';
import { requirePerson } from './list-people.ts';
import { requireSequence } from './queries.ts';
import { withStep } from './rules.ts';

type Person = Awaited<ReturnType<typeof requirePerson>>;
type Step = Omit<WholeSequence['Steps'][number], 'StartDate' | 'Media'> & { StartDate: Date | null };

/** Every step for one person: what was sent to them, and when the rest comes, with its words. */
export async function getSequenceCourse(trx: Trx, actor: Actor, { params, query }: Input<typeof definition>) {
  const sequence = await requireSequence(trx, actor, params.SequenceID);
  const sending = await readSending(trx, actor.accountId, sequence.DraftBroadcastID);
  const isOfSomebody = query.recipientId !== undefined || query.position !== undefined;
  const person = isOfSomebody ? await requirePerson(trx, actor, params.SequenceID, query) : undefined;
  const sent = person === undefined ? new Map<number, SentStep>() : await readSent(trx, sending, person);
  const plan = plannedTimes(sequence, sending, person);
  const write = await writer(trx, actor, { sending, person, steps: sequence.Steps });
  const isOver = person !== undefined && person.State !== 'active' && person.State !== 'done';
  const Items = sequence.Steps.map((step, index) => {
    const { Position, Media, Message } = step;
    const got = sent.get(Position);
    if (got !== undefined) {
      const Note =
        got.formerPhone === null ? '' : `Sent to their phone at the time, ${formatE164(got.formerPhone)}.`;
      return { Position, Media, Date: got.at, State: 'sent' as const, Message: got.body, Note };
    }
    const isSkipped = isOver || step.State === 'skipped' || step.State === 'sent' || plan[index] === 'passed';
    const planned = plan[index];
    const time = isSkipped || planned === 'passed' || planned === undefined ? undefined : planned;
    return {
      ...{ Position, Media, Date: time === undefined ? null : new Date(time.atMs) },
      State: isSkipped ? ('skipped' as const) : ('waiting' as const),
      Message: write(
        Message,
        Media.map(({ mediaId }) => mediaId),
      ),
      Note: isOver && person !== undefined ? endedNote(person.State, sequence.StartsOn) : (time?.note ?? ''),
    };
  });
  return { Recipient: person ?? null, Items };
}

function endedNote(state: Person['State'], startsOn: string): string {
  return state === 'left' && startsOn !== 'group' ? 'The contact was deleted.' : endedNotes[state];
}

const endedNotes: Record<Person['State'], string> = {
  active: '',
  done: '',
  stopped: 'Taken out of the campaign.',
  replied: 'They replied, which ended the campaign for them.',
  opted_out: 'Opted out.',
  left: 'No longer in the group.',
};

interface Planned {
  atMs: number;
  note: string;
}

const notes = {
  quiet: 'Held until quiet hours end.',
  moved: 'Moved out of the weekend or quiet hours.',
} as const;

/** Times of the steps for this person; 'passed' for one before their time. */
function plannedTimes(
  {
    StartsOn,
    Steps,
    Zone,
    SkipsWeekends,
  }: { StartsOn: string; Steps: Step[]; Zone: string; SkipsWeekends: boolean },
  { hours, accountZone }: Sending,
  person: Person | undefined,
): (Planned | 'passed' | undefined)[] {
  if (StartsOn === 'dates') {
    return Steps.map(({ StartDate, HasWait }, index) => {
      const atMs = StartDate?.getTime() ?? (index === 0 && !HasWait ? nowMs() : undefined);
      if (atMs === undefined) return undefined;
      const openMs =
        hours === undefined ? atMs : nextAllowedMs(zonesOf(person?.zone ?? '', accountZone), atMs, hours);
      const isHeld = openMs !== undefined && openMs !== atMs;
      return { atMs: openMs ?? atMs, note: isHeld ? notes.quiet : '' };
    });
  }
  const rules = { zone: Zone, skipsWeekends: SkipsWeekends, hours };
  const free = { ...rules, skipsWeekends: false, hours: undefined };
  const joinedMs = person?.JoinedDate?.getTime() ?? nowMs();
  const joinedDay = localDay(joinedMs, Zone);
  let notBeforeMs = person === undefined ? joinedMs : nowMs();
  return Steps.map(({ HasWait, AfterDays, Time }, index) => {
    // Whoever has finished gets no step that was added since.
    if (person !== undefined && (person.State === 'done' || index < person.Position)) return 'passed';
    const step = { hasWait: HasWait, afterDays: AfterDays, time: Time };
    const isNext = person?.NextStepDate && index === person.Position;
    const atMs = isNext
      ? person.NextStepDate?.getTime()
      : courseStepMs(step, { joinedMs, joinedDay, notBeforeMs }, rules);
    if (atMs === undefined) return undefined;
    const written = courseStepMs(step, { joinedMs, joinedDay, notBeforeMs: joinedMs }, free);
    notBeforeMs = atMs + betweenStepsMs;
    return { atMs, note: written === atMs || !HasWait ? '' : notes.moved };
  });
}

interface SentStep {
  at: Date;
  body: string;
  /** The phone that it went to, if it isn't theirs any more. */
  formerPhone: string | null;
}

/**
 * The texts of its steps that went to a person: to the phone they are in the campaign with, to the phones that their
 * contact has, and to those that it had, as far as the events tell. A phone can have been somebody else's: whose text it
 * was is told by the recipient of the step.
 */
async function readSent(
  trx: Trx,
  { accountId, sequence_id, broadcast_id: modelId }: Sending,
  { RecipientID, JoinedDate }: Person,
): Promise<Map<number, SentStep>> {
  const { rows } = await sql<SentStep & { position: number }>`
    -- "materialized": a few phones first, and then only their texts.
    with steps as materialized (
      select broadcast_id, sequence_position, text_number_id from broadcasts
      where account_id = ${accountId} and sequence_id = ${sequence_id}
    ),
    person as materialized (
      select r.person_id, r.phone, c.person_id is not null as is_contact,
        array_remove(array[c.primary_phone, c.secondary_phone, c.tertiary_phone]::text[], null) as present
      from broadcast_recipients r
      left join contacts c on c.account_id = r.account_id and c.person_id = r.person_id
      where r.account_id = ${accountId} and r.recipient_id = ${RecipientID}
        and (r.broadcast_id = ${modelId} or r.broadcast_id in (select broadcast_id from steps))
    ),
    phones as materialized (
      select phone::text as phone from person
      union
      select unnest(present) from person
      union
      select jsonb_array_elements_text(case when jsonb_typeof(changed.value) = 'array' then changed.value else '[]' end)
      from person
      join events e on e.account_id = ${accountId} and e.subject_id = person.person_id
        and e.kind = any(${[...editKinds]}::text[])
      cross join lateral jsonb_each(e.changes) changed
      where changed.key in ('PrimaryPhone', 'SecondaryPhone', 'TertiaryPhone')
    )
    select b.sequence_position as position, m.created_at as at, m.body,
      case when person.is_contact and m.phone <> all(person.present) then m.phone end as "formerPhone"
    from person
    cross join phones
    join messages m on m.account_id = ${accountId} and m.phone = phones.phone
      -- It may have gone on from another number.
      and m.text_number_id = any(array(select distinct text_number_id from steps))
      and not m.is_inbound and m.status not in ('canceled', 'opted_out')
      and m.created_at >= coalesce(${JoinedDate}::timestamptz, '-infinity')
    join steps b on b.broadcast_id = m.broadcast_id
    left join broadcast_recipients s on s.account_id = ${accountId} and s.broadcast_id = b.broadcast_id
      and s.phone = m.phone and s.problem is null
    where s.person_id = person.person_id or (m.phone = person.phone and (
      s.person_id is null or person.person_id is null or not exists (
        select from broadcast_recipients o
        where o.account_id = ${accountId} and o.broadcast_id = ${modelId} and o.person_id = s.person_id
          and o.problem is distinct from 'duplicate')))
    order by m.created_at`.execute(trx);
  return new Map(rows.map(({ position, ...text }) => [position, text]));
}

/** Merges words for the person; without one, or without values, fields stay as they are written. */
async function writer(
  trx: Trx,
  actor: Actor,
  { sending, person, steps }: { sending: Sending; person: Person | undefined; steps: { Message: string }[] },
) {
  const { accountId, broadcast_id: broadcastId } = sending;
  const [recipient] =
    person === undefined
      ? []
      : await readMergeRecipients(
          trx,
          { accountId, broadcastId, text: steps.map(({ Message }) => Message).join(' '), shownTo: actor },
          { where: sql`r.recipient_id = ${person.RecipientID}` },
        );
  return (message: string, mediaIds: number[]): string => {
    const step = withStep(sending, { message, mediaIds });
    return recipient === undefined ? step.body : mergeText(recipient, { ...step, acceptsMissing: true }).text;
  };
}
