import type { User } from '../../contract/accounts.ts';
import { signatureForm, signatureLength } from '../../contract/forms/profile.ts';
import { useUser } from '../queries/current-user.ts';
import { FormCard } from '../ui/form-card.tsx';
import { FormSwitch, FormText } from '../ui/form-fields.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useContractForm } from '../ui/use-contract-form.ts';
import { useSaveSettings } from './use-save-settings.ts';

/** The user's signature. Each conversation can turn it on or off. */
export function SignatureCard() {
  const user = useUser();
  return user ? <SignatureForm user={user} /> : null;
}

function SignatureForm({ user }: { user: User }) {
  const { saveUser } = useSaveSettings();
  const signature = useContractForm({
    rules: signatureForm,
    values: user.Signature,
    failed: 'There was an error adding, getting or updating your signature',
    serverNames: { 'Signature.SignatureText': 'SignatureText' },
    save: async (Signature) => {
      await saveUser({ Signature });
      showSnackbar('Signature saved.');
    },
  });
  return (
    <FormCard title="Signature" form={signature}>
      <FormSwitch
        control={signature.control}
        name="IsEnabled"
        label="Add my signature to texts"
        help="It counts toward the length of a text. You can turn it on or off in each conversation."
      />
      <FormText
        control={signature.control}
        name="SignatureText"
        label="Signature text"
        autoComplete="off"
        slotProps={{ input: { maxLength: signatureLength } }}
      />
    </FormCard>
  );
}
