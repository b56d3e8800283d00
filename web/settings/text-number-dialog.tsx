import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listNotifications } from '../../contract/addresses/notifications.gen.ts';
import {
  getTextNumber,
  listTextNumbers,
  updateTextNumber,
  updateTextNumbers,
} from '../../contract/addresses/numbers.gen.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { limits } from '../../contract/reference/limits.ts';
import { onceADayMinutes } from '../../contract/time/notification-window.ts';
import { askForPermission } from '../pieces/notifications/browser-permission.ts';
import { blockedSentence, numberState } from '../pieces/numbers/number-state.ts';
import { textNumberName } from '../pieces/numbers/text-number-names.ts';
import { ContactUs } from '../pieces/support/contact-us.tsx';
import { useCall } from '../queries/calls.ts';
import { useAccount, useCan } from '../queries/current-user.ts';
import { Choice } from '../ui/choices.tsx';
import { DaysField } from '../ui/days-field.tsx';
import { Field, TextField } from '../ui/field.tsx';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { say } from '../ui/say.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { SwitchRow } from '../ui/switch-row.tsx';
import { useFormErrors } from '../ui/use-form-errors.ts';
import { isWholeDay, TimeChoice } from './form-parts.tsx';
import {
  changesOf,
  type NumberSettings,
  periodChoices,
  settingsOf,
  settingsProblems,
  withAllDay,
  withPeriod,
} from './text-number-form.ts';

interface TextNumberDialogProps {
  isOpen: boolean;
  number: TextNumber | undefined;
  onClose: () => void;
}

/** A text number's name and description, and the user's notifications for it. */
export function TextNumberDialog({ isOpen, number, onClose }: TextNumberDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={560} isFullOnPhone isKeptOnClickBeside>
      {number && <TextNumberForm number={number} onClose={onClose} />}
    </FormDialog>
  );
}

function TextNumberForm({ number, onClose }: { number: TextNumber; onClose: () => void }) {
  const client = useQueryClient();
  const account = useAccount();
  const canManage = useCan('manageTextNumbers');
  const hasOthers = (account?.CurrentUser?.TextNumbers.length ?? 0) > 1;
  const update = useCall(updateTextNumber);
  const updateAll = useCall(updateTextNumbers);
  const [isForAll, setForAll] = useState(false);
  const [settings, setSettings] = useState(() => settingsOf(number));
  const { errors, submit } = useFormErrors();
  const change = (changed: Partial<NumberSettings>) => setSettings((before) => ({ ...before, ...changed }));
  const state = account && numberState(number, account, Date.now());

  const save = async () => {
    const params = { TextNumberID: number.TextNumberID };
    await update.mutateAsync({ params, body: changesOf(settings, number, canManage) });
    if (isForAll) {
      const Update = changesOf(settings, number, false);
      await updateAll.mutateAsync({ body: { Selection: { Type: 'SelectedAll', Items: [] }, Update } });
    }
    for (const call of [listTextNumbers, getTextNumber, listNotifications])
      void client.invalidateQueries({ queryKey: [call.path] });
    showSnackbar(isForAll ? 'Saved for all your text numbers.' : 'Text number settings saved.');
    onClose();
    // Asks for permission only if the user has just turned notifications on.
    if (settings.BrowserNotificationsEnabled && !number.BrowserNotificationsEnabled) askForPermission();
  };
  return (
    <DialogForm
      title="Text number settings"
      intro={`${textNumberName(number)} · ${formatPhone(number.TextPhoneNumber)}`}
      problem={errors.form}
      action="Save"
      isDisabled={update.isPending || updateAll.isPending}
      onSubmit={() =>
        void submit({
          problems: settingsProblems(settings, number),
          save,
          failed: 'There was an error updating your text number.',
        })
      }
      onClose={onClose}
    >
      {state?.sentence && (
        <Notice kind="warning" title={state.word}>
          {state.sentence} {state.sentence === blockedSentence && <ContactUs />}
        </Notice>
      )}
      {canManage && (
        <NumberFields
          number={number}
          settings={settings}
          errors={errors}
          canText={state?.kind === 'good'}
          change={change}
        />
      )}
      <Typography variant="h3" component="h3">
        Your notifications
      </Typography>
      <UnreadFields settings={settings} errors={errors} change={change} onSettings={setSettings} />
      <Divider />
      <SwitchRow
        label="Browser notifications"
        help="This computer shows a notification when a text arrives, even when Muster is in the background."
        isOn={settings.BrowserNotificationsEnabled}
        onChange={(BrowserNotificationsEnabled) => change({ BrowserNotificationsEnabled })}
      />
      <SwitchRow
        label="Sound"
        help="Plays a short sound when a text arrives while Muster is open."
        isOn={settings.AudioNotificationsEnabled}
        onChange={(AudioNotificationsEnabled) => change({ AudioNotificationsEnabled })}
      />
      {hasOthers && (
        <SwitchRow
          label="Use this for all my numbers"
          help="Applies these unread, browser and sound settings to every text number you use."
          isOn={isForAll}
          onChange={setForAll}
        />
      )}
    </DialogForm>
  );
}

