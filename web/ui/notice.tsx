import Box from '@mui/material/Box';
import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

type NoticeKind = 'info' | 'success' | 'warning' | 'error';

const looks: Record<NoticeKind, { icon: LucideIcon; color: string; tint: string }> = {
  info: { icon: Info, color: 'primary.main', tint: 'accent' },
  success: { icon: CircleCheck, color: 'success.main', tint: 'success' },
  warning: { icon: TriangleAlert, color: 'warning.main', tint: 'warning' },
  error: { icon: CircleAlert, color: 'error.main', tint: 'error' },
};

export interface NoticeProps {
  kind?: NoticeKind;
  icon?: LucideIcon;
  title?: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** The last band of a card: only a top border. */
  isBand?: boolean;
}

/**
 * A tinted notice: icon, title, one sentence, actions at the right. Errors are announced immediately. Not MUI's Alert,
 * which adds 3 kB to the sign-in page.
 */
export function Notice({ kind = 'info', icon, title, children, actions, isBand = false }: NoticeProps) {
  const { icon: usual, color, tint } = looks[kind];
  return (
    <Box
      role={kind === 'error' ? 'alert' : 'status'}
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        // On a phone, actions that leave the sentence too little room go below it.
        flexWrap: { xs: 'wrap', sm: 'nowrap' },
        gap: '10px',
        px: '14px',
        py: '12px',
        border: '1px solid',
        borderColor: `tint.${tint}Line`,
        bgcolor: `tint.${tint}`,
        color: 'text.primary',
        ...(isBand ? { borderWidth: '1px 0 0' } : { borderRadius: '10px' }),
      }}
    >
      <Box
        component={icon ?? usual}
        size={18}
        strokeWidth={1.75}
        aria-hidden
        sx={{ mt: '1px', flex: 'none', color }}
      />
      <Box sx={{ flex: { xs: '1 1 200px', sm: 1 }, minWidth: 0 }}>
        {title && (
          <Box component="strong" sx={{ display: 'block', fontWeight: 600 }}>
            {title}
          </Box>
        )}
        {children}
      </Box>
      {actions && (
        <Box sx={{ display: 'flex', gap: 1, flex: 'none', my: '-5px', ml: { xs: 'auto', sm: 0 } }}>
          {actions}
        </Box>
      )}
    </Box>
  );
}
