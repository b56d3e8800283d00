import Autocomplete from '@mui/material/Autocomplete';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useQueryClient } from '@tanstack/react-query';
import { type Control, useController } from 'react-hook-form';
import type { z } from 'zod';
import { listLists } from '../../../contract/addresses/contacts.gen.ts';
import {
  getEmergencySettings,
  updateEmergencySettings,
} from '../../../contract/addresses/emergencies.gen.ts';
import type { EmergencySettings } from '../../../contract/emergencies.ts';
import { emergencySettingsForm } from '../../../contract/forms/emergency.ts';
import type { List } from '../../../contract/lists.ts';
import { pageSizes } from '../../../contract/reference/paging.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { Field } from '../../ui/field.tsx';
import { FormCard } from '../../ui/form-card.tsx';
import { FormChoice, FormSwitch } from '../../ui/form-fields.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';

type Values = z.input<typeof emergencySettingsForm>;
type Output = z.output<typeof emergencySettingsForm>;

/** Groups that an emergency or a drill can go to, and the people who may start one. */
export function WhoCard({ settings }: { settings: EmergencySettings }) {
  const client = useQueryClient();
  const update = useCall(updateEmergencySettings);
  const lists = useSendable();
  const form = useContractForm<Values, Output>({
    rules: emergencySettingsForm,
    values: {
      ListIDs: settings.Lists.map(({ ListID }) => ListID),
      DrillListID: settings.DrillListID,
      IsForEveryone: settings.IsForEveryone,
    },
    failed: 'There was an error updating your settings.',
    serverNames: { Lists: 'ListIDs' },
    save: async ({ ListIDs, ...rest }) => {
      const saved = await update.mutateAsync({
        body: { ...rest, Lists: ListIDs.map((ListID) => ({ ListID })) },
      });
      client.setQueryData([getEmergencySettings.path, {}, {}], saved);
      showSnackbar('Emergency settings saved.');
    },
  });
  return (
    <FormCard title="Groups and people" form={form}>
      <GroupsField control={form.control} lists={lists} />
      <FormChoice
        control={form.control}
        name="DrillListID"
        label="Drills go to"
        help="Users without a phone number in their profile get no drills."
        choices={[
          { value: null, label: 'Your team: every user with a phone number' },
          ...lists.map(({ ListID, ListName }) => ({ value: ListID, label: ListName })),
        ]}
      />
      <FormSwitch
        control={form.control}
        name="IsForEveryone"
        label="All users can start an emergency"
        help="Users who can create broadcasts. Without this, only account owners and admins can."
      />
    </FormCard>
  );
}

/** Everyone, groups and segments; not those that get no broadcasts. */
function useSendable(): List[] {
  const { data } = useCallQuery(listLists, { query: { pagesize: pageSizes.groups } });
  return (data?.Items ?? []).filter(({ ListID }) => ListID >= 0);
}

function GroupsField({ control, lists }: { control: Control<Values, unknown, Output>; lists: List[] }) {
  const { field, fieldState } = useController({ control, name: 'ListIDs' });
  const error = fieldState.error?.message;
  const byId = new Map(lists.map((list) => [list.ListID, list]));
  return (
    <Field
      label="Groups"
      help="Offered on the emergency screen, in this order. The first is already selected there. With none, it offers Everyone."
      error={error}
    >
      {({ id, ...aria }) => (
        <Autocomplete
          id={id}
          multiple
          autoHighlight
          disableCloseOnSelect
          options={lists}
          value={field.value.flatMap((listId) => byId.get(listId) ?? [])}
          getOptionLabel={({ ListName }) => ListName}
          getOptionKey={({ ListID }) => ListID}
          isOptionEqualToValue={(one, other) => one.ListID === other.ListID}
          onChange={(_, chosen) => field.onChange(chosen.map(({ ListID }) => ListID))}
          onBlur={field.onBlur}
          renderInput={({ slotProps: { input, htmlInput } }) => (
            <OutlinedInput
              {...input}
              fullWidth
              error={error !== undefined}
              placeholder={field.value.length === 0 ? 'Choose groups' : ''}
              slotProps={{ input: { ...htmlInput, ...aria, autoComplete: 'off' } }}
            />
          )}
        />
      )}
    </Field>
  );
}
