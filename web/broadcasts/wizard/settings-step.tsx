import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiCard from '@mui/material/Card';
import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { defaults, limits } from '../../../contract/reference/limits.ts';
import { isStepComplete } from '../../../contract/states/broadcast-wizard.ts';
import { type Purpose, purposeOf, type Reach, reachOfType } from '../../pieces/broadcasts/broadcast-type.ts';
import { SpeedField } from '../../pieces/broadcasts/speed-field.tsx';
import { useCallerIds } from '../../pieces/calls/call-queries.ts';
import { useAccount, useCan, useTimeZone } from '../../queries/current-user.ts';
import { RadioBoxes } from '../../ui/choices.tsx';
import { TextField } from '../../ui/field.tsx';
import { useNow } from '../../ui/now.ts';
import { StepHead } from '../../ui/wizard-frame.tsx';
import type { StepProps } from './draft-state.ts';
import { typePatch } from './draft-type.ts';
import { focusFirstError } from './focus-error.ts';
import { NumberField } from './number-field.tsx';
import { StartCard } from './start-card.tsx';
import { startFieldsOf } from './start-fields.ts';
import { StepLayout } from './step-layout.tsx';
import { useTextNumbers } from './text-numbers.ts';
import { CallsCard } from './voice/calls-card.tsx';
import { useWizard } from './wizard-context.ts';
import { settingsErrors, wizardStateOf } from './wizard-state.ts';

const reaches = [
  { value: 'text', title: 'Text', sentence: 'Replies come to the inbox.' },
  { value: 'call', title: 'Call', sentence: 'Phones ring and play your message.' },
  { value: 'either', title: 'Text or call', sentence: 'Texts whoever can be texted, calls the others.' },
  { value: 'both', title: 'Text and call', sentence: 'Everyone is texted and called, where possible.' },
] as const satisfies readonly { value: Reach; title: string; sentence: string }[];

const textKinds = [
  { value: 'announcement', title: 'Text', sentence: 'News, a reminder, an invitation.' },
  {
    value: 'survey',
    title: 'Text survey',
    sentence: 'A question that people answer with Yes or No. Muster counts the answers and replies.',
  },
] as const satisfies readonly { value: Purpose; title: string; sentence: string }[];

const callKinds = [
  { value: 'announcement', title: 'Announcement', sentence: 'Tells something. Nothing has to be pressed.' },
  {
    value: 'survey',
    title: 'Survey',
    sentence: 'Asks a question that people answer with the keys *1 to *9. Muster counts the answers.',
  },
] as const satisfies readonly { value: Purpose; title: string; sentence: string }[];

