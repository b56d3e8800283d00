import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** Says what belongs here, or what to do next. */
  children?: ReactNode;
  action?: ReactNode;
  /** h1 when the empty state is the whole page. */
  titleComponent?: 'h1' | 'h2' | 'h3' | 'p';
}

export function EmptyState({ icon: Icon, title, children, action, titleComponent = 'p' }: EmptyStateProps) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        justifyContent: 'center',
        textAlign: 'center',
        gap: 0.5,
        px: 3,
        py: 5,
      }}
    >
      <Box
        aria-hidden
        sx={{
          width: 44,
          height: 44,
          mb: 1,
          borderRadius: '12px',
          display: 'grid',
          placeItems: 'center',
          bgcolor: 'tint.neutral',
          color: 'ink.two',
        }}
      >
        <Icon size={20} strokeWidth={1.75} />
      </Box>
      <Typography variant="h2" component={titleComponent}>
        {title}
      </Typography>
      {children && (
        <Typography component="div" sx={{ color: 'text.secondary', maxWidth: 400, textWrap: 'balance' }}>
          {children}
        </Typography>
      )}
      {action && <Box sx={{ mt: 2 }}>{action}</Box>}
    </Box>
  );
}
