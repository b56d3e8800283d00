import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../contract/accounts.ts';
import { getAccount, getUser, updateUser } from '../../contract/addresses/accounts.gen.ts';
import { typedPhone } from '../../contract/phone/format-phone.ts';
import { fieldMessages, shownMessage } from '../api.ts';
import { useCall } from '../queries/calls.ts';
import { useAccount, useUser } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { TextField } from '../ui/field.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { SwitchRow } from '../ui/switch-row.tsx';
import { type BrowserNotices, useBrowserNotices } from './browser-notices.ts';

const updateError = 'There was an error updating your user info.';

/** The user's notification settings, apart from those of each text number. */
export function NotificationsCard() {
  const user = useUser();
  if (!user) return null;
  return (
    <Card title="Notifications">
      <Box sx={{ px: 2.5, py: 2, display: 'grid', gap: 2 }}>
        <ThisBrowser />
        <Divider />
        <DoNotDisturb user={user} />
        <Divider />
        {/* Remounts when someone else or another tab changes it. */}
        <NoticePhone key={user.NotificationPhone} user={user} />
        <Box sx={{ typography: 'body2', color: 'text.secondary' }}>
          Choose which text numbers notify you, how and when, in{' '}
          <RouterLink to="/settings/text">your text number settings</RouterLink>.
        </Box>
      </Box>
    </Card>
  );
}

function ThisBrowser() {
  const notices = useBrowserNotices();
  return (
    <SwitchRow
      label="Notifications in this browser"
      help={browserWords(notices)}
      isOn={notices.isOn}
      isDisabled={notices.permission === 'denied' || notices.permission === 'unsupported'}
      onChange={notices.set}
    />
  );
}

function browserWords({ permission, isOn, isPushed }: BrowserNotices): string {
  if (permission === 'unsupported')
    return 'This browser doesn’t support notifications, or supports them only over HTTPS.';
  if (permission === 'denied')
    return 'Your browser blocks notifications from this site. You can allow them next to the address bar.';
  if (!isOn) return 'This computer shows a notification when a text arrives.';
  return isPushed === false
    ? 'On while Muster is open. Muster couldn’t reach a push service for this browser.'
    : 'On, even when Muster is closed.';
}

function useUpdateUser() {
  const client = useQueryClient();
  return useCall(updateUser, {
    onSuccess: async () => {
      const paths = [getAccount.path, getUser.path];
      await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: [path] })));
    },
  });
}

function DoNotDisturb({ user }: { user: User }) {
  const { mutate, isPending, variables } = useUpdateUser();
  const kept = user.BrowserNotificationsDoNotDisturb;
  return (
    <SwitchRow
      label="Do not disturb"
      help="No browser notifications or sounds on any of your computers. Texts still arrive in the inbox."
      isOn={isPending ? (variables.body.BrowserNotificationsDoNotDisturb ?? kept) : kept}
      onChange={(BrowserNotificationsDoNotDisturb) =>
        mutate(
          { body: { BrowserNotificationsDoNotDisturb } },
          { onError: (error) => showSnackbar(shownMessage(error, updateError)) },
        )
      }
    />
  );
}

function NoticePhone({ user }: { user: User }) {
  const { mutateAsync, isPending } = useUpdateUser();
  const countryId = useAccount()?.CountryID ?? 1;
  const kept = user.NotificationPhone === '' ? '' : typedPhone(user.NotificationPhone, countryId);
  const [phone, setPhone] = useState(kept);
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    setProblem(undefined);
    try {
      await mutateAsync({ body: { NotificationPhone: phone } });
      showSnackbar(phone.trim() === '' ? 'Phone number removed.' : 'Phone number saved.');
    } catch (error) {
      setProblem(fieldMessages(error).NotificationPhone ?? shownMessage(error, updateError));
    }
  };
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}
    >
      <TextField
        label="Phone for notifications"
        type="tel"
        autoComplete="tel"
        help="Text notifications about unread texts go to this number."
        value={phone}
        error={problem}
        onChange={(event) => setPhone(event.target.value)}
      />
      <Button type="submit" disabled={isPending || phone.trim() === kept} sx={{ mt: '24px', flex: 'none' }}>
        Save
      </Button>
    </Box>
  );
}
