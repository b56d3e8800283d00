import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Check } from 'lucide-react';
import { countries } from '../../contract/reference/countries.ts';
import type { OnboardingProgress, OnboardingStep } from '../../contract/states/onboarding-steps.ts';
import { findZoneByIana } from '../../contract/time/zones.ts';
import { useInstallation } from '../pieces/support/contact-us.tsx';
import { Mark } from '../shell/mark.tsx';
import { countryName } from '../ui/country-name.ts';
import { say } from '../ui/say.ts';
import { visuallyHidden } from '../ui/visually-hidden.ts';
import { type Progress, stepLabels } from './steps.ts';

interface OnboardingRailProps {
  progress: Progress;
  steps: readonly OnboardingProgress[];
  at: number;
}

/** The steps at the left; on narrow screens a line with a meter. */
export function OnboardingRail({ progress, steps, at }: OnboardingRailProps) {
  const step = steps[at]?.Name ?? 'done';
  return (
    <Box
      component="header"
      sx={{
        width: { xs: 'auto', md: 320 },
        flex: 'none',
        display: 'flex',
        flexDirection: 'column',
        px: { xs: 2, sm: 4 },
        py: { xs: 2, md: 3.5 },
        bgcolor: 'surface.sunken',
        borderRight: { md: '1px solid' },
        borderBottom: { xs: '1px solid', md: 0 },
        borderColor: { xs: 'line.hair', md: 'line.hair' },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: '10px' }}>
        <Mark size={26} />
        <Typography component="p" sx={{ fontSize: 17, fontWeight: 620, letterSpacing: '-0.015em' }}>
          Muster
        </Typography>
      </Box>
      <Box sx={{ display: { xs: 'block', md: 'none' }, mt: 1.5 }}>
        <Typography sx={{ mb: 1 }}>
          Step {at + 1} of {steps.length}: {stepLabels[step]}
        </Typography>
        <LinearProgress
          aria-label="Progress"
          variant="determinate"
          value={(100 * (at + 1)) / Math.max(1, steps.length)}
        />
      </Box>
      <Box sx={{ display: { xs: 'none', md: 'block' }, mt: 5.5 }}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          Step {at + 1} of {steps.length}
        </Typography>
        <Typography sx={{ fontSize: 16, fontWeight: 600, mb: 2.5 }}>Set up your account</Typography>
        <Box component="ol" aria-label="Steps" sx={{ listStyle: 'none', p: 0 }}>
          {steps.map(({ Name, Completed }, index) => (
            <RailStep
              key={Name}
              number={index + 1}
              label={stepLabels[Name]}
              note={Completed ? noteOf(Name, progress) : ''}
              state={index === at ? 'current' : Completed ? 'done' : 'next'}
              isLast={index === steps.length - 1}
            />
          ))}
        </Box>
      </Box>
      <Box sx={{ flex: 1 }} />
      <Stuck />
    </Box>
  );
}

/** A short summary of the answer. */
function noteOf(step: OnboardingStep, progress: Progress): string {
  if (step === 'terms') return say('Accepted');
  if (step === 'company') return progress.Activation.CompanyName;
  if (step === 'verifyEmail') return progress.Email;
  if (step !== 'location') return '';
  const country = countries.find(({ id }) => id === progress.CountryID);
  return `${country ? countryName(country) : ''}, ${findZoneByIana(progress.TimeZone)?.label ?? progress.TimeZone}`;
}

interface RailStepProps {
  number: number;
  label: string;
  note: string;
  state: 'done' | 'current' | 'next';
  isLast: boolean;
}

const looks = {
  done: { bgcolor: 'tint.accent', color: 'primary.main', borderColor: 'tint.accent' },
  current: { bgcolor: 'primary.main', color: 'primary.contrastText', borderColor: 'primary.main' },
  next: { bgcolor: 'background.paper', color: 'text.secondary', borderColor: 'line.strong' },
} as const;

function RailStep({ number, label, note, state, isLast }: RailStepProps) {
  return (
    <Box
      component="li"
      aria-current={state === 'current' ? 'step' : undefined}
      sx={{ position: 'relative', display: 'flex', gap: 1.5, minHeight: isLast ? 0 : 52 }}
    >
      <Box
        aria-hidden
        sx={{
          width: 24,
          height: 24,
          flex: 'none',
          borderRadius: '50%',
          display: 'grid',
          placeItems: 'center',
          border: '1px solid',
          fontSize: 12,
          fontWeight: 600,
          fontVariantNumeric: 'tabular-nums',
          ...looks[state],
        }}
      >
        {state === 'done' ? <Check size={14} strokeWidth={2.5} /> : number}
      </Box>
      {!isLast && (
        <Box
          aria-hidden
          sx={{
            position: 'absolute',
            left: 12,
            top: 31,
            bottom: 7,
            width: '1px',
            bgcolor: state === 'done' ? 'primary.main' : 'line.strong',
          }}
        />
      )}
      <Box sx={{ minWidth: 0, pt: '1px' }}>
        <Typography
          component="span"
          sx={{
            display: 'block',
            fontWeight: state === 'next' ? 400 : 550,
            color: state === 'next' ? 'text.secondary' : 'text.primary',
          }}
        >
          {label}
          {state === 'done' && <span style={visuallyHidden}>, done</span>}
        </Typography>
        {note && (
          <Typography
            noWrap
            variant="body2"
            component="span"
            sx={{ display: 'block', color: 'text.secondary' }}
          >
            {note}
          </Typography>
        )}
      </Box>
    </Box>
  );
}

/** The support contact, if the operator has set one. */
function Stuck() {
  const installation = useInstallation();
  const address = installation?.SupportEmail || installation?.InfoEmail;
  if (!address) return null;
  return (
    <Typography variant="body2" sx={{ color: 'text.secondary', display: { xs: 'none', md: 'block' }, pt: 3 }}>
      Stuck? <Link href={`mailto:${address}`}>Talk to a person</Link>
    </Typography>
  );
}
