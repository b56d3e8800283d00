import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useQueryClient } from '@tanstack/react-query';
import { Download, Eye, EyeOff, ImageOff, Maximize2, X } from 'lucide-react';
import { memo, useId, useState } from 'react';
import { listTextMessages } from '../../../contract/addresses/conversations.gen.ts';
import { classifyMedia } from '../../../contract/addresses/media.gen.ts';
import type { MediaItem } from '../../../contract/media.ts';
import { explicitStatuses } from '../../../contract/reference/choices.ts';
import { useCall } from '../../queries/calls.ts';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';

const BLUR = 'blur(18px)';

interface PictureThumbProps {
  picture: MediaItem;
  onOpen: () => void;
  size?: 'bubble' | 'pane';
}

/** A cropped picture that opens in full. Broken ones say so, explicit ones are blurred. */
export function PictureThumb({ picture, onOpen, size = 'bubble' }: PictureThumbProps) {
  const client = useQueryClient();
  const [missing, setMissing] = useState<string>();
  const isMissing = missing === picture.preview;
  const isBlurred = picture.isExplicit;
  // Shows a GIF's first frame; it plays when opened.
  const isMoving = picture.contentType === 'image/gif';
  const label = picture.fileName ? `Picture ${picture.fileName}` : say('Picture');
  const place =
    size === 'bubble'
      ? { width: 216, height: 132, borderRadius: '14px' }
      : { width: 82, height: 58, borderRadius: '8px' };
  return (
    <ButtonBase
      onClick={onOpen}
      aria-label={
        isBlurred ? `Open ${label.toLowerCase()}, which may be explicit` : `Open ${label.toLowerCase()}`
      }
      sx={{
        ...place,
        maxWidth: '100%',
        position: 'relative',
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
          alt={isBlurred ? '' : label}
          loading="lazy"
          onError={() => {
            setMissing(picture.preview);
            // On a page that was open for days the link may have expired: the thread has a new one.
            void client.invalidateQueries({ queryKey: [listTextMessages.path] });
          }}
          sx={{
            width: '100%',
            height: '100%',
            objectFit: 'cover',
            // Oversized, because the blur would show a light rim.
            ...(isBlurred ? { filter: BLUR, transform: 'scale(1.3)' } : {}),
          }}
        />
      )}
      {isBlurred && !isMissing && <ExplicitBadge isSmall={size === 'pane'} />}
      {isMoving && !isBlurred && !isMissing && <MovingBadge />}
    </ButtonBase>
  );
}

function ExplicitBadge({ isSmall }: { isSmall: boolean }) {
  return (
    <Box
      component="span"
      sx={{
        position: 'absolute',
        display: 'inline-flex',
        alignItems: 'center',
        gap: '6px',
        px: isSmall ? '6px' : '10px',
        height: 26,
        borderRadius: '13px',
        bgcolor: 'tip.back',
        color: 'tip.text',
        typography: 'caption',
      }}
    >
      <EyeOff size={14} strokeWidth={2} aria-hidden />
      {!isSmall && 'May be explicit'}
    </Box>
  );
}

function MovingBadge() {
  return (
    <Box
      component="span"
      aria-hidden
      sx={{
        position: 'absolute',
        left: 6,
        bottom: 6,
        px: '6px',
        borderRadius: '6px',
        bgcolor: 'tip.back',
        color: 'tip.text',
        fontSize: 11,
        fontWeight: 600,
        lineHeight: '18px',
      }}
    >
      GIF
    </Box>
  );
}

interface PictureDialogProps {
  picture: MediaItem | undefined;
  onClose: () => void;
}

/** The full picture over the page, with download and the explicit mark. */
export const PictureDialog = memo(function PictureDialog({ picture, onClose }: PictureDialogProps) {
  // Stays while the dialog fades out.
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
      {shown && <WholePicture key={shown.mediaId} picture={shown} titleId={titleId} onClose={onClose} />}
    </Dialog>
  );
});

function WholePicture(props: { picture: MediaItem; titleId: string; onClose: () => void }) {
  const { picture, titleId, onClose } = props;
  const [judged, classify] = useClassify(picture);
  const [isWanted, setWanted] = useState(false);
  const isBlurred = judged.isExplicit && !isWanted;
  const name = picture.fileName || say('Picture');
  return (
    <>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: '4px',
          pl: 2,
          pr: 1,
          minHeight: 48,
        }}
      >
        <Box
          id={titleId}
          sx={{
            flex: 1,
            // On a phone the name shrinks, so that the actions stay on one line.
            minWidth: { xs: 40, sm: 90 },
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
            typography: 'body2',
          }}
        >
          {name}
        </Box>
        <Button
          variant="text"
          size="small"
          startIcon={judged.isExplicit ? <Eye aria-hidden /> : <EyeOff aria-hidden />}
          onClick={() => {
            setWanted(false);
            void classify(!judged.isExplicit);
          }}
          sx={{ '& .MuiButton-startIcon': { display: { xs: 'none', sm: 'inherit' } } }}
        >
          {judged.isExplicit ? 'Not explicit' : 'Mark as explicit'}
        </Button>
        <Tooltip title="Open full size">
          <IconButton
            component="a"
            href={picture.full}
            target="_blank"
            rel="noopener noreferrer"
            aria-label="Open full size"
          >
            <Maximize2 />
          </IconButton>
        </Tooltip>
        <Tooltip title="Download">
          <IconButton component="a" href={picture.full} download={name} aria-label="Download">
            <Download />
          </IconButton>
        </Tooltip>
        <IconButton aria-label="Close" onClick={onClose}>
          <X />
        </IconButton>
      </Box>
      <Box
        sx={{
          position: 'relative',
          display: 'grid',
          placeItems: 'center',
          overflow: 'hidden',
          minHeight: 120,
        }}
      >
        <Box
          component="img"
          src={picture.full}
          alt={isBlurred ? '' : `Picture ${picture.fileName}`.trim()}
          sx={{
            display: 'block',
            maxWidth: '100%',
            maxHeight: 'calc(100dvh - 112px)',
            objectFit: 'contain',
            minWidth: 0,
            ...(isBlurred ? { filter: BLUR } : {}),
          }}
        />
        {isBlurred && (
          <Button
            variant="contained"
            color="primary"
            startIcon={<Eye aria-hidden />}
            onClick={() => setWanted(true)}
            sx={{ position: 'absolute' }}
          >
            Show the picture
          </Button>
        )}
      </Box>
    </>
  );
}

/** The user's mark overrides the detection service, and shows immediately. */
function useClassify(picture: MediaItem): [MediaItem, (isExplicit: boolean) => Promise<void>] {
  const client = useQueryClient();
  const { mutateAsync } = useCall(classifyMedia);
  const [judged, setJudged] = useState(picture);
  const classify = async (isExplicit: boolean) => {
    try {
      const ExplicitStatus = isExplicit ? explicitStatuses.ExplicitByUser : explicitStatuses.CleanByUser;
      setJudged(await mutateAsync({ params: { MediaID: picture.mediaId }, body: { ExplicitStatus } }));
      void client.invalidateQueries({ queryKey: [listTextMessages.path] });
    } catch {
      showSnackbar('There was an error updating your picture.');
    }
  };
  return [judged, classify];
}
