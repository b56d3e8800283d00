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
      // Above what stands at the foot of the window (footRef), and no wider than the column at the left of the inbox:
      // it never lies over a composer, a bar or the buttons of a wizard.
      sx={{
        mb: 'var(--foot, 0px)',
        right: { xs: 16, sm: 'auto' },
        maxWidth: { sm: 344, lg: 400 },
        // Under a head of 60 px.
        'html[data-snackbar="top"] &&': { top: 68, bottom: 'auto', mb: 0 },
      }}
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
