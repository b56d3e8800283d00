import Button from '@mui/material/Button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { getPhoneNumber } from '../../../../contract/addresses/consents.gen.ts';
import { listCustomFields } from '../../../../contract/addresses/contacts.gen.ts';
import {
  addDraftContact,
  listDraftContacts,
  updateDraftContact,
} from '../../../../contract/addresses/drafts.gen.ts';
import type { DraftContact } from '../../../../contract/draft-recipients.ts';
import {
  asynchronousMessages,
  broadcastLookupMessage,
} from '../../../../contract/fields/asynchronous-checks.ts';
import { fieldErrors } from '../../../../contract/fields/form.ts';
import { contactForm } from '../../../../contract/forms/contact.ts';
import type { BroadcastType } from '../../../../contract/money/units.ts';
import { typedPhone } from '../../../../contract/phone/format-phone.ts';
import { normalizePhone } from '../../../../contract/phone/normalize-phone.ts';
import { ApiError, callApi, fieldMessages, newIdempotencyKey, shownMessage } from '../../../api.ts';
import { useCallQuery } from '../../../queries/calls.ts';
import { useAccount } from '../../../queries/current-user.ts';
import { freshenDraft } from '../../../queries/draft-recipients.ts';
import { TextField } from '../../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../../ui/form-dialog.tsx';
import { showSnackbar } from '../../../ui/snackbar.tsx';
import { useDebounced } from '../../../ui/use-debounced.ts';

interface PersonDialogProps {
  draftId: number;
  /** A landline can be called, and so can somebody who opted out of texts. */
  type: BroadcastType;
  isOpen: boolean;
  /** The person to edit; without it a person is added. */
  person: DraftContact | undefined;
  onClose: () => void;
}

export function PersonDialog({ isOpen, ...rest }: PersonDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={rest.onClose} width={480} isFullOnPhone isKeptOnClickBeside>
      <PersonForm {...rest} />
    </FormDialog>
  );
}

interface Values {
  FirstName: string;
  LastName: string;
  PrimaryPhone: string;
  CustomData: Record<string, string>;
}

function valuesOf(person: DraftContact | undefined, countryId: number): Values {
  return {
    FirstName: person?.FirstName ?? '',
    LastName: person?.LastName ?? '',
    PrimaryPhone: person?.PrimaryPhone ? typedPhone(person.PrimaryPhone, countryId) : '',
    CustomData: person?.CustomData ?? {},
  };
}

