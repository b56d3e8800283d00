import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import { ImageOff, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { Picture } from './outbox.ts';

interface PictureThumbProps {
  picture: Picture;
  onOpen: () => void;
  size?: 'bubble' | 'pane';
}

/** A picture cropped to its place; it opens whole. One that can't be shown says so. */
export function PictureThumb({ picture, onOpen, size = 'bubble' }: PictureThumbProps) {
  const [isMissing, setMissing] = useState(false);
  const label = picture.fileName ? `Picture ${picture.fileName}` : 'Picture';
  const place =
    size === 'bubble'
      ? { width: 216, height: 132, borderRadius: '14px' }
      : { width: 82, height: 58, borderRadius: '8px' };
  return (
    <ButtonBase
      onClick={onOpen}
      aria-label={`Open ${label.toLowerCase()}`}
      sx={{
        ...place,
        maxWidth: '100%',
        overflow: 'hidden',
        border: '1px solid',
        borderColor: 'line.hair',
        bgcolor: 'surface.track',
        color: 'ink.three',
      }}
    >
      {isMissing ? (
        <ImageOff size={18} strokeWidth={1.75} role="img" aria-label="This picture can’t be shown" />
      ) : (
        <Box
          component="img"
          src={picture.preview}
          alt={label}
          loading="lazy"
          onError={() => setMissing(true)}
          sx={{ width: '100%', height: '100%', objectFit: 'cover' }}
        />
      )}
    </ButtonBase>
  );
}

/** The whole picture over the page. */
export function PictureDialog({ picture, onClose }: { picture: Picture | undefined; onClose: () => void }) {
  // The last one stays while the dialog fades out.
  const titleId = useId();
  const [shown, setShown] = useState(picture);
  if (picture && picture !== shown) setShown(picture);
  return (
    <Dialog
      open={picture !== undefined}
      onClose={onClose}
      maxWidth={false}
      aria-labelledby={titleId}
      slotProps={{ paper: { sx: { m: 2, maxWidth: 'calc(100% - 32px)', bgcolor: 'background.paper' } } }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, pl: 2, pr: 1, minHeight: 48 }}>
        <Box
          id={titleId}
          sx={{
            flex: 1,
            minWidth: 0,
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
            typography: 'body2',
          }}
        >
          {shown?.fileName || 'Picture'}
        </Box>
        <IconButton aria-label="Close" onClick={onClose}>
          <X />
        </IconButton>
      </Box>
      {shown && (
        <Box
          component="img"
          src={shown.full}
          alt={shown.fileName ? `Picture ${shown.fileName}` : 'Picture'}
          sx={{
            display: 'block',
            maxWidth: '100%',
            maxHeight: 'calc(100dvh - 112px)',
            objectFit: 'contain',
            minWidth: 0,
          }}
        />
      )}
    </Dialog>
  );
}
