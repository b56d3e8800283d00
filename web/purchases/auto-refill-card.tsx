import Switch from '@mui/material/Switch';
import { useState } from 'react';
import { z } from 'zod';
import {
  getAutoRefill,
  getAutoRefillStatus,
  updateAutoRefill,
} from '../../contract/addresses/purchases.gen.ts';
import { required } from '../../contract/fields/basic-rules.ts';
import { number } from '../../contract/fields/character-rules.ts';
import { numberField } from '../../contract/fields/form.ts';
import { creditPriceCents } from '../../contract/money/pricing.ts';
import type { AutoRefill } from '../../contract/purchases.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { limits } from '../../contract/reference/limits.ts';
import { fieldMessages, shownMessage } from '../api.ts';
import { formatDollars } from '../pieces/purchases/money-words.ts';
import { usePrices } from '../pieces/purchases/prices.ts';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { useTimeZone } from '../queries/current-user.ts';
import { queryClient } from '../queries/query-client.ts';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { FormText } from '../ui/form-fields.tsx';
import { formatCount, formatDate } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { say } from '../ui/say.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useContractForm } from '../ui/use-contract-form.ts';
import { CardButton, FactCard } from './fact-card.tsx';

const refresh = () => {
  for (const { path } of [getAutoRefill, getAutoRefillStatus])
    void queryClient.invalidateQueries({ queryKey: [path] });
};

/** Automatic refills: what they are, and their switch. */
export function useAutoRefill(hasCard: boolean, isEnabled = true) {
  const setting = useCallQuery(getAutoRefill, {}, { enabled: isEnabled }).data;
  const status = useCallQuery(getAutoRefillStatus, {}, { enabled: isEnabled }).data;
  const { tiers } = usePrices('payg', isEnabled);
  const now = useNow();
  const zone = useTimeZone();
  const update = useCall(updateAutoRefill, {
    onSuccess: refresh,
    onError: (error) =>
      showSnackbar(
        fieldMessages(error).NumberOfRefillCredits ?? shownMessage(error, errorCatalog.updateAccount),
      ),
  });
  const isOn = setting?.IsEnabled ?? false;
  const last = status?.LastRefillDate ? `Last on ${formatDate(status.LastRefillDate, now, zone)}` : '';
  const price = creditPriceCents(tiers, setting?.NumberOfRefillCredits ?? 0);
  return {
    setting,
    isOn,
    value: isOn
      ? say(
          `${formatCount(setting?.NumberOfRefillCredits ?? 0)} below ${formatCount(setting?.TriggerAmount ?? 0)}`,
        )
      : say('Off'),
    sentence: !hasCard
      ? 'Add a card to turn it on.'
      : isOn
        ? price === undefined
          ? ''
          : `${formatDollars(price / 100)} plus tax each time`
        : 'Buys credits before they run out.',
    last: status?.IsPending ? 'A refill is under way' : last,
    control: (
      <Switch
        checked={isOn}
        disabled={!setting || (!hasCard && !isOn) || update.isPending}
        onChange={(_, IsEnabled) => {
          if (!setting) return;
          const { NumberOfRefillCredits, TriggerAmount } = setting;
          update.mutate({ body: { NumberOfRefillCredits, TriggerAmount, IsEnabled } });
        }}
        slotProps={{ input: { 'aria-label': 'Auto refill' } }}
      />
    ),
  };
}

export function AutoRefillCard({ hasCard }: { hasCard: boolean }) {
  const [isEditing, setEditing] = useState(false);
  const { setting, value, sentence, last, control } = useAutoRefill(hasCard);
  return (
    <>
      <FactCard
        title="Auto refill"
        action={control}
        value={value}
        lines={[sentence, last]}
        foot={setting && <CardButton label="Edit" of="auto refill" onPress={() => setEditing(true)} />}
      />
      <RefillDialog setting={setting} isOpen={isEditing} onClose={() => setEditing(false)} />
    </>
  );
}

export function RefillDialog({
  setting,
  isOpen,
  onClose,
}: {
  setting: AutoRefill | undefined;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={440}>
      {setting && <RefillForm setting={setting} onClose={onClose} />}
    </FormDialog>
  );
}

const rules = z.object({
  NumberOfRefillCredits: numberField(required('Number of Credits'), number()),
  TriggerAmount: numberField(required(say('Amount')), number()),
}) as unknown as z.ZodType<
  { NumberOfRefillCredits: number; TriggerAmount: number },
  { NumberOfRefillCredits: string; TriggerAmount: string }
>;

function RefillForm({ setting, onClose }: { setting: AutoRefill; onClose: () => void }) {
  const update = useCall(updateAutoRefill, { onSuccess: refresh });
  const form = useContractForm({
    rules,
    values: {
      NumberOfRefillCredits: String(setting.NumberOfRefillCredits),
      TriggerAmount: String(setting.TriggerAmount),
    },
    failed: errorCatalog.updateAccount,
    save: async (output) => {
      await update.mutateAsync({ body: { ...output, IsEnabled: setting.IsEnabled } });
      showSnackbar('Auto refill saved.');
      onClose();
    },
  });
  return (
    <DialogForm
      title="Auto refill"
      intro="When your free credits fall to an amount, your card is charged for more."
      action="Save"
      problem={form.problem}
      isDisabled={form.isSubmitting}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <FormText
        control={form.control}
        name="NumberOfRefillCredits"
        label="Credits to buy"
        help={`At least ${limits.invoiceSelfServiceCredits}.`}
        inputMode="numeric"
      />
      <FormText
        control={form.control}
        name="TriggerAmount"
        label="When free credits fall to"
        inputMode="numeric"
      />
    </DialogForm>
  );
}
