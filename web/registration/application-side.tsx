import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Circle, CircleCheck, CircleDot, PenLine } from 'lucide-react';
import {
  type RegistrationRoute,
  registrationStepErrors,
  registrationStepGroup,
  registrationStepGroups,
} from '../../contract/forms/registration/registration-steps.ts';
import { Card } from '../ui/card.tsx';
import { say } from '../ui/say.ts';
import type { WizardState } from './wizard-state.ts';

const routeOfGroup = {
  Contacts: 'contacts',
  'Tax ID': 'tax-id',
  'Organization Details': 'organization-details',
  'Message Details': 'message-details',
  'Review & Submit': 'review',
} as const;

type Group = (typeof registrationStepGroups)[number];

/** The steps. Whoever corrects a toll-free number was asked before whom they text. */
export function groupsOf({ isForTollFree }: Pick<WizardState, 'isForTollFree'>): readonly Group[] {
  return registrationStepGroups.filter((group) => !isForTollFree || group !== 'Contacts');
}

/** Words for the steps; their names are the specification's. */
export const stepWords: Record<Group, string> = {
  Contacts: say('Contacts'),
  'Tax ID': say('Tax ID', 'step'),
  'Organization Details': say('Organization Details', 'step'),
  'Message Details': say('Message Details', 'step'),
  'Review & Submit': say('Review & Submit', 'step'),
};

/** True if a step has all it needs. */
export function isGroupDone(
  group: Group,
  { form, way, textsToCanada }: Pick<WizardState, 'form' | 'way' | 'textsToCanada'>,
): boolean {
  if (group === 'Contacts') return textsToCanada !== null;
  if (group === 'Review & Submit') return false;
  return Object.keys(registrationStepErrors(routeOfGroup[group], form.getValues(), way)).length === 0;
}

/** Progress of the application, and the reason why carriers ask. */
export function ApplicationSide({ route, state }: { route: RegistrationRoute; state: WizardState }) {
  // Drawn again with every letter.
  state.form.watch();
  const current = registrationStepGroup(route);
  return (
    <>
      <Card>
        <Box sx={{ p: 2.5 }}>
          <Typography variant="h2" sx={{ mb: 1 }}>
            Your application
          </Typography>
          <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {groupsOf(state).map((group) => {
              const done = isGroupDone(group, state);
              const isHere = group === current;
              const Icon = isHere ? CircleDot : done ? CircleCheck : Circle;
              return (
                <Box
                  component="li"
                  key={group}
                  sx={{
                    display: 'flex',
                    gap: 1.25,
                    py: 1,
                    borderTop: '1px solid',
                    borderColor: 'line.hair',
                    '&:first-of-type': { borderTop: 0 },
                  }}
                >
                  <Box
                    component={Icon}
                    aria-hidden
                    size={18}
                    sx={{ flex: 'none', mt: '2px', color: done || isHere ? 'primary.main' : 'ink.three' }}
                  />
                  <div>
                    <Typography sx={{ fontWeight: done || isHere ? 550 : 400 }}>
                      {stepWords[group]}
                    </Typography>
                    <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                      {isHere ? 'You are here' : wordsOf(group, done, state)}
                    </Typography>
                  </div>
                </Box>
              );
            })}
          </Box>
        </Box>
      </Card>
      <Card>
        <Box sx={{ p: 2.5, display: 'grid', gap: 1.5 }}>
          <Typography variant="h2">Why carriers ask</Typography>
          <Typography sx={{ color: 'text.secondary' }}>
            They compare these lines with the IRS record. A name that differs by one word is the usual reason
            for a refusal.
          </Typography>
          <Box sx={{ display: 'flex', gap: 1, pt: 1.5, borderTop: '1px solid', borderColor: 'line.hair' }}>
            <Box
              component={PenLine}
              aria-hidden
              size={16}
              sx={{ flex: 'none', mt: '3px', color: 'ink.three' }}
            />
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              You can change everything until you submit. We save as you type.
            </Typography>
          </Box>
        </Box>
      </Card>
    </>
  );
}

function wordsOf(group: string, done: boolean, { textsToCanada, form, way }: WizardState): string {
  if (group === 'Contacts') {
    if (!done) return 'Where the people you text are';
    return textsToCanada ? 'Done · Texts go to the US and Canada' : 'Done · Texts go to the US only';
  }
  if (group === 'Tax ID') {
    if (way.isSoleProprietor) return 'Not needed for sole proprietors';
    const { Ein, CanadianBusinessNumber, Country } = form.getValues();
    return done ? `${Ein || CanadianBusinessNumber} · ${Country}` : 'EIN or Canadian Business Number';
  }
  if (done) return say('Done');
  if (group === 'Message Details') return 'Consent, samples, privacy policy';
  return group === 'Organization Details' ? 'Name, address, website' : 'Check everything once more';
}
