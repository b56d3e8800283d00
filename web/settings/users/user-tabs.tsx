/** The fields of the user dialog's tabs. */

import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useController, useWatch } from 'react-hook-form';
import type { Member } from '../../../contract/account-users.ts';
import type { Account } from '../../../contract/accounts.ts';
import type { UserDialogForm, UserDialogValues } from '../../../contract/forms/user-dialog.ts';
import { phoneHint } from '../../../contract/reference/countries.ts';
import {
  callThrottleLabel,
  callThrottles,
  characterCounts,
  messageLengths,
  retries,
} from '../../../contract/reference/sending-options.ts';
import { isAllDay, switchAllDay } from '../../../contract/time/calling-window.ts';
import { formatClockTime, parseClockTime } from '../../../contract/time/clock-time.ts';
import { useCan } from '../../queries/current-user.ts';
import {
  FormChoice,
  FormDays,
  FormPassword,
  FormRadios,
  FormSwitch,
  FormText,
  FormTime,
} from '../../ui/form-fields.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SwitchRow } from '../../ui/switch-row.tsx';
import type { useContractForm } from '../../ui/use-contract-form.ts';
import { NumbersField } from '../numbers-field.tsx';
import { daylightWords, zoneChoices } from '../zone-choices.ts';

export interface TabProps {
  user: ReturnType<typeof useContractForm<UserDialogValues, UserDialogForm>>;
  account: Account;
  member: Member | undefined;
  /** The server's answers about the username and the email address. */
  taken: {
    UserName?: string | undefined;
    Email?: string | undefined;
    EmailWarning?: string | undefined;
  };
}

const pair = {
  display: 'grid',
  gap: 2.5,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  alignItems: 'start',
} as const;

export function DetailsTab({ user: { control }, account, member, taken }: TabProps) {
  const zone = useWatch({ control, name: 'TimeZone' }) ?? '';
  const isInvited = useWatch({ control, name: 'Invite' }) === true;
  return (
    <>
      <Box sx={pair}>
        <FormText control={control} name="FirstName" label="First name" autoComplete="off" />
        <FormText control={control} name="LastName" label="Last name" autoComplete="off" />
        <FormText
          control={control}
          name="Email"
          label="Email"
          type="email"
          autoComplete="off"
          serverError={taken.Email}
          help={taken.EmailWarning}
        />
        <FormText
          control={control}
          name="Phone"
          label="Phone number"
          type="tel"
          autoComplete="off"
          help={phoneHint(account.CountryID)}
        />
        <FormText
          control={control}
          name="UserName"
          label="Username"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          help="8 to 50 characters, without spaces."
          serverError={taken.UserName}
        />
        <FormChoice
          control={control}
          name="TimeZone"
          label="Time zone"
          help={daylightWords(zone, account.CountryID)}
          choices={zoneChoices(account.CountryID, zone)}
        />
      </Box>
      {member === undefined && (
        <FormSwitch
          control={control}
          name="Invite"
          label="Invite by email"
          help="They get a link, good for a week, to choose their password. Otherwise choose one for them."
        />
      )}
      {!isInvited && (member === undefined || member.Invitation === null) && (
        <FormPassword
          control={control}
          name="PinCode"
          label={member === undefined ? 'PIN code (password)' : 'New PIN code (password)'}
          autoComplete="new-password"
          help={
            member === undefined
              ? 'They sign in with it. At least 8 characters with a letter and a number; no spaces, slashes, or quotation marks.'
              : 'Leave it empty to keep theirs. A new one signs them out everywhere.'
          }
        />
      )}
    </>
  );
}

export function CallingTab({ user: { control }, account }: TabProps) {
  return (
    <>
      {!account.Profile.VoiceAllowed && (
        <Notice>
          Voice calls are turned off for your organization. These settings apply once they’re on.
        </Notice>
      )}
      <Box sx={pair}>
        <FormText
          control={control}
          name="CallerID"
          label="Caller ID"
          type="tel"
          autoComplete="off"
          help="Shown on the phones that this user calls"
        />
        <FormChoice
          control={control}
          name="CallThrottle"
          label="Calls at a time"
          choices={callThrottles.map((value) => ({ value, label: callThrottleLabel(value) }))}
        />
      </Box>
      <FormDays control={control} name="CallingWindowDays" label="Calling days" />
      <Box sx={pair}>
        <FormTime control={control} name="startTimeText" label="Start time" />
        <FormTime control={control} name="stopTimeText" label="Stop time" />
      </Box>
      <WindowSwitches control={control} />
      <Box sx={pair}>
        <FormChoice
          control={control}
          name="Retries"
          label="Retries"
          help="5 minutes between attempts"
          choices={retries}
        />
        <FormChoice
          control={control}
          name="MaxMessageLength"
          label="Longest voice message"
          help="Longer messages use more credits"
          choices={messageLengths.map((value) => ({ value, label: `${value} seconds` }))}
        />
      </Box>
    </>
  );
}

