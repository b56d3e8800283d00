import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Snackbar from '@mui/material/Snackbar';
import { X } from 'lucide-react';
import type { ShownSnackbar } from './snackbar.tsx';

// A default export because React.lazy asks for one.
export default function SnackbarView({ current, onHide }: { current: ShownSnackbar; onHide: () => void }) {
  const { action } = current;
  return (
    <Snackbar
      key={current.id}
      open={current.open}
      // Above the foot of a wizard, whose buttons it would cover.
      sx={{ mb: 'var(--foot, 0px)' }}
      message={current.message}
      slotProps={{ content: { sx: { flexWrap: 'nowrap' } } }}
      onClose={(_, reason) => {
        // A click beside it is somebody working on, not somebody who has read it.
        if (reason !== 'clickaway') onHide();
      }}
      action={
        <>
          {action && (
            <Button
              variant="text"
              size="small"
              sx={{ color: 'tip.action', '&:hover': { bgcolor: 'rgba(255,255,255,.1)' } }}
              onClick={() => {
                onHide();
                action.onPress();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton
            size="small"
            aria-label="Close"
            sx={{ color: 'tip.text', '&:hover': { bgcolor: 'rgba(255,255,255,.1)' } }}
            onClick={onHide}
          >
            <X />
          </IconButton>
        </>
      }
    />
  );
}
