import { lazy, Suspense } from 'react';
import type { WholeContact } from '../../../contract/contacts.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';

// The form imports its rules and the phone tables, so it is loaded when somebody opens it.
const ContactForm = lazy(async () => ({ default: (await import('./contact-form.tsx')).ContactForm }));

export interface ContactDialogProps {
  open: boolean;
  onClose: () => void;
  /** The open list: if it is a group, it is preselected for the new contact. */
  listId?: number | undefined;
  /** The phone of a new contact. */
  phone?: string | undefined;
  /** The contact to edit; without it a contact is added. */
  person?: WholeContact | undefined;
}

/** Adds a contact or changes one. */
export function ContactDialog({ open, onClose, listId, phone, person }: ContactDialogProps) {
  return (
    <FormDialog isOpen={open} onClose={onClose} width={576} isFullOnPhone isKeptOnClickBeside>
      <Suspense fallback={<SkeletonRows rows={6} rowHeight={64} label="Loading form" />}>
        <ContactForm listId={listId} phone={phone} person={person} onClose={onClose} />
      </Suspense>
    </FormDialog>
  );
}
