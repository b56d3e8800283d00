import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { Check } from 'lucide-react';
import { visuallyHidden } from './visually-hidden.ts';

interface StationsProps {
  stations: readonly string[];
  at: number;
  /** Which are done, where that isn't simply those before the current one. */
  done?: readonly boolean[] | undefined;
  /** Leads to a done one, or to the one after them. */
  onPress?: ((index: number) => void) | undefined;
}

type StationState = 'done' | 'current' | 'next';

/** The way through a wizard: passed stations have a check, the current one is filled. Words where there is room. */
export function Stations({ stations, at, done, onPress }: StationsProps) {
  const stateOf = (index: number): StationState => {
    if (index === at) return 'current';
    return (done?.[index] ?? index < at) ? 'done' : 'next';
  };
  const canPress = (index: number) =>
    stations.slice(0, index).every((_, before) => before === at || stateOf(before) === 'done');
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
      {stations.map((station, index) => (
        <Box
          component="li"
          key={station}
          aria-current={index === at ? 'step' : undefined}
          sx={{ display: 'flex', alignItems: 'center', gap: '12px' }}
        >
          {index > 0 && (
            <Box
              aria-hidden
              sx={{
                width: { sm: 12, md: 24, lg: 40 },
                height: '1px',
                bgcolor: index <= at ? 'primary.main' : 'line.strong',
              }}
            />
          )}
          <Station
            number={index + 1}
            label={station}
            state={stateOf(index)}
            onPress={index !== at && onPress && canPress(index) ? () => onPress(index) : undefined}
          />
        </Box>
      ))}
    </Box>
  );
}

interface StationProps {
  number: number;
  label: string;
  state: StationState;
  onPress?: (() => void) | undefined;
}

const looks = {
  done: { bgcolor: 'tint.accent', color: 'primary.main', borderColor: 'tint.accent' },
  current: { bgcolor: 'primary.main', color: 'primary.contrastText', borderColor: 'primary.main' },
  next: { bgcolor: 'transparent', color: 'ink.three', borderColor: 'line.strong' },
} as const;

function Station({ number, label, state, onPress }: StationProps) {
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
          // Between 640 and 1200 only the current one has room for its words.
          ...(state === 'current'
            ? {}
            : { '@media (max-width: 1199.95px)': visuallyHidden as Record<string, unknown> }),
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