/** Adds one person by hand, or edits one in the broadcast. The contact itself isn't changed. */
function PersonForm({ draftId, type, person, onClose }: Omit<PersonDialogProps, 'isOpen'>) {
  const save = useSavePerson(draftId, person, onClose);
  const countryId = useAccount()?.CountryID ?? 1;
  const [values, setValues] = useState(() => valuesOf(person, countryId));
  const rules = fieldErrors(contactForm({ countryId }), values);
  const check = usePhoneCheck({ draftId, type, person }, values.PrimaryPhone);
  const [isTried, setTried] = useState(false);
  const shown = (field: 'FirstName' | 'LastName' | 'PrimaryPhone') =>
    save.errors[field] ?? (isTried ? rules[field] : undefined);
  const change = (by: Partial<Values>) => {
    setValues((before) => ({ ...before, ...by }));
    save.forget();
  };
  const submit = () => {
    setTried(true);
    // If the look-up failed, the server tries it again.
    const isKnownBad = check.message !== undefined && !check.isFailed;
    if (Object.keys(rules).length === 0 && !isKnownBad) void save.save(values);
  };
  return (
    <DialogForm
      title={person ? 'Edit recipient' : 'Add one person'}
      intro={
        person
          ? 'This changes the recipient for this broadcast only. Your contact stays the same.'
          : 'They aren’t added to your contacts.'
      }
      problem={save.errors.form}
      action={person ? 'Save' : 'Add'}
      isDisabled={save.isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Phone number"
        autoFocus
        value={values.PrimaryPhone}
        error={shown('PrimaryPhone') ?? check.message}
        help={check.isAsking ? 'Checking the number…' : undefined}
        onChange={(event) => change({ PrimaryPhone: event.target.value })}
        slotProps={{ input: { inputMode: 'tel', autoComplete: 'off' } }}
      />
      <TextField
        label="First name"
        value={values.FirstName}
        error={shown('FirstName')}
        onChange={(event) => change({ FirstName: event.target.value })}
        slotProps={{ input: { autoComplete: 'off' } }}
      />
      <TextField
        label="Last name"
        value={values.LastName}
        error={shown('LastName')}
        onChange={(event) => change({ LastName: event.target.value })}
        slotProps={{ input: { autoComplete: 'off' } }}
      />
      <OwnFields values={values.CustomData} onChange={(CustomData) => change({ CustomData })} />
    </DialogForm>
  );
}

/** The organization's custom fields: few people need them here, so they are loaded on demand. */
function OwnFields({
  values,
  onChange,
}: {
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
}) {
  const fields = useCallQuery(listCustomFields, {}, { staleTime: 60_000 });
  const [isOpen, setOpen] = useState(() => Object.keys(values).length > 0);
  const names = (fields.data?.Items ?? []).map(({ Name }) => Name);
  if (names.length === 0) return null;
  if (!isOpen)
    return (
      <Button
        variant="text"
        size="small"
        startIcon={<Plus />}
        onClick={() => setOpen(true)}
        sx={{ justifySelf: 'start' }}
      >
        Fill in custom fields
      </Button>
    );
  return names.map((name) => (
    <TextField
      key={name}
      label={name}
      value={values[name] ?? ''}
      onChange={(event) => onChange({ ...values, [name]: event.target.value })}
      slotProps={{ input: { maxLength: 500, autoComplete: 'off' } }}
    />
  ));
}

/**
 * Facts about a number that only the server knows: whether this broadcast reaches it, or it is in the broadcast
 * already. Nothing is asked about a number that stays as it is: names can be changed whatever its state.
 */
function usePhoneCheck(
  { draftId, type, person }: Pick<PersonDialogProps, 'draftId' | 'type' | 'person'>,
  typed: string,
) {
  const account = useAccount();
  const countryId = account?.CountryID ?? 1;
  const normal = normalizePhone(typed, countryId);
  const phone = useDebounced(normal);
  const isUnchanged =
    person !== undefined && normal === normalizePhone(valuesOf(person, countryId).PrimaryPhone, countryId);
  const isAsked = phone !== undefined && phone === normal && !isUnchanged;
  const { data, isFetching, isError } = useQuery({
    queryKey: ['draft-phone', draftId, phone],
    queryFn: async ({ signal }) => {
      const [lookup, inDraft] = await Promise.all([
        callApi(
          getPhoneNumber,
          { params: { Number: phone ?? '' }, query: { include: 'all' } },
          { signal, missing: 'refuse' },
        ),
        callApi(
          listDraftContacts,
          { params: { DraftBroadcastID: draftId }, query: { phonenumber: phone ?? '' } },
          { signal, missing: 'refuse' },
        ),
      ]);
      return { lookup, inDraft };
    },
    enabled: isAsked,
    // Somebody may have been added meanwhile.
    staleTime: 0,
    retry: false,
  });
  // Shown while typing; adding checks again, and may succeed.
  if (isAsked && isError && !isFetching)
    return { isAsking: false, message: asynchronousMessages.contactFailed, isFailed: true };
  if (!isAsked || !data) return { isAsking: isAsked && isFetching, message: undefined, isFailed: false };
  const others = data.inDraft.Items.filter(({ RecipientID }) => RecipientID !== person?.RecipientID);
  const requireOptIn = account?.RequireTextOptIn === true || account?.Profile.ExplicitOptInRequired === true;
  const message = others.some(({ Problem }) => Problem === null)
    ? asynchronousMessages.alreadyInBroadcast
    : broadcastLookupMessage(data.lookup, { type, countryId: account?.CountryID ?? 1, requireOptIn });
  return { isAsking: false, message, isFailed: false };
}

function useSavePerson(draftId: number, person: DraftContact | undefined, onSaved: () => void) {
  const client = useQueryClient();
  const key = useRef(newIdempotencyKey());
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isBusy, setBusy] = useState(false);
  const save = async (values: Values) => {
    const params = { DraftBroadcastID: draftId };
    setBusy(true);
    try {
      if (person) {
        const body = { ...values, RecipientID: person.RecipientID };
        await callApi(updateDraftContact, { params, body }, { missing: 'refuse' });
      } else {
        const options = { idempotencyKey: key.current, missing: 'refuse' as const };
        await callApi(addDraftContact, { params, body: values }, options);
        showSnackbar('1 person was added.');
      }
      await freshenDraft(client, draftId);
      onSaved();
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) key.current = newIdempotencyKey();
      const byField = fieldMessages(error);
      const generic = person
        ? 'There was an error updating your contact.'
        : 'There was an error adding your contact.';
      setErrors(Object.keys(byField).length > 0 ? byField : { form: shownMessage(error, generic) });
    } finally {
      setBusy(false);
    }
  };
  return { save, isBusy, errors, forget: () => setErrors({}) };
}
