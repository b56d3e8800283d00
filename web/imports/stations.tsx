import Box from '@mui/material/Box';
import { Check } from 'lucide-react';
import { visuallyHidden } from '../ui/visually-hidden.ts';

/** The way through a wizard: passed stations have a check, the current one is filled. Words where there is room. */
export function Stations({ stations, at }: { stations: readonly string[]; at: number }) {
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
            state={index < at ? 'done' : index === at ? 'current' : 'next'}
          />
        </Box>
      ))}
    </Box>
  );
}

function Station({
  number,
  label,
  state,
}: {
  number: number;
  label: string;
  state: 'done' | 'current' | 'next';
}) {
  const looks = {
    done: { bgcolor: 'tint.accent', color: 'primary.main', borderColor: 'tint.accent' },
    current: { bgcolor: 'primary.main', color: 'primary.contrastText', borderColor: 'primary.main' },
    next: { bgcolor: 'transparent', color: 'ink.three', borderColor: 'line.strong' },
  } as const;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: '8px', whiteSpace: 'nowrap' }}>
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
          ...(state === 'current' ? {} : { display: { xs: 'none', lg: 'inline' } }),
        }}
      >
        {label}
      </Box>
      {state === 'done' && <span style={visuallyHidden}>, done</span>}
    </Box>
  );
}
