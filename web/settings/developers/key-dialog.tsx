import { z } from 'zod';
import { createApiKey, updateApiKey } from '../../../contract/addresses/keys.gen.ts';
import { apiKeyForm } from '../../../contract/forms/api-key.ts';
import type { Scope } from '../../../contract/scopes.ts';
import { useCall } from '../../queries/calls.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { FormChoice, FormText } from '../../ui/form-fields.tsx';
import { formatDate } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';
import type { ApiKey } from './keys-card.tsx';
import { ScopesField } from './scopes-field.tsx';

const dayMs = 24 * 60 * 60 * 1000;

/** The form as people fill it in: addresses in one field, and an end in so many days. */
const rules = z.object({
  Name: apiKeyForm.shape.Name,
  Scopes: apiKeyForm.shape.Scopes,
  Addresses: z
    .string()
    .transform((text) => text.split(/[\s,;]+/).filter((word) => word !== ''))
    .superRefine((addresses, context) => {
      const message = apiKeyForm.shape.Addresses.safeParse(addresses).error?.issues[0]?.message;
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    }),
  Ends: z.enum(['never', '30', '90', '365', 'kept']),
});

function endOf(ends: z.output<typeof rules>['Ends'], kept: string | undefined, nowMs: number): string | null {
  if (ends === 'kept') return kept ?? null;
  return ends === 'never' ? null : new Date(nowMs + Number(ends) * dayMs).toISOString();
}

interface KeyDialogProps {
  /** Undefined: a new one. */
  saved: ApiKey | undefined;
  onClose: () => void;
  /** Gets the text of the new key, which is shown once. */
  onMade: (text: string) => void;
}

/** A key's name and limits. */
export function KeyDialog({ saved, onClose, onMade }: KeyDialogProps) {
  const now = useNow();
  const zone = useTimeZone();
  const create = useCall(createApiKey);
  const update = useCall(updateApiKey);
  const kept = saved?.ExpireTimestamp ?? undefined;
  const { control, problem, submit, isSubmitting } = useContractForm({
    rules,
    values: {
      Name: saved?.Name ?? '',
      Scopes: (saved?.Scopes ?? []) as Scope[],
      Addresses: saved?.Addresses.join('\n') ?? '',
      Ends: kept === undefined ? 'never' : 'kept',
    },
    save: async ({ Ends, ...rest }) => {
      const body = { ...rest, ExpireTimestamp: endOf(Ends, kept, now) };
      if (saved === undefined) {
        const { Key } = await create.mutateAsync({ body });
        onMade(Key);
        return;
      }
      await update.mutateAsync({ params: { ApiKeyID: saved.ApiKeyID }, body });
      showSnackbar(`${rest.Name} saved.`);
      onClose();
    },
    failed: 'There was an error saving this key.',
  });
  const ends = [
    ...(kept === undefined ? [] : [{ value: 'kept', label: `On ${formatDate(kept, now, zone)}` }]),
    { value: 'never', label: 'Never' },
    { value: '30', label: 'In 30 days' },
    { value: '90', label: 'In 90 days' },
    { value: '365', label: 'In a year' },
  ];
  return (
    <FormDialog isOpen onClose={onClose} width={560} isFullOnPhone isKeptOnClickBeside>
      <DialogForm
        title={saved === undefined ? 'Create an API key' : 'Edit the API key'}
        {...(saved === undefined
          ? { intro: 'It acts in your name, and can do at most what you can do yourself.' }
          : {})}
        problem={problem}
        action={saved === undefined ? 'Create the key' : 'Save'}
        isDisabled={isSubmitting}
        onSubmit={submit}
        onClose={onClose}
      >
        <FormText
          control={control}
          name="Name"
          label="Name"
          placeholder="Student information system"
          autoComplete="off"
        />
        <ScopesField control={control} />
        <FormText
          control={control}
          name="Addresses"
          label="Only from these addresses (optional)"
          placeholder="203.0.113.0/24"
          help="One on each line. Without any, the key works from anywhere."
          multiline
          minRows={2}
          maxRows={6}
        />
        <FormChoice control={control} name="Ends" label="Expires" choices={ends} />
      </DialogForm>
    </FormDialog>
  );
}
