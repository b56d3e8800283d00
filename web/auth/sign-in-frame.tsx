import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Mark } from '../shell/mark.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { SignInArt } from './sign-in-art.tsx';

/** The layout of sign-in pages: a 600 px column with the form, and the art where there is room. */
export function SignInFrame({
  title,
  sentence,
  children,
}: {
  title: string;
  sentence: ReactNode;
  children: ReactNode;
}) {
  usePageTitle(title);
  return (
    <Box sx={{ display: 'flex', flex: 1, minHeight: '100dvh', bgcolor: 'background.paper' }}>
      <Box
        sx={{
          flex: { xs: '1 1 auto', md: '0 0 min(600px, 50%)' },
          minWidth: 0,
          display: 'flex',
          flexDirection: 'column',
          p: { xs: 3, sm: 5 },
          pt: { xs: 3, sm: 4 },
        }}
      >
        <Box component="header" sx={{ display: 'flex', alignItems: 'center', gap: '10px' }}>
          <Mark size={30} />
          <Typography
            component="p"
            sx={{ fontSize: 18, lineHeight: '24px', fontWeight: 620, letterSpacing: '-0.015em' }}
          >
            Muster
          </Typography>
        </Box>
        <Box
          component="main"
          id="content"
          sx={{
            flex: 1,
            display: 'flex',
            flexDirection: 'column',
            justifyContent: { xs: 'flex-start', sm: 'center' },
            pt: { xs: 6, sm: 5 },
          }}
        >
          <Box sx={{ width: '100%', maxWidth: 360, mx: 'auto', pb: { xs: 2, sm: 8 } }}>
            <Typography
              variant="h1"
              sx={{ fontSize: 26, lineHeight: '32px', fontWeight: 640, letterSpacing: '-0.022em' }}
            >
              {title}
            </Typography>
            <Typography sx={{ mt: 1, mb: 3.5, color: 'text.secondary' }}>{sentence}</Typography>
            {children}
          </Box>
        </Box>
      </Box>
      <SignInArt />
    </Box>
  );
}
