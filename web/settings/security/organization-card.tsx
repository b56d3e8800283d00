import Box from '@mui/material/Box';
import { useQueryClient } from '@tanstack/react-query';
import { getAccountSecurity, updateAccountSecurity } from '../../../contract/addresses/factors.gen.ts';
import { saidBy } from '../../pieces/second-factors/said-by.ts';
import { callKey, useCall, useCallQuery } from '../../queries/calls.ts';
import { Card } from '../../ui/card.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { SwitchRow } from '../../ui/switch-row.tsx';

/** A sign-in rule for everybody in the organization. */
export function OrganizationCard() {
  const client = useQueryClient();
  const { data } = useCallQuery(getAccountSecurity, {});
  const save = useCall(updateAccountSecurity, {
    onSuccess: (_, { body }) =>
      showSnackbar(
        body.RequiresSecondFactor
          ? 'Everyone now needs a second step at sign-in.'
          : 'A second step is no longer required.',
      ),
    onError: (error) => showSnackbar(saidBy(error, 'There was an error updating your account.')),
    onSettled: () => client.invalidateQueries({ queryKey: callKey(getAccountSecurity).slice(0, 1) }),
  });
  if (!data) return null;
  const without = data.UsersWithoutSecondFactor;
  return (
    <Card title="Everyone in your organization">
      <Box sx={{ px: 2.5, py: 2 }}>
        <SwitchRow
          label="Require a second step"
          help={`Users without one set it up at their next sign-in. ${
            without === 0 ? 'Everyone has one.' : `${without} of ${data.Users} users don’t have one yet.`
          }`}
          isOn={data.RequiresSecondFactor}
          isDisabled={save.isPending}
          onChange={(RequiresSecondFactor) => save.mutate({ body: { RequiresSecondFactor } })}
        />
      </Box>
    </Card>
  );
}