interface PartProps {
  settings: NumberSettings;
  errors: Record<string, string>;
  change: (changed: Partial<NumberSettings>) => void;
}

/** The number's own settings. */
function NumberFields({
  number,
  settings,
  errors,
  canText,
  change,
}: PartProps & { number: TextNumber; canText: boolean }) {
  return (
    <>
      <TextField
        label="Name"
        autoComplete="off"
        value={settings.Name}
        error={errors.Name}
        onChange={(event) => change({ Name: event.target.value })}
        slotProps={{ input: { maxLength: limits.textNumberName } }}
      />
      <TextField
        label="Description"
        multiline
        minRows={2}
        value={settings.Description}
        error={errors.Description}
        onChange={(event) => change({ Description: event.target.value })}
        slotProps={{ input: { maxLength: limits.textNumberDescription } }}
      />
      <SwitchRow
        label="Default number"
        help={
          number.IsDefault
            ? 'New conversations start from this number. To change that, make another number the default.'
            : canText
              ? 'New conversations and text notifications come from this number.'
              : 'A number that can’t send texts can’t be the default.'
        }
        isOn={settings.IsDefault}
        isDisabled={number.IsDefault || !canText}
        onChange={(IsDefault) => change({ IsDefault })}
      />
      <Divider />
    </>
  );
}

/** Email or text notifications about unread texts. */
function UnreadFields({
  settings,
  errors,
  change,
  onSettings,
}: PartProps & { onSettings: (settings: NumberSettings) => void }) {
  const phone = useAccount()?.CurrentUser?.NotificationPhone ?? '';
  const isDaily = settings.PeriodMinutes === onceADayMinutes;
  const isAllDay = !isDaily && isWholeDay(settings.startTimeText, settings.stopTimeText);
  return (
    <>
      <SwitchRow
        label="Unread texts"
        help="Get an email or a text when you have unread texts, at most as often as you choose."
        isOn={settings.IsActive}
        onChange={(IsActive) => change({ IsActive })}
      />
      {settings.IsActive && (
        <>
          <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 }}>
            <Field label="By" help={settings.Method === 'Text' ? textHelp(phone) : undefined}>
              {({ id, 'aria-describedby': describedBy }) => (
                <Choice
                  id={id}
                  describedBy={describedBy}
                  value={settings.Method}
                  choices={methods}
                  onChange={(Method) => change({ Method: Method as NumberSettings['Method'] })}
                />
              )}
            </Field>
            <Field label="How often">
              {({ id }) => (
                <Choice
                  id={id}
                  value={String(settings.PeriodMinutes)}
                  choices={periodChoices(settings.PeriodMinutes)}
                  onChange={(minutes) => onSettings(withPeriod(settings, Number(minutes)))}
                />
              )}
            </Field>
          </Box>
          <DaysField
            label={say('On', 'days')}
            value={settings.Days}
            error={errors.Days}
            onChange={(Days) => change({ Days })}
          />
          {!isAllDay && (
            <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2 }}>
              <Field label={isDaily ? say('At', 'time') : say('From', 'time')} error={errors.startTimeText}>
                {({ id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid }) => (
                  <TimeChoice
                    id={id}
                    describedBy={describedBy}
                    isInvalid={isInvalid}
                    value={settings.startTimeText}
                    onChange={(startTimeText) => change({ startTimeText })}
                  />
                )}
              </Field>
              {!isDaily && (
                <Field label="Until" error={errors.stopTimeText}>
                  {({ id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid }) => (
                    <TimeChoice
                      id={id}
                      describedBy={describedBy}
                      isInvalid={isInvalid}
                      value={settings.stopTimeText}
                      onChange={(stopTimeText) => change({ stopTimeText })}
                    />
                  )}
                </Field>
              )}
            </Box>
          )}
          {!isDaily && (
            <FormControlLabel
              control={
                <Switch checked={isAllDay} onChange={(_, isOn) => onSettings(withAllDay(settings, isOn))} />
              }
              label="All day"
              sx={{ m: 0, gap: 1.25 }}
            />
          )}
        </>
      )}
    </>
  );
}

const methods = [
  { value: 'Email', label: 'Email' },
  { value: 'Text', label: 'Text' },
];

function textHelp(phone: string): string {
  return phone === ''
    ? 'Your profile has no phone for notifications yet. Until you add one, they come by email.'
    : `To ${formatPhone(phone)}.`;
}
