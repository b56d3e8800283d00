import { z } from 'zod';
import { rotateApiKey } from '../../../contract/addresses/keys.gen.ts';
import { overlapHours } from '../../../contract/api-keys.ts';
import { useCall } from '../../queries/calls.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { FormChoice } from '../../ui/form-fields.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';
import type { ApiKey } from './keys-card.tsx';

const rules = z.object({ OverlapHours: z.literal(overlapHours) });

const choices = [
  { value: 168, label: 'For another week' },
  { value: 24, label: 'For another day' },
  { value: 1, label: 'For another hour' },
  { value: 0, label: 'Not at all: it stops now' },
] as const;

interface NewSecretDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
  onMade: (text: string) => void;
}

/** A new secret for a key; the old one can go on for a while. */
export function NewSecretDialog({ apiKey, onClose, onMade }: NewSecretDialogProps) {
  const rotate = useCall(rotateApiKey);
  const { control, problem, submit, isSubmitting } = useContractForm({
    rules,
    values: { OverlapHours: 24 as (typeof overlapHours)[number] },
    save: async (body) => {
      const { Key } = await rotate.mutateAsync({ params: { ApiKeyID: apiKey.ApiKeyID }, body });
      onMade(Key);
    },
    failed: 'There was an error making a new secret.',
  });
  return (
    <FormDialog isOpen onClose={onClose} width={460}>
      <DialogForm
        title={`Make a new secret for ${apiKey.Name}`}
        intro="Put the new key into your programs while the old one still works. Name, scopes and addresses stay the same."
        problem={problem}
        action="Make a new secret"
        isDisabled={isSubmitting}
        onSubmit={submit}
        onClose={onClose}
      >
        <FormChoice control={control} name="OverlapHours" label="The old secret works" choices={choices} />
      </DialogForm>
    </FormDialog>
  );
}
