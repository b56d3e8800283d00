import Box from '@mui/material/Box';
import { MapPinOff } from 'lucide-react';
import { EmptyState } from '../ui/empty-state.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { RouterButton } from '../ui/router-button.tsx';
import { usePageElement } from './in-shell.ts';

/** Shown for an unknown address. */
export function NotFoundPage() {
  const page = usePageElement();
  usePageTitle('Page not found');
  return (
    <Box {...page} sx={{ flex: 1, display: 'grid', placeItems: 'center', minHeight: '60vh' }}>
      <EmptyState
        icon={MapPinOff}
        titleComponent="h1"
        title="Page not found"
        action={
          <RouterButton to="/home" variant="contained" color="primary">
            Go to Home
          </RouterButton>
        }
      >
        The address may be mistyped, or the page was moved or deleted.
      </EmptyState>
    </Box>
  );
}
