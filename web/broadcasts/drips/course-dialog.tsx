import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { listCustomFields } from '../../../contract/addresses/contacts.gen.ts';
import { getSequenceCourse } from '../../../contract/addresses/sequences.gen.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import type { SequenceCourse } from '../../../contract/sequences.ts';
import { shownMessage } from '../../api.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { DialogBody, DialogHead } from '../../ui/dialog-parts.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { countOf, formatDay, formatTime } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { say } from '../../ui/say.ts';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { PreviewStepper } from '../wizard/message/handset-preview.tsx';
import { FieldedText } from './fielded-text.tsx';

interface CourseDialogProps {
  sequenceId: number;
  /**
   * The person whose course is shown; null for somebody who joins now, undefined while the dialog is closed.
   */
  recipientId: number | null | undefined;
  /** The number of recipients, where they are browsed one after the other instead. */
  people?: number;
  /** True if people join it; else everybody gets it on the same dates. */
  isRelative: boolean;
  onClose: () => void;
}

/** One person's whole course: what they got, and when the rest comes. */
export function CourseDialog({ recipientId, ...props }: CourseDialogProps) {
  return (
    <FormDialog isOpen={recipientId !== undefined} onClose={props.onClose} width={560} isFullOnPhone>
      <Course {...props} recipientId={recipientId ?? null} />
    </FormDialog>
  );
}

function Course(props: CourseDialogProps & { recipientId: number | null }) {
  const { sequenceId, recipientId, people = 0, isRelative, onClose } = props;
  const [at, setAt] = useState(1);
  const position = Math.min(at, people);
  const whose = recipientId === null ? (position > 0 ? { position } : {}) : { recipientId };
  const { data, error, refetch } = useCallQuery(
    getSequenceCourse,
    { params: { SequenceID: sequenceId }, query: whose },
    { keepPrevious: true },
  );
  const fields = useCallQuery(listCustomFields, {});
  const customFields = (fields.data?.Items ?? []).map(({ Name }) => Name);
  const { Recipient: person } = data ?? { Recipient: null };
  const name = person
    ? `${person.FirstName} ${person.LastName}`.trim() || formatPhone(person.PhoneNumber)
    : isRelative
      ? 'Somebody who joins now'
      : 'What each person gets';
  return (
    <>
      <DialogHead title={data ? name : 'Preview'} onClose={onClose} />
      <DialogBody gap={2}>
        {error && !data && (
          <RetryNotice onRetry={() => void refetch()}>
            {shownMessage(error, 'There was an error getting the steps of this person.')}
          </RetryNotice>
        )}
        {!data && !error && <SkeletonRows rows={3} rowHeight={72} label="Loading the steps" />}
        {person && position > 0 && (
          <Box sx={{ display: 'grid', justifyItems: 'center' }}>
            <PreviewStepper
              previewed={{ ...person, Position: position, Total: people, Error: '' }}
              note={countOf(data?.Items.length ?? 0, 'step', 'steps')}
              onStep={setAt}
            />
          </Box>
        )}
        {data && (
          <Box
            component="ol"
            aria-label="Steps"
            sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 2 }}
          >
            {data.Items.map((item) => (
              <Item
                key={item.Position}
                item={item}
                customFields={person === null ? customFields : undefined}
              />
            ))}
          </Box>
        )}
      </DialogBody>
    </>
  );
}

const words = { sent: say('Sent'), waiting: 'To come', skipped: 'Not sent' } as const;

interface ItemProps {
  item: SequenceCourse['Items'][number];
  /** The organization's custom fields, where there is no person whose values could fill them. */
  customFields: readonly string[] | undefined;
}

function Item({ item, customFields }: ItemProps) {
  const zone = useTimeZone();
  const now = useNow();
  const { Position, Date: at, State, Message, Media, Note } = item;
  const when = at === null ? `Step ${Position}` : `${formatDay(at, now, zone)} at ${formatTime(at, zone)}`;
  return (
    <Box component="li" sx={{ display: 'grid', gap: '6px' }}>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'baseline', flexWrap: 'wrap' }}>
        <Typography sx={{ fontWeight: 550 }}>{when}</Typography>
        <Chip
          label={words[State]}
          size="small"
          variant="outlined"
          color={State === 'sent' ? 'success' : 'default'}
        />
      </Box>
      {Note !== '' && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {Note}
        </Typography>
      )}
      <Box
        sx={{
          justifySelf: 'start',
          maxWidth: '100%',
          px: 1.75,
          py: 1.25,
          borderRadius: '14px',
          bgcolor: 'tint.neutral',
          color: State === 'skipped' ? 'text.secondary' : 'text.primary',
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
        }}
      >
        {Media.map(({ mediaId, preview }) => (
          <Box
            key={mediaId}
            component="img"
            src={preview}
            alt="Picture"
            sx={{ display: 'block', maxWidth: 180, borderRadius: '8px', mb: Message ? 1 : 0 }}
          />
        ))}
        {customFields ? <FieldedText text={Message} customFields={customFields} /> : Message}
      </Box>
    </Box>
  );
}
