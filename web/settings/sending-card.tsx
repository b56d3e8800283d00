import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Account } from '../../contract/accounts.ts';
import { broadcastLimitSettings } from '../../contract/forms/broadcast-limit.ts';
import { quietHoursForm } from '../../contract/forms/quiet-hours.ts';
import { shownMessage } from '../api.ts';
import { useAccount } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { FormCard } from '../ui/form-card.tsx';
import { FormSwitch, FormText, FormTime } from '../ui/form-fields.tsx';
import { say } from '../ui/say.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { SwitchRow } from '../ui/switch-row.tsx';
import { useContractForm } from '../ui/use-contract-form.ts';
import { useSaveSettings } from './use-save-settings.ts';

const failed = 'There was an error updating your account.';

/** Quiet hours, broadcast defaults and opt-in rules. */
export function SendingCard() {
  const account = useAccount();
  if (!account) return null;
  return (
    <>
      <QuietHours account={account} />
      <Card title="Broadcasts">
        <Broadcasts account={account} />
      </Card>
      <BroadcastLimit account={account} />
      <Card title="Opt-in">
        <OptIn account={account} />
      </Card>
    </>
  );
}

function QuietHours({ account }: { account: Account }) {
  const { saveAccount } = useSaveSettings();
  const form = useContractForm({
    rules: quietHoursForm,
    values: account.QuietHours,
    failed,
    serverNames: { 'QuietHours.Start': 'Start', 'QuietHours.Stop': 'Stop' },
    save: async (QuietHours) => {
      await saveAccount({ QuietHours });
      showSnackbar('Quiet hours saved.');
    },
  });
  return (
    <FormCard title="Quiet hours" form={form}>
      <FormSwitch
        control={form.control}
        name="IsOn"
        label="Hold broadcasts outside these hours"
        help="In each recipient’s own time zone. Broadcast texts outside these hours wait until the next start time. Conversations aren’t affected."
      />
      <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: { sm: 'repeat(2, minmax(0, 200px))' } }}>
        <FormTime control={form.control} name="Start" label={say('From', 'time')} />
        <FormTime control={form.control} name="Stop" label="Until" />
      </Box>
    </FormCard>
  );
}

/** At most so many broadcasts for a person in so many days. */
function BroadcastLimit({ account }: { account: Account }) {
  const { saveAccount } = useSaveSettings();
  const limit = account.BroadcastLimit;
  const form = useContractForm({
    rules: broadcastLimitSettings,
    values: { IsOn: limit !== null, Most: String(limit?.Most ?? 3), Days: String(limit?.Days ?? 7) },
    failed,
    serverNames: { 'BroadcastLimit.Most': 'Most', 'BroadcastLimit.Days': 'Days' },
    save: async ({ IsOn, Most, Days }) => {
      await saveAccount({ BroadcastLimit: IsOn ? { Most, Days } : null });
      showSnackbar(IsOn ? 'Limit saved.' : 'Limit removed.');
    },
  });
  return (
    <FormCard title="How often" form={form}>
      <FormSwitch
        control={form.control}
        name="IsOn"
        label="Limit how many broadcasts a person gets"
        help="People who have had that many are left out of the next one. In an emergency, you can set the limit aside before you send."
      />
      <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: { sm: 'repeat(2, minmax(0, 200px))' } }}>
        <FormText control={form.control} name="Most" label="Broadcasts at most" inputMode="numeric" />
        <FormText control={form.control} name="Days" label="In how many days" inputMode="numeric" />
      </Box>
    </FormCard>
  );
}

/** For switches, which save when pressed. */
function useSwitch() {
  const { saveAccount, refresh } = useSaveSettings();
  const [isPending, setPending] = useState(false);
  const change = async (body: Parameters<typeof saveAccount>[0], done: string) => {
    setPending(true);
    try {
      await saveAccount(body);
      showSnackbar(done);
    } catch (error) {
      showSnackbar(shownMessage(error, failed));
      await refresh();
    } finally {
      setPending(false);
    }
  };
  return { change, isPending };
}

/** Settings for how broadcasts begin, and how recipients can be added. */
function Broadcasts({ account }: { account: Account }) {
  const { change, isPending } = useSwitch();
  const { PrependOrganizationToText, AllowAddIndividualNumbersInBroadcast, AllowCopyPasteInBroadcast } =
    account.Profile;
  const name = account.SenderName.trim() || account.CompanyName;
  return (
    <Box sx={{ px: 2.5, py: 2, display: 'grid', gap: 2 }}>
      <SwitchRow
        label="Begin with the organization’s name"
        help={`Every broadcast begins with “${name}:”. The name counts toward the length of the text.`}
        isOn={PrependOrganizationToText}
        isDisabled={isPending}
        onChange={(isOn) =>
          void change(
            { Profile: { PrependOrganizationToText: isOn } },
            isOn
              ? `Broadcasts now begin with “${name}:”.`
              : 'Broadcasts no longer begin with the organization’s name.',
          )
        }
      />
      <SwitchRow
        label="Single numbers"
        help="Type numbers that aren’t in your contacts into a broadcast."
        isOn={AllowAddIndividualNumbersInBroadcast}
        isDisabled={isPending}
        onChange={(isOn) =>
          void change(
            { Profile: { AllowAddIndividualNumbersInBroadcast: isOn } },
            isOn
              ? 'You can now type numbers into a broadcast.'
              : 'You can no longer type numbers into a broadcast.',
          )
        }
      />
      <SwitchRow
        label="Pasted numbers"
        help="Paste a list of names and numbers into a broadcast."
        isOn={AllowCopyPasteInBroadcast}
        isDisabled={isPending}
        onChange={(isOn) =>
          void change(
            { Profile: { AllowCopyPasteInBroadcast: isOn } },
            isOn
              ? 'You can now paste numbers into a broadcast.'
              : 'You can no longer paste numbers into a broadcast.',
          )
        }
      />
    </Box>
  );
}

function OptIn({ account }: { account: Account }) {
  const { change, isPending } = useSwitch();
  return (
    <Box sx={{ px: 2.5, py: 2, display: 'grid', gap: 2 }}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        People who opted out never get a text. You can also require an opt-in.
      </Typography>
      <SwitchRow
        label="Text only people who have opted in"
        help="Everyone else is left out of broadcasts, and you can’t text them first."
        isOn={account.RequireTextOptIn}
        isDisabled={isPending}
        onChange={(RequireTextOptIn) =>
          void change(
            { RequireTextOptIn },
            RequireTextOptIn
              ? 'Muster now texts only people who have opted in.'
              : 'People no longer need to opt in first.',
          )
        }
      />
      <SwitchRow
        label="Explicit opt-in required"
        help="Your organization’s own rule. It applies even when the switch above is off."
        isOn={account.Profile.ExplicitOptInRequired}
        isDisabled={isPending}
        onChange={(ExplicitOptInRequired) =>
          void change(
            { Profile: { ExplicitOptInRequired } },
            ExplicitOptInRequired
              ? 'Explicit opt-in is now required.'
              : 'Explicit opt-in is no longer required.',
          )
        }
      />
    </Box>
  );
}
