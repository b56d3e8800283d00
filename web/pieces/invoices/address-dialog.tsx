import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { z } from 'zod';
import {
  addInvoiceAddress,
  deleteInvoiceAddress,
  updateInvoiceAddress,
} from '../../../contract/addresses/invoices.gen.ts';
import { invoiceAddressForm } from '../../../contract/forms/postal-address.ts';
import type { InvoiceAddress } from '../../../contract/invoices.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { useAccount } from '../../queries/current-user.ts';
import { queryClient } from '../../queries/query-client.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { FormSwitch, FormText } from '../../ui/form-fields.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';

interface AddressDialogProps {
  /** Undefined while it is closed. */
  address: InvoiceAddress | 'new' | undefined;
  onClose: () => void;
  onSaved: (addressId: number) => void;
}

/** Adds an address for invoices, changes it, or stops offering it. */
export function AddressDialog({ address, onClose, onSaved }: AddressDialogProps) {
  return (
    <FormDialog
      isOpen={address !== undefined}
      onClose={onClose}
      width={520}
      isFullOnPhone
      isKeptOnClickBeside
    >
      {address !== undefined && (
        <AddressForm address={address === 'new' ? undefined : address} onClose={onClose} onSaved={onSaved} />
      )}
    </FormDialog>
  );
}

const refresh = () => void queryClient.invalidateQueries({ queryKey: [addInvoiceAddress.path] });

interface Values {
  Address1: string;
  Address2: string;
  Address3: string;
  Address4: string;
  City: string;
  State: string;
  PostalCode: string;
  IsDefault: boolean;
}

function AddressForm({
  address,
  onClose,
  onSaved,
}: {
  address: InvoiceAddress | undefined;
  onClose: () => void;
  onSaved: (addressId: number) => void;
}) {
  const account = useAccount();
  const params = { AccountID: account?.AccountID ?? 0 };
  const add = useCall(addInvoiceAddress, { onSuccess: refresh });
  const update = useCall(updateInvoiceAddress, { onSuccess: refresh });
  const remove = useCall(deleteInvoiceAddress, {
    onSuccess: () => {
      refresh();
      showSnackbar('Address deleted.');
      onClose();
    },
    onError: (error) => showSnackbar(shownMessage(error, errorCatalog.updateAccount)),
  });
  const form = useContractForm<Values, Values>({
    rules: invoiceAddressForm({ countryId: account?.CountryID ?? 1 }).loose() as unknown as z.ZodType<
      Values,
      Values
    >,
    values: {
      Address1: address?.Address1 ?? account?.CompanyName ?? '',
      Address2: address?.Address2 ?? '',
      Address3: address?.Address3 ?? '',
      Address4: address?.Address4 ?? '',
      City: address?.City ?? '',
      State: address?.State ?? account?.State ?? '',
      PostalCode: address?.PostalCode ?? '',
      IsDefault: address?.IsDefault ?? false,
    },
    failed: errorCatalog.updateAccount,
    save: async (typed) => {
      const saved = address
        ? await update.mutateAsync({ params, body: { ...typed, AddressID: address.AddressID } })
        : await add.mutateAsync({ params, body: typed });
      onSaved(saved.AddressID);
    },
  });
  return (
    <DialogForm
      title={address ? 'Edit address' : 'Add an address'}
      action="Save address"
      problem={form.problem}
      isDisabled={form.isSubmitting}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <FormText control={form.control} name="Address1" label="Organization" autoComplete="organization" />
      <FormText control={form.control} name="Address2" label="Attention (optional)" />
      <FormText control={form.control} name="Address3" label="Address" autoComplete="address-line1" />
      <FormText
        control={form.control}
        name="Address4"
        label="Address 2 (optional)"
        autoComplete="address-line2"
      />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '2fr 1fr 1fr' } }}>
        <FormText control={form.control} name="City" label="City" autoComplete="address-level2" />
        <FormText control={form.control} name="State" label="State" autoComplete="address-level1" />
        <FormText control={form.control} name="PostalCode" label="ZIP code" autoComplete="postal-code" />
      </Box>
      <FormSwitch control={form.control} name="IsDefault" label="Bill to this address by default" />
      {address && (
        <Button
          variant="text"
          color="error"
          sx={{ justifySelf: 'start' }}
          disabled={remove.isPending}
          onClick={() => remove.mutate({ params, query: { AddressID: address.AddressID } })}
        >
          Delete address
        </Button>
      )}
    </DialogForm>
  );
}
