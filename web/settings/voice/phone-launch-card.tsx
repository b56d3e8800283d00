import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import {
  deletePhoneLaunch,
  getIvrAuthorization,
  getPhoneLaunch,
  setPhoneLaunch,
} from '../../../contract/addresses/calling.gen.ts';
import type { PhoneLaunch } from '../../../contract/calling.ts';
import { asynchronousMessages, launchIdMessage } from '../../../contract/fields/asynchronous-checks.ts';
import { launchHints, phoneLaunchForm } from '../../../contract/forms/phone-launch.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { ApiError, callApi, shownMessage } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { useTimeZone, useUser } from '../../queries/current-user.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { FormPassword, FormText } from '../../ui/form-fields.tsx';
import { formatTime } from '../../ui/format.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';
import { useDebounced } from '../../ui/use-debounced.ts';

/** Starting a broadcast from any telephone. */
export function PhoneLaunchCard() {
  const { data, error, refetch } = useCallQuery(getPhoneLaunch, {}, { staleTime: 60_000 });
  const [open, setOpen] = useState<'form' | 'delete'>();
  const hasId = data !== undefined && data.PhoneLaunchID !== '';
  return (
    <Card
      title="Start a broadcast by phone"
      action={
        data && (
          <Button size="small" onClick={() => setOpen('form')}>
            {hasId ? 'Change' : 'Set up'}
          </Button>
        )
      }
    >
      <Box sx={{ px: 2.5, py: 2, display: 'grid', gap: 1.5 }}>
        {error && (
          <RetryNotice onRetry={() => void refetch()}>
            There was an error getting your phone launch ID.
          </RetryNotice>
        )}
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          Call one of your numbers, enter your ID and PIN, choose a group by its list ID, and record the
          message. The call tells you how many people it reaches before you start it.
        </Typography>
        {data && hasId && <Standing launch={data} onDelete={() => setOpen('delete')} />}
      </Box>
      {data && (
        <FormDialog isOpen={open === 'form'} onClose={() => setOpen(undefined)} width={460}>
          <LaunchForm launch={data} onClose={() => setOpen(undefined)} />
        </FormDialog>
      )}
      {open === 'delete' && <DeleteDialog onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

function Standing({ launch, onDelete }: { launch: PhoneLaunch; onDelete: () => void }) {
  const zone = useTimeZone();
  const { PhoneLaunchID, LockedUntil, PhoneNumbers } = launch;
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box sx={{ fontWeight: 550 }}>Your phone launch ID is {PhoneLaunchID}</Box>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {PhoneNumbers.length === 0
              ? 'None of your numbers can be called yet.'
              : `Call ${PhoneNumbers.map(formatPhone).join(say(' or '))}.`}
          </Typography>
        </Box>
        <Button size="small" variant="text" onClick={onDelete}>
          Turn off
        </Button>
      </Box>
      {LockedUntil !== null && (
        <Typography variant="body2" role="status" sx={{ color: 'warning.main' }}>
          Somebody entered wrong PINs. Your ID is locked until {formatTime(LockedUntil, zone)}. Choose a new
          PIN to unlock it now.
        </Typography>
      )}
    </>
  );
}

function LaunchForm({ launch, onClose }: { launch: PhoneLaunch; onClose: () => void }) {
  const client = useQueryClient();
  const set = useCall(setPhoneLaunch);
  const phone = useUser()?.Phone ?? '';
  const { control, submit, problem, isSubmitting } = useContractForm({
    rules: phoneLaunchForm({ phone, hasPin: launch.HasPIN }),
    values: { PhoneLaunchID: launch.PhoneLaunchID, PIN: '' },
    save: async (body) => {
      const { PhoneLaunchID } = await set.mutateAsync({ body });
      await client.invalidateQueries({ queryKey: [getPhoneLaunch.path] });
      onClose();
      showSnackbar(`Your phone launch ID is ${PhoneLaunchID}.`);
    },
    failed: 'There was an error saving your phone launch ID.',
  });
  const typed = useWatch({ control, name: 'PhoneLaunchID' }) ?? '';
  const found = useLaunchIdCheck(typed, launch.PhoneLaunchID);
  const isTaken = found === asynchronousMessages.launchIdTaken;
  return (
    <DialogForm
      title="Start broadcasts by phone"
      problem={problem}
      action="Save"
      isDisabled={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormText
        autoFocus
        control={control}
        name="PhoneLaunchID"
        label="Phone launch ID"
        inputMode="numeric"
        autoComplete="off"
        help={found !== undefined && !isTaken ? found : `${launchHints.launchId}. You type it on the keypad.`}
        serverError={isTaken ? found : undefined}
      />
      <FormPassword
        control={control}
        name="PIN"
        label="PIN"
        inputMode="numeric"
        autoComplete="new-password"
        help={launch.HasPIN ? 'Leave it empty to keep your PIN.' : `${launchHints.pin}.`}
      />
    </DialogForm>
  );
}

/**
 * The server's message about an ID while it is typed; undefined while it is free, unchanged or not an ID yet.
 */
function useLaunchIdCheck(value: string, saved: string): string | undefined {
  const [checked, setChecked] = useState<{ source: string; message: string | undefined }>();
  const source = useDebounced(value.trim());
  useEffect(() => {
    if (source === saved || !/^\d{4,10}$/.test(source)) return;
    const leaving = new AbortController();
    const params = { PhoneLaunchID: source };
    callApi(getIvrAuthorization, { params }, { signal: leaving.signal, missing: 'refuse' }).then(
      () => setChecked({ source, message: launchIdMessage(200) }),
      (error) => {
        const status = error instanceof ApiError ? error.status : 0;
        if (!leaving.signal.aborted) setChecked({ source, message: launchIdMessage(status) });
      },
    );
    return () => leaving.abort();
  }, [source, saved]);
  return checked?.source === value.trim() ? checked.message : undefined;
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const remove = useCall(deletePhoneLaunch);
  const press = async () => {
    try {
      await remove.mutateAsync({});
      await client.invalidateQueries({ queryKey: [getPhoneLaunch.path] });
      onClose();
      showSnackbar('Your phone launch ID was deleted.');
    } catch (error) {
      showSnackbar(shownMessage(error, 'There was an error deleting your phone launch ID.'));
    }
  };
  return (
    <AskDialog
      title="Turn off starting broadcasts by phone?"
      action="Turn off"
      keep="Keep it"
      isBusy={remove.isPending}
      onDo={() => void press()}
      onClose={onClose}
    >
      Your phone launch ID and PIN are deleted. You can set up new ones at any time.
    </AskDialog>
  );
}
