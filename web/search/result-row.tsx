import Box from '@mui/material/Box';
import type { Result } from './use-results.ts';

interface ResultRowProps {
  id: string;
  result: Result;
  isAimed: boolean;
  onAim: () => void;
}

/** One thing that was found. The pointer only aims; the keyboard stays in the field. */
export function ResultRow({ id, result, isAimed, onAim }: ResultRowProps) {
  const { icon: Icon, label, detail, run } = result;
  return (
    <Box
      id={id}
      role="option"
      aria-selected={isAimed}
      onClick={run}
      onPointerMove={onAim}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.25,
        minHeight: 40,
        px: 1.25,
        borderRadius: '8px',
        cursor: 'pointer',
        bgcolor: isAimed ? 'surface.press' : 'transparent',
        '& svg': { color: 'ink.two', flex: 'none' },
      }}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <Box
        component="span"
        sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
      >
        {label}
      </Box>
      {detail !== '' && (
        <Box
          component="span"
          sx={{
            typography: 'body2',
            color: 'text.secondary',
            flex: 'none',
            fontVariantNumeric: 'tabular-nums',
          }}
        >
          {detail}
        </Box>
      )}
    </Box>
  );
}
