import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { Check } from 'lucide-react';
import { visuallyHidden } from './visually-hidden.ts';

interface StepperProps {
  steps: readonly string[];
  at: number;
  /** The steps that are done, if not simply those before the current one. */
  done?: readonly boolean[] | undefined;
  /** Opens a done step, or the first one after them. */
  onPress?: ((index: number) => void) | undefined;
}

type StepState = 'done' | 'current' | 'next';

/** More than fit into the bar with all their labels and a title. */
export function hasManySteps(steps: readonly string[]): boolean {
  return steps.length > 4;
}

/** A wizard's steps: done ones have a check, the current one is filled. Labels show where there is room. */
export function Stepper({ steps, at, done, onPress }: StepperProps) {
  const stateOf = (index: number): StepState => {
    if (index === at) return 'current';
    return (done?.[index] ?? index < at) ? 'done' : 'next';
  };
  const canPress = (index: number) =>
    steps.slice(0, index).every((_, before) => before === at || stateOf(before) === 'done');
  return (
    <Box
      component="ol"
      aria-label="Steps"
      sx={{
        listStyle: 'none',
        p: 0,
        display: { xs: 'none', sm: 'flex' },
        alignItems: 'center',
        gap: '12px',
      }}
    >
      {steps.map((step, index) => (
        <Box
          component="li"
          key={step}
          aria-current={index === at ? 'step' : undefined}
          sx={{ display: 'flex', alignItems: 'center', gap: '12px' }}
        >
          {index > 0 && (
            <Box
              aria-hidden
              sx={{
                width: hasManySteps(steps) ? 12 : { sm: 12, md: 24, lg: 40 },
                height: '1px',
                bgcolor: index <= at ? 'primary.main' : 'line.strong',
              }}
            />
          )}
          <Step
            number={index + 1}
            label={step}
            state={stateOf(index)}
            isOfMany={hasManySteps(steps)}
            onPress={index !== at && onPress && canPress(index) ? () => onPress(index) : undefined}
          />
        </Box>
      ))}
    </Box>
  );
}

interface StepProps {
  number: number;
  label: string;
  state: StepState;
  isOfMany: boolean;
  onPress?: (() => void) | undefined;
}

const looks = {
  done: { bgcolor: 'tint.accent', color: 'primary.main', borderColor: 'tint.accent' },
  current: { bgcolor: 'primary.main', color: 'primary.contrastText', borderColor: 'primary.main' },
  next: { bgcolor: 'transparent', color: 'ink.three', borderColor: 'line.strong' },
} as const;

function hiddenBelow(isOfMany: boolean): Record<string, unknown> {
  return {
    '@media (max-width: 1199.95px)': visuallyHidden,
    ...(isOfMany ? { '@container (max-width: 1189.95px)': visuallyHidden } : {}),
  };
}

function Step({ number, label, state, isOfMany, onPress }: StepProps) {
  const content = (
    <>
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
      <Box
        component="span"
        sx={{
          fontWeight: state === 'current' ? 600 : 400,
          color: state === 'current' ? 'text.primary' : 'text.secondary',
          // Between 640 and 1200 px, only the current step has room for its label. Many steps need a bar of 1,190 px.
          ...(state === 'current' ? {} : hiddenBelow(isOfMany)),
        }}
      >
        {label}
      </Box>
      {state === 'done' && <span style={visuallyHidden}>, done</span>}
    </>
  );
  const row = { display: 'flex', alignItems: 'center', gap: '8px', whiteSpace: 'nowrap' } as const;
  if (!onPress) return <Box sx={row}>{content}</Box>;
  return (
    <ButtonBase
      onClick={onPress}
      sx={{ ...row, font: 'inherit', borderRadius: '12px', '&:hover span': { color: 'text.primary' } }}
    >
      {content}
    </ButtonBase>
  );
}
