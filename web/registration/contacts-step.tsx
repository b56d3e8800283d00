import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Card } from '../ui/card.tsx';
import { RadioBoxes } from '../ui/choices.tsx';
import { Notice } from '../ui/notice.tsx';
import { SwitchRow } from '../ui/switch-row.tsx';
import { StepHead } from '../ui/wizard-frame.tsx';
import type { WizardState } from './wizard-state.ts';

/** Asks whether people in Canada get texts too: local numbers don’t reach them. */
export function ContactsStep({ state }: { state: WizardState }) {
  const { textsToCanada, answer } = state;
  return (
    <>
      <StepHead title="Contacts" sentence="Where are the people you text?" />
      <Card>
        <Box sx={{ p: 2.5 }}>
          <RadioBoxes
            label="Do you text people in Canada?"
            value={textsToCanada === null ? '' : textsToCanada ? 'yes' : 'no'}
            choices={[
              { value: 'no', title: 'No, only in the US', sentence: 'A local number is all you need.' },
              {
                value: 'yes',
                title: 'Yes, in Canada too',
                sentence: 'Local numbers reach the US only. A toll-free number reaches both.',
              },
            ]}
            columns={2}
            onChange={(choice) => answer({ textsToCanada: choice === 'yes' })}
          />
        </Box>
      </Card>
    </>
  );
}

/** For whoever texts to Canada: a toll-free number besides the local one. */
export function ApplyForTollFreeStep({ state }: { state: WizardState }) {
  const { wantsTollFree, answer } = state;
  return (
    <>
      <StepHead
        title="Contacts"
        sentence="Local numbers don’t reach Canada. A toll-free number reaches the US and Canada."
      />
      <Card>
        <Box sx={{ p: 2.5, display: 'grid', gap: 2 }}>
          <SwitchRow
            label="Apply for a toll-free number too"
            help="We get one for you and register it with the same answers. It is reviewed separately."
            isOn={wantsTollFree}
            onChange={(isOn) => answer({ wantsTollFree: isOn })}
          />
          {!wantsTollFree && (
            <Notice kind="warning">Without a toll-free number, people in Canada don’t get your texts.</Notice>
          )}
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            A registered toll-free number sends up to 2,000 texts a day, 6,000 a week and 10,000 a month.
          </Typography>
        </Box>
      </Card>
    </>
  );
}
