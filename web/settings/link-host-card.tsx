import { useQueryClient } from '@tanstack/react-query';
import { getLinkHost, updateLinkHost } from '../../contract/addresses/broadcasts.gen.ts';
import type { Reply } from '../../contract/call.ts';
import { linkHostForm } from '../../contract/forms/link-host.ts';
import { callKey, useCall, useCallQuery } from '../queries/calls.ts';
import { FormCard } from '../ui/form-card.tsx';
import { FormText } from '../ui/form-fields.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useContractForm } from '../ui/use-contract-form.ts';

/** The organization's own host for short links. */
export function LinkHostCard() {
  const { data } = useCallQuery(getLinkHost, {});
  return data ? <LinkHostForm saved={data} /> : null;
}

function LinkHostForm({ saved: { LinkHost, OwnHost } }: { saved: Reply<typeof getLinkHost> }) {
  const client = useQueryClient();
  const update = useCall(updateLinkHost);
  const form = useContractForm({
    rules: linkHostForm,
    values: { LinkHost },
    failed: 'There was a problem updating your account.',
    save: async (body) => {
      await update.mutateAsync({ body });
      showSnackbar('Address of short links saved.');
      await client.invalidateQueries({ queryKey: callKey(getLinkHost).slice(0, 1) });
    },
  });
  return (
    <FormCard title="Short links" form={form}>
      <FormText
        control={form.control}
        name="LinkHost"
        label="Address of short links"
        autoComplete="off"
        placeholder={OwnHost}
        help={`People trust links at your own address, such as go.example.org. Have whoever runs your domain point it to ${OwnHost} (a CNAME entry) and let this server answer for it with a certificate. Empty: links are at ${OwnHost}. Broadcasts that are already scheduled keep the address they have.`}
      />
    </FormCard>
  );
}
