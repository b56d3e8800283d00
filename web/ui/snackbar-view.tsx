import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Snackbar from '@mui/material/Snackbar';
import { X } from 'lucide-react';
import type { ShownSnackbar } from './snackbar.tsx';

// A default export, because React.lazy needs one.
export default function SnackbarView({ current, onHide }: { current: ShownSnackbar; onHide: () => void }) {
  const { action } = current;
  return (
    <Snackbar
      key={current.id}
      open={current.open}
      // Above the foot of the window (footRef), and no wider than the inbox's left column:
      // it never covers a composer, a bar or a wizard's buttons.
      sx={{
        mb: 'var(--foot, 0px)',
        right: { xs: 16, sm: 'auto' },
        maxWidth: { sm: 344, lg: 400 },
        // Below a 60 px head.
        'html[data-snackbar="top"] &&': { top: 68, bottom: 'auto', mb: 0 },
      }}
      message={current.message}
      slotProps={{ content: { sx: { flexWrap: 'nowrap' } } }}
      onClose={(_, reason) => {
        // A click elsewhere means the user is working, not that they have read it.
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