/** All day, and what happens when the window closes. Turning all day off goes back to 9:00 AM to 9:00 PM. */
function WindowSwitches({ control }: Pick<TabProps['user'], 'control'>) {
  const start = useController({ control, name: 'startTimeText' }).field;
  const stop = useController({ control, name: 'stopTimeText' }).field;
  const resumes = useController({ control, name: 'ContinueOnNextDay' }).field;
  const StartTimeOfDay = parseClockTime(start.value ?? '');
  const StopTimeOfDay = parseClockTime(stop.value ?? '');
  const isOn = StartTimeOfDay && StopTimeOfDay ? isAllDay({ StartTimeOfDay, StopTimeOfDay }) : false;
  const toggle = (isAll: boolean) => {
    const midnight = { Hour: 0, Minute: 0 };
    const next = switchAllDay(
      {
        CallingWindowDays: [],
        StartTimeOfDay: StartTimeOfDay ?? midnight,
        StopTimeOfDay: StopTimeOfDay ?? midnight,
        ContinueOnNextDay: resumes.value === true,
      },
      isAll,
    );
    start.onChange(formatClockTime(next.StartTimeOfDay));
    stop.onChange(formatClockTime(next.StopTimeOfDay));
    resumes.onChange(next.ContinueOnNextDay);
  };
  return (
    <Box
      sx={{
        display: 'grid',
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '10px',
        '& > *': { px: 2, py: 1.5 },
        '& > * + *': { borderTop: '1px solid', borderColor: 'line.hair' },
      }}
    >
      <SwitchRow
        label="All day"
        help="Calls at any hour, in the recipient’s time"
        isOn={isOn}
        onChange={toggle}
      />
      <SwitchRow
        label="Continue on the next day"
        help={`Calls not made by ${stop.value ?? ''} resume at ${start.value ?? ''}`}
        isOn={resumes.value === true}
        onChange={resumes.onChange}
      />
    </Box>
  );
}

export function TextingTab({ user: { control } }: TabProps) {
  const role = useWatch({ control, name: 'Role' });
  const { field, fieldState } = useController({ control, name: 'TextNumbers' });
  return (
    <>
      {role === 'user' ? (
        <NumbersField
          value={field.value ?? []}
          help="They read and write the conversations of these numbers."
          error={fieldState.error?.message}
          onChange={field.onChange}
        />
      ) : (
        <Notice>Account owners and admins use every text number.</Notice>
      )}
      <FormChoice
        control={control}
        name="DefaultSettingCharacterCount"
        label="Character count"
        help="The length they aim for. They can send longer texts, and are told while they write one. A segment is 160 characters."
        choices={characterCounts.map((value) => ({ value, label: `${value} characters` }))}
      />
    </>
  );
}

const roleChoices = [
  { value: 'user', title: 'User', sentence: 'Uses the text numbers and features you choose.' },
  { value: 'admin', title: 'Admin', sentence: 'Manages users, settings and every text number.' },
  { value: 'owner', title: 'Account Owner', sentence: 'Can do everything, including billing and owners.' },
] as const;

export function PermissionsTab({ user: { control }, member }: TabProps) {
  const canMakeOwners = useCan('manageOwners');
  const role = useWatch({ control, name: 'Role' });
  const isOwner = role === 'owner';
  return (
    <>
      <FormRadios
        control={control}
        name="Role"
        label="Role"
        choices={roleChoices.filter(
          ({ value }) => value !== 'owner' || canMakeOwners || member?.IsMasterUser === true,
        )}
      />
      {isOwner ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          Account owners see all broadcasts, contacts and shared audio, and can send broadcasts.
        </Typography>
      ) : (
        <>
          <FormSwitch
            control={control}
            name="CanCreateBroadcast"
            label="Create broadcasts"
            help="Text or call many people at once."
          />
          <FormSwitch
            control={control}
            name="CanSeeAllBroadcasts"
            label="See all broadcasts"
            help="Otherwise only their own."
          />
          <FormSwitch
            control={control}
            name="CanSeeAllRoster"
            label="See all contacts"
            help="Otherwise only contacts they added."
          />
          <FormSwitch
            control={control}
            name="CanSeeGroupAudio"
            label="See shared audio"
            help="Recordings that others share."
          />
        </>
      )}
    </>
  );
}
