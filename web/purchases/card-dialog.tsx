import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { addCreditCard, deleteCreditCard, updateCreditCard } from '../../contract/addresses/purchases.gen.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { shownMessage } from '../api.ts';
import { BillingFields, type BillingValues, billingRules } from '../pieces/purchases/billing-fields.tsx';
import { CardFields, useCardInput } from '../pieces/purchases/card-fields.tsx';
import { CardMark } from '../pieces/purchases/card-mark.tsx';
import { cardFieldNames } from '../pieces/purchases/card-words.ts';
import { formatExpiration } from '../pieces/purchases/money-words.ts';
import { useBillingOnFile } from '../pieces/purchases/use-billing-on-file.ts';
import { CardRefused, useCardSetup } from '../pieces/purchases/use-payment.ts';
import { WithProcessor } from '../pieces/purchases/with-processor.tsx';
import { useCall } from '../queries/calls.ts';
import { useAccount } from '../queries/current-user.ts';
import { queryClient } from '../queries/query-client.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useContractForm } from '../ui/use-contract-form.ts';

/** Adds the card on file, replaces it, corrects its address, or removes it. */
export function CardDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={520} isFullOnPhone isKeptOnClickBeside>
      <WithProcessor onClose={onClose}>
        <CardForm onClose={onClose} />
      </WithProcessor>
    </FormDialog>
  );
}

const refresh = () => void queryClient.invalidateQueries();

function CardForm({ onClose }: { onClose: () => void }) {
  const account = useAccount();
  const { card: query, hasCard, values } = useBillingOnFile();
  const { data: card, isError } = query;
  const [isReplacing, setReplacing] = useState(false);
  const isNew = !hasCard || isReplacing;
  const setUp = useCardSetup();
  const add = useCall(addCreditCard, { onSuccess: refresh });
  const update = useCall(updateCreditCard, { onSuccess: refresh });
  const input = useCardInput();
  const [refusal, setRefusal] = useState<string>();
  const [isDeleting, setDeleting] = useState(false);
  const form = useContractForm<BillingValues, BillingValues>({
    rules: billingRules(account?.CountryID),
    values,
    failed: errorCatalog.updateAccount,
    save: async (billing) => {
      setRefusal(undefined);
      if (isNew && !input.isWhole(cardFieldNames)) return;
      try {
        if (isNew) await add.mutateAsync({ body: { ...billing, SetupIntentID: await setUp(billing) } });
        else await update.mutateAsync({ body: billing });
      } catch (error) {
        if (!(error instanceof CardRefused)) throw error;
        setRefusal(error.message);
        return;
      }
      showSnackbar('Card saved.');
      onClose();
    },
  });
  return (
    <DialogForm
      title={hasCard ? 'Update card' : 'Add a card'}
      intro="The number goes to the card processor, never to us."
      action="Save card"
      problem={refusal ?? form.problem}
      isDisabled={form.isSubmitting}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {isError && <Notice kind="error">{errorCatalog.creditCard}</Notice>}
      {card && hasCard && !isReplacing && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, flexWrap: 'wrap' }}>
          <CardMark brand={card.Brand ?? ''} />
          <Box sx={{ flex: 1, minWidth: 140, fontWeight: 550 }}>
            {card.Brand} ending in {card.LastFour}, expires {formatExpiration(card.ExpirationDate ?? '')}
          </Box>
          <Button onClick={() => setReplacing(true)}>Replace card</Button>
          <Button variant="text" color="error" onClick={() => setDeleting(true)}>
            Delete card
          </Button>
        </Box>
      )}
      {isNew && <CardFields input={input} />}
      <BillingFields control={form.control} />
      {isDeleting && <DeleteCard onClose={() => setDeleting(false)} onDeleted={onClose} />}
    </DialogForm>
  );
}

function DeleteCard({ onClose, onDeleted }: { onClose: () => void; onDeleted: () => void }) {
  const remove = useCall(deleteCreditCard, {
    onSuccess: () => {
      refresh();
      showSnackbar('Card deleted.');
      onDeleted();
    },
    onError: (error) => {
      showSnackbar(shownMessage(error, errorCatalog.updateAccount));
      onClose();
    },
  });
  return (
    <AskDialog
      title="Delete the card?"
      action="Delete card"
      keep="Keep it"
      isBusy={remove.isPending}
      onDo={() => remove.mutate({})}
      onClose={onClose}
    >
      Automatic refills stop, and monthly renewals fail without a card.
    </AskDialog>
  );
}
