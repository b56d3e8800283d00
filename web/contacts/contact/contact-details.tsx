import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { type ReactNode, useState } from 'react';
import type { WholeContact } from '../../../contract/contacts.ts';
import { Card } from '../../ui/card.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { say } from '../../ui/say.ts';
import { CustomFieldsDialog } from '../fields/custom-fields-dialog.tsx';
import { useCustomFields } from './contact-queries.ts';

/** Notes, the organization's own fields, and where the contact came from. */
export function ContactDetails({ person, onEdit }: { person: WholeContact; onEdit: () => void }) {
  const fields = useCustomFields();
  const [areFieldsOpen, setFieldsOpen] = useState(false);
  const filled = fields.filter(({ Name }) => (person.CustomData[Name] ?? '') !== '');
  return (
    <Card
      title="Details"
      action={
        <Box sx={{ display: 'flex', gap: 2 }}>
          <Link component="button" type="button" variant="body2" onClick={() => setFieldsOpen(true)}>
            Fields
          </Link>
          {!person.IsDeleted && (
            <Link component="button" type="button" variant="body2" onClick={onEdit}>
              Edit
            </Link>
          )}
        </Box>
      }
    >
      <Box
        component="dl"
        sx={{
          display: 'grid',
          gridTemplateColumns: 'minmax(72px, 112px) minmax(0, 1fr)',
          rowGap: '8px',
          columnGap: 1.5,
          m: 0,
          px: 2.5,
          py: 2,
          typography: 'body2',
        }}
      >
        {filled.map(({ FieldID, Name }) => (
          <Detail key={FieldID} name={Name}>
            {person.CustomData[Name]}
          </Detail>
        ))}
        {person.Notes.trim() !== '' && <Detail name={say('Notes')}>{person.Notes}</Detail>}
        <Origin person={person} />
        {person.UpdateTimestamp !== person.CreateTimestamp && (
          <Detail name={say('Updated')}>
            <RelativeTime at={person.UpdateTimestamp} />
          </Detail>
        )}
      </Box>
      <CustomFieldsDialog open={areFieldsOpen} onClose={() => setFieldsOpen(false)} />
    </Card>
  );
}

function Origin({ person: { FileName, CreatedBy, CreateTimestamp } }: { person: WholeContact }) {
  return (
    <Detail name={FileName === '' ? say('Added') : say('Imported')}>
      <RelativeTime at={CreateTimestamp} />
      {CreatedBy !== '' && ` by ${CreatedBy}`}
      {FileName !== '' && ` from ${FileName}`}
    </Detail>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Box component="dt" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {name}
      </Box>
      <Box component="dd" sx={{ minWidth: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {children}
      </Box>
    </>
  );
}
