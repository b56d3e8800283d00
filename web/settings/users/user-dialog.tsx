import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowRight, CircleCheck } from 'lucide-react';
import { type ComponentType, useId, useMemo, useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { Member } from '../../../contract/account-users.ts';
import type { Account } from '../../../contract/accounts.ts';
import {
  addAccountUser,
  getUsersSummary,
  listAccountUsers,
  updateAccountUser,
} from '../../../contract/addresses/accounts.gen.ts';
import {
  type UserDialogTab,
  userDialogForm,
  userDialogTabErrors,
  userDialogTabs,
} from '../../../contract/forms/user-dialog.ts';
import { ApiError } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { fullName, useAccount, useTimeZone, useUser } from '../../queries/current-user.ts';
import { DialogBody, DialogHead } from '../../ui/dialog-parts.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { said } from '../../ui/said.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';
import { useNameCheck } from './use-name-check.ts';
import { CallingTab, DetailsTab, PermissionsTab, type TabProps, TextingTab } from './user-tabs.tsx';
import { userBody, userValues } from './user-values.ts';

interface UserDialogProps {
  /** The user to edit, or 'new'; undefined while the dialog is closed. */
  edited: Member | 'new' | undefined;
  onClose: () => void;
}

/** Adds or edits a user. Its tabs open one after the other: each only when those before it are valid. */
export function UserDialog({ edited, onClose }: UserDialogProps) {
  const account = useAccount();
  return (
    <FormDialog isOpen={edited !== undefined} onClose={onClose} width={600} isFullOnPhone isKeptOnClickBeside>
      {edited && account && (
        <UserForm account={account} edited={edited === 'new' ? undefined : edited} onClose={onClose} />
      )}
    </FormDialog>
  );
}

const contents: Record<UserDialogTab, ComponentType<TabProps>> = {
  Details: DetailsTab,
  Calling: CallingTab,
  Texting: TextingTab,
  Permissions: PermissionsTab,
};
const tabNames = userDialogTabs.map(({ name }) => name);

interface UserFormProps {
  account: Account;
  edited: Member | undefined;
  onClose: () => void;
}

function UserForm({ account, edited, onClose }: UserFormProps) {
  const id = useId();
  const { base, user, isConflict, tab, setTab, taken } = useUserForm({ account, edited, onClose });
  const values = useWatch({ control: user.control });
  const context = useMemo(() => contextOf(account, base), [account, base]);
  const isValid = (name: UserDialogTab) =>
    Object.keys(userDialogTabErrors(name, values, context)).length === 0 &&
    (name !== 'Details' || (taken.UserName === undefined && taken.Email === undefined));
  /** Goes to a tab, or to the first one on the way that isn’t valid, and shows what is wrong there. */
  const open = (wanted: number) => {
    const blocked = tabNames.slice(0, wanted).findIndex((name) => !isValid(name));
    setTab(blocked < 0 ? wanted : blocked);
    // Touched, so that an error goes as soon as it is fixed, not only when the field is left.
    for (const field of userDialogTabs[blocked]?.fields ?? []) {
      user.form.setValue(field, user.form.getValues(field), { shouldTouch: true, shouldValidate: true });
    }
  };
  const current = tabNames[tab] ?? 'Details';
  const Content = contents[current];
  const next = tabNames[tab + 1];
  const isNew = edited === undefined;
  const name = fullName({ FirstName: values.FirstName ?? '', LastName: values.LastName ?? '' });
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isNew && next) open(tab + 1);
        else user.submit();
      }}
      sx={{ display: 'flex', flexDirection: 'column', minHeight: 0, flex: 1 }}
    >
      <DialogHead title={isNew ? 'Add a user' : 'Edit user'} onClose={onClose} />
      <Tabs
        value={tab}
        onChange={(_, wanted: number) => open(wanted)}
        variant="scrollable"
        sx={{ px: { xs: 1, sm: 3 }, borderBottom: '1px solid', borderColor: 'line.hair', flex: 'none' }}
      >
        {tabNames.map((label, index) => {
          const isDone = index < tab && isValid(label);
          return (
            <Tab
              key={label}
              label={said(label)}
              id={`${id}-tab-${index}`}
              aria-controls={`${id}-panel`}
              {...(isDone
                ? { icon: <CircleCheck size={16} strokeWidth={2} aria-hidden />, iconPosition: 'start' }
                : {})}
            />
          );
        })}
      </Tabs>
      <DialogBody gap={2.5} problem={user.problem}>
        {isConflict && (
          <Notice kind="warning" title="What you typed is kept">
            The fields you haven’t changed show what was saved in the meantime. Check them and save again.
          </Notice>
        )}
        <Box
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-tab-${tab}`}
          sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}
        >
          <Content user={user} account={account} member={base} taken={taken} />
        </Box>
      </DialogBody>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1,
          px: { xs: 2, sm: 4 },
          py: { xs: 1.5, sm: 2 },
          borderTop: '1px solid',
          borderColor: 'line.hair',
          bgcolor: 'surface.sunken',
        }}
      >
        <Box
          sx={{
            flex: 1,
            minWidth: 0,
            typography: 'body2',
            color: 'text.secondary',
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
          }}
        >
          {[name, values.UserName].filter((part) => part).join(' · ')}
        </Box>
        {isNew && tab > 0 && <Button onClick={() => setTab(tab - 1)}>Back</Button>}
        {isNew && next ? (
          <Button type="submit" variant="contained" color="primary" endIcon={<ArrowRight aria-hidden />}>
            Next: {next}
          </Button>
        ) : (
          <Button
            type="submit"
            variant="contained"
            color="primary"
            disabled={user.isSubmitting || (!isNew && !user.isDirty)}
          >
            {isNew ? (values.Invite ? 'Send invitation' : 'Add user') : 'Save'}
          </Button>
        )}
      </Box>
    </Box>
  );
}

function contextOf(account: Account, base: Member | undefined) {
  return { countryId: account.CountryID, ...(base ? { existing: base } : {}) };
}

function useUserForm({ account, edited, onClose }: UserFormProps) {
  const client = useQueryClient();
  const zone = useTimeZone();
  const self = useUser();
  const add = useCall(addAccountUser);
  const update = useCall(updateAccountUser);
  const [tab, setTab] = useState(0);
  // The user as saved. After a conflict, as the other one saved it.
  const [base, setBase] = useState(edited);
  const [isConflict, setConflict] = useState(false);
  const rules = useMemo(() => userDialogForm(contextOf(account, base)), [account, base]);
  const user = useContractForm({
    rules,
    values: userValues(base, account, zone),
    failed: base ? 'There was an error updating your user.' : 'There was an error adding your user.',
    serverNames: { StartTimeOfDay: 'startTimeText', StopTimeOfDay: 'stopTimeText' },
    onErrors: (fields) => {
      const index = userDialogTabs.findIndex((one) =>
        (one.fields as readonly string[]).some((field) => fields.includes(field)),
      );
      if (index >= 0) setTab(index);
    },
    save: async (form) => {
      const body = userBody(form);
      if (base === undefined) {
        await add.mutateAsync({ body: { ...body, Invite: form.Invite } });
        showSnackbar(form.Invite ? `Invitation sent to ${form.Email}.` : `${fullName(form)} was added.`);
      } else {
        try {
          const params = { UserID: base.UserID };
          await update.mutateAsync({ params, body: { ...body, Version: base.Version } });
        } catch (error) {
          if (error instanceof ApiError && error.status === 409 && error.body.ExtendedData) {
            setBase(error.body.ExtendedData as Member);
            setConflict(true);
          }
          throw error;
        }
        showSnackbar(base.UserID === self?.UserID ? 'Your user was saved.' : `${fullName(form)} was saved.`);
      }
      for (const { path } of [listAccountUsers, getUsersSummary]) {
        void client.invalidateQueries({ queryKey: [path] });
      }
      onClose();
    },
  });
  const [userName, email] = useWatch({ control: user.control, name: ['UserName', 'Email'] });
  const ofUserName = useNameCheck('username', userName ?? '', {
    saved: base?.UserName ?? '',
    userId: base?.UserID,
  });
  const ofEmail = useNameCheck('email', email ?? '', { saved: base?.Email ?? '', userId: base?.UserID });
  const taken = { UserName: ofUserName.message, Email: ofEmail.message, EmailWarning: ofEmail.warning };
  return { base, user, isConflict, tab, setTab, taken };
}
