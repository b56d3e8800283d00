import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { usePageTitle } from './page-title.ts';

export interface PageHeadProps {
  title: string;
  /** The browser tab's title, if it differs from the heading ("Home" for "Good morning, Dana"). */
  tabTitle?: string;
  /** One sentence, if it helps. */
  sentence?: ReactNode;
  crumb?: ReactNode;
  /** A status pill next to the title. */
  pill?: ReactNode;
  /** At the right, the primary action last. */
  actions?: ReactNode;
  /** For a page narrower than the window: the actions align with its cards. */
  maxWidth?: number;
}

/** The head of a page: its only h1, and the tab's title. */
export function PageHead(props: PageHeadProps) {
  const { title, tabTitle, sentence, crumb, pill, actions, maxWidth } = props;
  usePageTitle(tabTitle ?? title);
  return (
    <Box
      component="header"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'flex-start',
        columnGap: 2,
        rowGap: 1.5,
        px: { xs: 2, sm: 3, laptop: 4 },
        pt: 3,
        pb: 2.5,
        ...(maxWidth === undefined ? {} : { maxWidth }),
      }}
    >
      <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
        {crumb && (
          <Typography variant="body2" component="div" sx={{ mb: 0.5, color: 'text.secondary' }}>
            {crumb}
          </Typography>
        )}
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, flexWrap: 'wrap' }}>
          <Typography variant="h1">{title}</Typography>
          {pill}
        </Box>
        {sentence && <Typography sx={{ mt: 0.5, color: 'text.secondary' }}>{sentence}</Typography>}
      </Box>
      {actions && <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>{actions}</Box>}
    </Box>
  );
}
