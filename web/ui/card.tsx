import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

export interface CardProps {
  title?: string;
  /** After the title, in secondary ink: "7", "223 of 2,094". */
  count?: ReactNode;
  /** At the right of the head: a link or a quiet button. */
  action?: ReactNode;
  children: ReactNode;
}

/** A section with a 48 px head and a hairline below it. The content brings its own padding. */
export function Card({ title, count, action, children }: CardProps) {
  const id = useId();
  return (
    <MuiCard component="section" {...(title ? { 'aria-labelledby': id } : {})}>
      {title && (
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 1,
            minHeight: 48,
            px: 2.5,
            py: '6px',
            borderBottom: '1px solid',
            borderColor: 'line.hair',
          }}
        >
          <Typography variant="h2" id={id}>
            {title}
          </Typography>
          {count !== undefined && (
            <Typography sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
              {count}
            </Typography>
          )}
          <Box sx={{ flex: 1 }} />
          {/* A long title gets a second line; a button stays whole. */}
          {action && (
            <Box
              sx={{
                display: 'flex',
                flexWrap: 'wrap',
                alignItems: 'center',
                justifyContent: 'flex-end',
                gap: 1,
                flex: 'none',
                maxWidth: '64%',
              }}
            >
              {action}
            </Box>
          )}
        </Box>
      )}
      {children}
    </MuiCard>
  );
}
