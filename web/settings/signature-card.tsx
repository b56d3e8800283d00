import { useQueryClient } from '@tanstack/react-query';
import type { User } from '../../contract/accounts.ts';
import { getAccount, getUser, updateUser } from '../../contract/addresses/accounts.gen.ts';
import { signatureForm, signatureLength } from '../../contract/forms/profile.ts';
import { useCall } from '../queries/calls.ts';
import { useUser } from '../queries/current-user.ts';
import { FormCard } from '../ui/form-card.tsx';
import { FormSwitch, FormText } from '../ui/form-fields.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useContractForm } from '../ui/use-contract-form.ts';

/** The user's signature. Each conversation can turn it on or off. */
export function SignatureCard() {
  const user = useUser();
  return user ? <SignatureForm user={user} /> : null;
}

function SignatureForm({ user }: { user: User }) {
  const client = useQueryClient();
  const update = useCall(updateUser);
  const signature = useContractForm({
    rules: signatureForm,
    values: user.Signature,
    failed: 'There was an error adding, getting or updating your signature',
    serverNames: { 'Signature.SignatureText': 'SignatureText' },
    save: async (Signature) => {
      await update.mutateAsync({ body: { Signature } });
      showSnackbar('Signature saved.');
      const paths = [getAccount.path, getUser.path];
      await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: [path] })));
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
