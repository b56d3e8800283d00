import Box from '@mui/material/Box';
import { Hourglass } from 'lucide-react';
import type { ReactNode } from 'react';

interface OnTimelineProps {
  /** The content of the mark: the number of a step. */
  mark: ReactNode;
  isOn: boolean;
  /** True if the line doesn't continue below it. */
  isLast: boolean;
  /** Above the card, beside the line: the time until the step. */
  wait: string;
  children: ReactNode;
}

/** A step beside its mark, with the line that leads to the next one. */
export function OnTimeline({ mark, isOn, isLast, wait, children }: OnTimelineProps) {
  return (
    <Box component="li" sx={{ display: 'grid', gridTemplateColumns: '26px minmax(0, 1fr)', columnGap: 1.75 }}>
      {wait !== '' && (
        <>
          <Line />
          <Wait words={wait} />
        </>
      )}
      <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center' }}>
        <Line isShort />
        <Mark isOn={isOn}>{mark}</Mark>
        {!isLast && <Line />}
      </Box>
      {children}
    </Box>
  );
}

function Line({ isShort = false }: { isShort?: boolean }) {
  return (
    <Box
      aria-hidden
      sx={{
        justifySelf: 'center',
        width: '1px',
        bgcolor: isShort ? 'transparent' : 'line.strong',
        ...(isShort ? { height: 12 } : { flex: 1, minHeight: 8 }),
      }}
    />
  );
}

/** The number of a step on the timeline. */
function Mark({ isOn, children }: { isOn: boolean; children: ReactNode }) {
  return (
    <Box
      aria-hidden
      sx={{
        width: 26,
        height: 26,
        flex: 'none',
        borderRadius: '50%',
        display: 'grid',
        placeItems: 'center',
        typography: 'body2',
        fontWeight: 550,
        border: '1px solid',
        borderColor: isOn ? 'primary.main' : 'line.strong',
        bgcolor: isOn ? 'primary.main' : 'background.paper',
        color: isOn ? 'primary.contrastText' : 'text.secondary',
      }}
    >
      {children}
    </Box>
  );
}

/** Time until the next step. */
function Wait({ words }: { words: string }) {
  return (
    <Box
      sx={{
        display: 'flex',
        gap: 1,
        alignItems: 'center',
        py: 1.25,
        typography: 'body2',
        color: 'text.secondary',
      }}
    >
      <Hourglass size={14} strokeWidth={2} aria-hidden />
      {words}
    </Box>
  );
}
