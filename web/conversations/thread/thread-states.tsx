import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { CloudAlert, MessageSquareX } from 'lucide-react';
import { isNotFound } from '../../api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

/** The skeleton of the texts while they load, at the bottom, where they will be. */
export function ThreadSkeleton() {
  const widths = [220, 320, 180, 280, 240];
  return (
    <Box
      role="status"
      aria-label="Loading messages"
      sx={{
        flex: 1,
        minHeight: 0,
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'flex-end',
        gap: 1.5,
        p: 3,
        overflow: 'hidden',
      }}
    >
      {widths.map((width, index) => (
        <Skeleton
          key={width}
          variant="rounded"
          sx={{
            width,
            maxWidth: '78%',
            height: 38,
            borderRadius: '14px',
            alignSelf: index % 2 === 0 ? 'flex-start' : 'flex-end',
          }}
        />
      ))}
    </Box>
  );
}

/** The skeleton of the whole pane, before the contact is known: head, texts and composer. */
export function ThreadPaneSkeleton() {
  return (
    <>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          minHeight: 60,
          px: 2.5,
          flex: 'none',
          borderBottom: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        <Box sx={{ flex: 1 }}>
          <Skeleton variant="rounded" width={140} height={14} />
          <Skeleton variant="rounded" width={100} height={11} sx={{ mt: 1 }} />
        </Box>
        <Skeleton variant="rounded" width={72} height={30} sx={{ borderRadius: '8px' }} />
      </Box>
      <ThreadSkeleton />
      <Box sx={{ px: { xs: '10px', tablet: '20px' }, pb: 4.5, flex: 'none' }}>
        <Skeleton variant="rounded" height={99} sx={{ borderRadius: '12px' }} />
      </Box>
    </>
  );
}

/** A conversation that can't be shown. */
export function ThreadMissing({
  error,
  onRetry,
  onBack,
}: {
  error: unknown;
  onRetry: () => void;
  onBack: () => void;
}) {
  const isGone = isNotFound(error);
  return (
    <Box sx={{ flex: 1, display: 'grid', placeItems: 'center' }}>
      <EmptyState
        icon={isGone ? MessageSquareX : CloudAlert}
        titleComponent="h2"
        title={
          isGone ? 'This conversation isn’t here anymore' : 'There was an error viewing your conversation.'
        }
        action={
          <Button onClick={isGone ? onBack : onRetry}>{isGone ? 'Back to the inbox' : 'Try again'}</Button>
        }
      >
        {isGone ? 'It may belong to a text number you don’t have access to.' : undefined}
      </EmptyState>
    </Box>
  );
}
