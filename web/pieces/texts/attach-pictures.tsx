import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Skeleton from '@mui/material/Skeleton';
import Tooltip from '@mui/material/Tooltip';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Camera, ImagePlus, X } from 'lucide-react';
import { type ChangeEvent, type ClipboardEvent, memo, useCallback, useRef, useState } from 'react';
import { uploadImage } from '../../../contract/addresses/media.gen.ts';
import type { MediaItem } from '../../../contract/media.ts';
import {
  type ImageUse,
  isImageAllowed,
  unsupportedImage,
  unsupportedMessage,
} from '../../../contract/uploads/image.ts';
import { ApiError, callApi, shownMessage } from '../../api.ts';
import { useMenu } from '../../ui/use-menu.ts';
import { acceptedImages, pictureProblem } from './text-rules.ts';

/** Uploads pictures as soon as they are chosen; `onAdd` gets each one that the server took. */
export function useAttachPictures(options: {
  count: number;
  use?: ImageUse;
  onAdd: (picture: MediaItem) => void;
}) {
  const { count, use = 'conversation', onAdd } = options;
  const [uploading, setUploading] = useState(0);
  const [problem, setProblem] = useState('');
  const forgetProblem = useCallback(() => setProblem(''), []);
  const attach = async (files: readonly File[]) => {
    let already = count + uploading;
    for (const chosen of files) {
      const file = await fitPicture(chosen, use);
      const reason = pictureProblem(file, already, use);
      if (reason) {
        setProblem(reason);
        continue;
      }
      already += 1;
      setUploading((before) => before + 1);
      try {
        const FileName = file.name.slice(-200) || 'picture';
        onAdd(
          await callApi(uploadImage, { params: { FileName }, query: { use } }, { file, missing: 'refuse' }),
        );
      } catch (error) {
        setProblem(uploadProblem(error, use));
      } finally {
        setUploading((before) => before - 1);
      }
    }
  };
  /** The pictures of a saved text that may be attached. It may have one for broadcasts only, which the dialog says. */
  const choose = (saved: readonly MediaItem[]) => {
    const taken = saved.filter(({ contentType }) => isImageAllowed(contentType, use));
    if (taken.length < saved.length) setProblem(unsupportedMessage(use));
    return taken;
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    void attach(files);
  };
  return { attach, choose, onPaste, uploading, problem, forgetProblem };
}

/** Cameras make pictures larger than 5 MB, and iPhones make HEIC: the browser turns both into a smaller JPEG. */
async function fitPicture(file: File, use: ImageUse): Promise<File> {
  const isFromCamera = /^image\/(jpeg|png|hei[cf])$/.test(file.type);
  if (!isFromCamera || pictureProblem(file, 0, use) === undefined) return file;
  try {
    const { shrinkPicture } = await import('./shrink-picture.ts');
    return await shrinkPicture(file);
  } catch {
    // Then it is refused, in the words for what it is.
    return file;
  }
}

function uploadProblem(error: unknown, use: ImageUse): string {
  const shown = shownMessage(error, 'There was an error adding your image.');
  const isUnsupported = (error instanceof ApiError && error.status === 415) || shown === unsupportedImage;
  return isUnsupported ? unsupportedMessage(use) : shown;
}

export const AttachButton = memo(function AttachButton({
  onChoose,
  isDisabled = false,
}: {
  onChoose: (files: File[]) => void;
  isDisabled?: boolean;
}) {
  const inputRef = useRef<HTMLInputElement>(null);
  const cameraRef = useRef<HTMLInputElement>(null);
  const menu = useMenu();
  // Phones and tablets have a camera at hand. Android's own dialog for pictures no longer offers it.
  const isTouch = useMediaQuery('(hover: none) and (pointer: coarse)');
  const field = {
    type: 'file',
    hidden: true,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      onChoose([...(target.files ?? [])]);
      // The same file may be chosen again after it was taken out.
      target.value = '';
    },
  } as const;
  return (
    <>
      <Tooltip title="Add a picture">
        <IconButton
          aria-label="Add a picture"
          disabled={isDisabled}
          {...(isTouch ? menu.buttonProps : { onClick: () => inputRef.current?.click() })}
        >
          <ImagePlus />
        </IconButton>
      </Tooltip>
      {isTouch && (
        <Menu {...menu.menuProps}>
          <MenuItem onClick={menu.choose(() => cameraRef.current?.click())}>
            <Camera aria-hidden />
            Take a picture
          </MenuItem>
          <MenuItem onClick={menu.choose(() => inputRef.current?.click())}>
            <ImagePlus aria-hidden />
            Choose pictures
          </MenuItem>
        </Menu>
      )}
      <input ref={inputRef} accept={acceptedImages('conversation')} multiple {...field} />
      <input ref={cameraRef} accept="image/*" capture="environment" {...field} />
    </>
  );
});

interface AttachedPicturesProps {
  pictures: readonly MediaItem[];
  uploading: number;
  onRemove: (picture: MediaItem) => void;
}

export function AttachedPictures({ pictures, uploading, onRemove }: AttachedPicturesProps) {
  if (pictures.length === 0 && uploading === 0) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, px: '14px', pt: '12px' }}>
      {pictures.map((picture) => (
        <Box key={picture.mediaId} sx={{ position: 'relative' }}>
          <Box
            component="img"
            src={picture.preview}
            alt={picture.fileName || 'Attached picture'}
            sx={{
              display: 'block',
              width: 72,
              height: 56,
              objectFit: 'cover',
              borderRadius: '8px',
              border: '1px solid',
              borderColor: 'line.hair',
            }}
          />
          <IconButton
            aria-label={`Remove ${picture.fileName || 'picture'}`}
            onClick={() => onRemove(picture)}
            sx={{
              position: 'absolute',
              top: -8,
              right: -8,
              width: '24px !important',
              height: '24px !important',
              borderRadius: '50%',
              bgcolor: 'surface.raised',
              border: '1px solid',
              borderColor: 'line.strong',
              '& > svg': { width: 14, height: 14 },
            }}
          >
            <X />
          </IconButton>
        </Box>
      ))}
      {Array.from({ length: uploading }, (_, index) => (
        <Skeleton
          // biome-ignore lint/suspicious/noArrayIndexKey: places that are all alike
          key={index}
          variant="rounded"
          role="status"
          aria-label="Adding a picture"
          sx={{ width: 72, height: 56, borderRadius: '8px' }}
        />
      ))}
    </Box>
  );
}

/** Reason why a picture was not added. */
export const PictureProblemDialog = memo(function PictureProblemDialog({
  problem,
  onClose,
}: {
  problem: string;
  onClose: () => void;
}) {
  const [shown, setShown] = useState(problem);
  if (problem !== '' && problem !== shown) setShown(problem);
  return (
    <Dialog open={problem !== ''} onClose={onClose} aria-labelledby="picture-problem" maxWidth="xs">
      <DialogTitle id="picture-problem">This picture wasn’t added</DialogTitle>
      <DialogContent>{shown}</DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" onClick={onClose} autoFocus>
          OK
        </Button>
      </DialogActions>
    </Dialog>
  );
});
