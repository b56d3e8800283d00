import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../contract/accounts.ts';
import { getAccount, updateAccount } from '../../contract/addresses/accounts.gen.ts';
import type { CallInput } from '../../contract/call.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { quietHoursForm } from '../../contract/forms/quiet-hours.ts';
import { fieldMessages, shownMessage } from '../api.ts';
import { useCall } from '../queries/calls.ts';
import { useAccount } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { SwitchRow } from '../ui/switch-row.tsx';
import { CardForm, SaveButton, TimeChoice } from './form-parts.tsx';

const failed = 'There was an error updating your account.';

/** Quiet hours, broadcast defaults and opt-in rules. */
export function SendingCard() {
  const account = useAccount();
  if (!account) return null;
  const { IsOn, Start, Stop } = account.QuietHours;
  return (
    <>
      <Card title="Quiet hours">
        {/* Remounts when another tab changes them. */}
        <QuietHours key={`${IsOn} ${Start} ${Stop}`} account={account} />
      </Card>
      <Card title="Broadcasts">
        <Broadcasts account={account} />
      </Card>
      <Card title="Opt-in">
        <OptIn account={account} />
      </Card>
    </>
  );
}

function useSave() {
  const client = useQueryClient();
  const { mutateAsync, isPending } = useCall(updateAccount);
  const save = async (body: CallInput<typeof updateAccount>['body']) => {
    try {
      await mutateAsync({ body });
    } finally {
      await client.invalidateQueries({ queryKey: [getAccount.path] });
    }
  };
  return { save, isPending };
}

function QuietHours({ account }: { account: Account }) {
  const { save, isPending } = useSave();
  const [hours, setHours] = useState(account.QuietHours);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const isSame = JSON.stringify(hours) === JSON.stringify(account.QuietHours);
  const change = (by: Partial<Account['QuietHours']>) => {
    setHours((before) => ({ ...before, ...by }));
    setErrors({});
  };
  const submit = async () => {
    const problems = fieldErrors(quietHoursForm, hours);
    setErrors(problems);
    if (Object.keys(problems).length > 0) return;
    try {
      await save({ QuietHours: hours });
      showSnackbar('Quiet hours saved.');
    } catch (error) {
      const byField = Object.entries(fieldMessages(error)).map(([field, message]) => [
        field.replace(/^QuietHours\./, ''),
        message,
      ]);
      setErrors(byField.length > 0 ? Object.fromEntries(byField) : { Stop: shownMessage(error, failed) });
    }
  };
  return (
    <CardForm onSubmit={() => void submit()}>
      <SwitchRow
        label="Hold broadcasts outside these hours"
        help="In each recipient’s own time zone. Broadcast texts outside these hours wait until the next start time. Conversations aren’t affected."
        isOn={hours.IsOn}
        onChange={(IsOn) => change({ IsOn })}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 1.5 }}>
        {(['Start', 'Stop'] as const).map((which) => (
          <Box key={which} sx={{ flex: '1 1 140px', maxWidth: 200 }}>
            <Field label={which === 'Start' ? 'From' : 'Until'} error={errors[which]}>
              {({ id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid }) => (
                <TimeChoice
                  id={id}
                  value={hours[which]}
                  isInvalid={isInvalid}
                  describedBy={describedBy}
                  onChange={(time) => change({ [which]: time })}
                />
              )}
            </Field>
          </Box>
        ))}
        <SaveButton isDisabled={isPending || isSame} />
      </Box>
    </CardForm>
  );
}

/** For switches, which save when pressed. */
function useSwitch() {
  const { save, isPending } = useSave();
  const change = async (body: CallInput<typeof updateAccount>['body'], done: string) => {
    try {
      await save(body);
      showSnackbar(done);
    } catch (error) {
      showSnackbar(shownMessage(error, failed));
    }
  };
  return { change, isPending };
}

/** How broadcasts begin, and how recipients can be added. */
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