/** Step 1: name, type, number or caller ID, start and speed. */
export function SettingsStep(props: StepProps) {
  const { draft, save } = useUsualNumber(props);
  const { goTo, tried } = useWizard();
  const mayCall = useCan('createVoiceBroadcast');
  const usualCaller = useCallerIds().usual?.PhoneNumber;
  const around = { account: useAccount(), nowMs: useNow(), zone: useTimeZone() };
  const [fields, setFields] = useState(() => startFieldsOf(draft.StartDate));
  // As typed: the saved draft is trimmed, so it would lose the space before the next word.
  const [name, setName] = useState(draft.BroadcastName);
  const [isTried, setTried] = useState(tried === 1);
  useEffect(() => {
    if (tried === 1) focusFirstError();
  }, [tried]);
  const errors = settingsErrors(draft, fields, around);
  const shown = (field: string) => (isTried ? errors[field] : undefined);
  const reach = reachOfType(draft.BroadcastType);
  const purpose = purposeOf(draft);
  const isCalling = placesCalls(draft.BroadcastType);
  const isTexting = sendsTexts(draft.BroadcastType);
  const setType = (toReach: Reach, toPurpose: Purpose) => {
    const patch = typePatch(draft, toReach, toPurpose);
    // "Default name": a broadcast that calls has one from the start.
    const isNamed = name.trim() !== '' || toReach === 'text';
    if (!isNamed) setName(defaults.broadcastName);
    save({
      ...patch,
      ...(isNamed ? {} : { BroadcastName: defaults.broadcastName }),
      // Without a caller ID in the profile, the first number that can be used for calls is used.
      ...(toReach !== 'text' && draft.CallerID === '' && usualCaller ? { CallerID: usualCaller } : {}),
    });
  };
  const next = () => {
    setTried(true);
    const isWhole = Object.keys(errors).length === 0;
    if (isWhole && isStepComplete(wizardStateOf(draft, around), 1)) goTo(2);
    else focusFirstError();
  };
  return (
    <StepLayout
      forward={
        <Button variant="contained" color="primary" endIcon={<ArrowRight />} onClick={next}>
          Next: Recipients
        </Button>
      }
    >
      <StepHead
        title="What are you sending, and when?"
        sentence="You can change everything until you press Send."
      />
      <Box
        component="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog's form is inside this one for React, though not on the page.
          if (event.target === event.currentTarget) next();
        }}
        sx={{ display: 'grid', gap: 2 }}
      >
        <MuiCard sx={{ p: 2.5, display: 'grid', gap: 2.5 }}>
          <TextField
            label="Name"
            help="Only your team sees it."
            error={shown('BroadcastName') ?? longName(draft.BroadcastName, errors)}
            value={name}
            placeholder="Picture day reminder"
            onChange={(event) => {
              setName(event.target.value);
              save({ BroadcastName: event.target.value });
            }}
          />
          {(mayCall || isCalling) && (
            <RadioBoxes
              label="How it reaches people"
              value={reach}
              choices={reaches}
              columns={2}
              onChange={(next) => setType(next, purpose)}
            />
          )}
          <RadioBoxes
            label="Type"
            value={purpose}
            choices={isCalling ? callKinds : textKinds}
            columns={2}
            onChange={(next) => setType(reach, next)}
          />
          {isTexting && (
            <NumberField
              value={draft.TextNumberID}
              error={shown('TextNumberID')}
              onChange={(TextNumberID) => save({ TextNumberID })}
            />
          )}
        </MuiCard>
        {isCalling && <CallsCard draft={draft} save={save} errors={errors} isTried={isTried} />}
        <StartCard
          draft={draft}
          save={save}
          fields={fields}
          onFields={setFields}
          errors={errors}
          isTried={isTried}
        />
        {isTexting && (
          <MuiCard sx={{ p: 2.5 }}>
            <SpeedField value={draft.PerMinute} onChange={(PerMinute) => save({ PerMinute })} />
          </MuiCard>
        )}
        {/* Enter in a field continues, like the button at the bottom. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </Box>
    </StepLayout>
  );
}

/** Shown while typing, not only on continuing: there is nothing to wait for. */
function longName(name: string, errors: Record<string, string>): string | undefined {
  return name.trim().length > limits.broadcastName ? errors.BroadcastName : undefined;
}

/**
 * If no number is chosen, the default number is used. In a new broadcast it is saved with the first change,
 * because looking at the page must not create a draft.
 */
export function useUsualNumber({ draft, save }: StepProps): Pick<StepProps, 'draft' | 'save'> {
  const usualId = useTextNumbers().usual?.TextNumberID;
  const isNew = draft.DraftBroadcastID === 0;
  const isWanted = sendsTexts(draft.BroadcastType) && draft.TextNumberID === null && usualId !== undefined;
  useEffect(() => {
    if (isWanted && !isNew) save({ TextNumberID: usualId });
  }, [isWanted, isNew, usualId, save]);
  if (!isWanted) return { draft, save };
  return {
    draft: { ...draft, TextNumberID: usualId },
    save: (patch, shown) =>
      save({ TextNumberID: usualId, ...patch }, shown && { TextNumberID: usualId, ...shown }),
  };
}
