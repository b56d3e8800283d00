import { zodResolver } from '@hookform/resolvers/zod';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Plus } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { listCustomFields, listLists } from '../../../contract/addresses/contacts.gen.ts';
import type { CustomField, WholeContact } from '../../../contract/contacts.ts';
import type { List } from '../../../contract/lists.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useAccount } from '../../queries/current-user.ts';
import { DialogBody, DialogFoot, DialogHead } from '../../ui/dialog-parts.tsx';
import { TextField } from '../../ui/field.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { say } from '../../ui/say.ts';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { NewCustomField } from '../fields/custom-fields-new.tsx';
import {
  type ContactValues,
  contactSchema,
  fieldKey,
  phoneNames,
  startValues,
} from './contact-form-values.ts';
import { type GroupChoice, GroupsField } from './contact-groups-field.tsx';
import { ContactTwin } from './contact-twin.tsx';
import { useSaveContact } from './use-save-contact.ts';

interface ContactFormProps {
  listId: number | undefined;
  phone: string | undefined;
  person: WholeContact | undefined;
  onClose: () => void;
}

/**
 * The content of the contact dialog. It waits for the organization's custom fields, or they would be saved as
 * empty.
 */
export function ContactForm({ listId, phone, person, onClose }: ContactFormProps) {
  const account = useAccount();
  const fields = useCallQuery(listCustomFields, {});
  const lists = useCallQuery(listLists, {});
  const frame = (children: ReactNode) => (
    <>
      <DialogHead title={person ? 'Edit contact' : 'Add contact'} onClose={onClose} />
      {children}
    </>
  );
  if (fields.isError || lists.isError) {
    return frame(
      <Box sx={{ px: { xs: 2, sm: 4 }, py: 2.5 }}>
        <RetryNotice
          onRetry={() => {
            void fields.refetch();
            void lists.refetch();
          }}
        >
          There was an error getting your contact fields and groups.
        </RetryNotice>
      </Box>,
    );
  }
  if (!account || !fields.data || !lists.data)
    return frame(<SkeletonRows rows={5} rowHeight={64} label="Loading form" />);
  return frame(
    <Fields
      countryId={account.CountryID}
      fields={fields.data.Items}
      phone={phone}
      person={person}
      startGroups={startGroups(person, listId, lists.data.Items)}
      onClose={onClose}
    />,
  );
}

/**
 * The groups of the contact; for a new one, the open group. Segments are left out, because they find their
 * members themselves.
 */
function startGroups(
  person: WholeContact | undefined,
  listId: number | undefined,
  lists: readonly List[],
): GroupChoice[] {
  if (person) return person.Lists.map(({ ListID, ListName }) => ({ ListID, ListName }));
  const group = lists.find(
    ({ ListID, ListType, Segment }) => ListID === listId && ListType === 'User' && Segment === null,
  );
  return group ? [{ ListID: group.ListID, ListName: group.ListName }] : [];
}

interface FieldsProps {
  countryId: number;
  fields: readonly CustomField[];
  phone: string | undefined;
  person: WholeContact | undefined;
  startGroups: GroupChoice[];
  onClose: () => void;
}

function Fields({ countryId, fields, phone, person, startGroups, onClose }: FieldsProps) {
  const schema = useMemo(() => contactSchema(countryId, fields), [countryId, fields]);
  // The typed values are sent, not the parsed ones: the server parses them by the same rules.
  const form = useForm<ContactValues>({
    resolver: zodResolver(schema, undefined, { raw: true }) as never,
    defaultValues: startValues(person, fields, { phone, countryId }),
  });
  const [groups, setGroups] = useState(startGroups);
  const save = useSaveContact({ person, fields, groups, setGroups, form, onSaved: onClose });
  const { errors } = form.formState;
  return (
    <Box
      component="form"
      noValidate
      aria-label={person ? 'Edit contact' : 'Add contact'}
      onSubmit={form.handleSubmit((values) => save.submit(values))}
      sx={{ display: 'flex', flexDirection: 'column', minHeight: 0, flex: 1 }}
    >
      <DialogBody gap={2.25} problem={save.refusal}>
        {save.twin && (
          <ContactTwin
            twin={save.twin}
            onAddAnyway={
              person ? undefined : form.handleSubmit((values) => save.submit(values, { isTwinFine: true }))
            }
            onClose={onClose}
          />
        )}
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: '1fr 1fr' }}>
          <TextField
            label="First name"
            autoFocus
            autoComplete="off"
            error={errors.FirstName?.message}
            {...form.register('FirstName')}
          />
          <TextField
            label="Last name"
            autoComplete="off"
            error={errors.LastName?.message}
            {...form.register('LastName')}
          />
        </Box>
        <Phones form={form} />
        <GroupsField
          value={groups}
          onChange={(next) => {
            save.forgetGroupProblem();
            setGroups(next);
          }}
          error={save.groupProblem}
        />
        <Notes form={form} />
        <CustomValues form={form} fields={fields} />
      </DialogBody>
      <DialogFoot
        action={save.isSaving ? 'Saving' : person ? 'Save' : 'Add contact'}
        isDisabled={save.isSaving}
        onClose={onClose}
      />
    </Box>
  );
}

type Form = UseFormReturn<ContactValues>;

const phoneLabels = [say('Phone'), 'Second phone', 'Third phone'];

/** One phone, and a field for another whenever the one before it isn't empty. */
function Phones({ form }: { form: Form }) {
  const typed = useWatch({ control: form.control, name: phoneNames });
  const { errors } = form.formState;
  const filled = typed.findLastIndex((phone) => phone !== '') + 1;
  const [asked, setAsked] = useState(1);
  const shown = Math.max(filled, asked);
  return (
    <Box sx={{ display: 'grid', gap: 2.25 }}>
      {phoneNames.slice(0, shown).map((name, index) => (
        <TextField
          key={name}
          label={phoneLabels[index] ?? ''}
          type="tel"
          autoComplete="off"
          error={errors[name]?.message}
          {...form.register(name)}
        />
      ))}
      {shown < phoneNames.length && (
        <Box>
          <Button
            variant="text"
            size="small"
            startIcon={<Plus aria-hidden />}
            sx={{ ml: '-10px', mt: '-8px' }}
            onClick={() => {
              setAsked(shown + 1);
              const next = phoneNames[shown];
              if (next) queueMicrotask(() => form.setFocus(next));
            }}
          >
            Add another phone
          </Button>
        </Box>
      )}
    </Box>
  );
}

function Notes({ form }: { form: Form }) {
  const notes = useWatch({ control: form.control, name: 'Notes' });
  const length = [...notes.trim()].length;
  return (
    <TextField
      label="Notes"
      autoComplete="off"
      error={form.formState.errors.Notes?.message}
      aside={
        <Typography
          variant="caption"
          component="span"
          sx={{
            fontVariantNumeric: 'tabular-nums',
            color: length > limits.contactNotes ? 'error.main' : 'ink.three',
          }}
        >
          {length}/{limits.contactNotes}
        </Typography>
      }
      {...form.register('Notes')}
    />
  );
}

function CustomValues({ form, fields }: { form: Form; fields: readonly CustomField[] }) {
  const { errors } = form.formState;
  return (
    <>
      {fields.map((field) => {
        const key = fieldKey(field);
        return (
          <TextField
            key={key}
            label={field.Name}
            autoComplete="off"
            error={errors.Custom?.[key]?.message}
            {...form.register(`Custom.${key}`)}
          />
        );
      })}
      <NewCustomField />
    </>
  );
}
