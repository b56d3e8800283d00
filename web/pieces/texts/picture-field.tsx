import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { ImagePlus } from 'lucide-react';
import { type DragEvent, type RefObject, useState } from 'react';
import type { MediaItem } from '../../../contract/media.ts';
import { acceptedImages } from './text-rules.ts';

interface PictureFieldProps {
  picture: MediaItem | undefined;
  isUploading: boolean;
  inputRef: RefObject<HTMLInputElement | null>;
  onChoose: (file: File) => void;
  onRemove: () => void;
}

/** The picture that goes with a broadcast, or the place to drop one. */
export function PictureField({ picture, isUploading, inputRef, onChoose, onRemove }: PictureFieldProps) {
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const [file] = files ?? [];
    if (file) onChoose(file);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <Box
      component="section"
      aria-label="Picture"
      onDragOver={over}
      onDragEnter={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1.5,
        p: 2,
        border: '1px dashed',
        borderRadius: '10px',
        borderColor: isOver ? 'primary.main' : 'line.input',
        bgcolor: isOver ? 'tint.accent' : 'transparent',
      }}
    >
      <Thumbnail picture={picture} isUploading={isUploading} />
      <Box sx={{ flex: '1 1 180px', minWidth: 0 }}>
        <Typography component="h2" sx={{ fontWeight: 550 }}>
          Picture
        </Typography>
        <Typography variant="body2" noWrap={picture !== undefined} sx={{ color: 'text.secondary' }}>
          {isUploading
            ? 'Adding…'
            : picture
              ? picture.fileName || 'One picture per text.'
              : 'Drop one here. PNG, JPG or GIF up to 5 MB, sent as MMS.'}
        </Typography>
      </Box>
      {picture && (
        <Button size="small" variant="text" onClick={onRemove}>
          Remove
        </Button>
      )}
      <Button
        size="small"
        variant="outlined"
        disabled={isUploading}
        onClick={() => inputRef.current?.click()}
      >
        {picture ? 'Choose another' : 'Choose a file'}
      </Button>
      <input
        ref={inputRef}
        type="file"
        accept={acceptedImages('broadcast')}
        hidden
        aria-label="Picture"
        onChange={(event) => {
          take(event.target.files);
          // The same file may be chosen again after it was taken out.
          event.target.value = '';
        }}
      />
    </Box>
  );
}

function Thumbnail({ picture, isUploading }: { picture: MediaItem | undefined; isUploading: boolean }) {
  const box = { width: 40, height: 40, flex: 'none', borderRadius: '8px' } as const;
  if (isUploading) return <Skeleton variant="rounded" role="status" aria-label="Adding a picture" sx={box} />;
  if (picture)
    return <Box component="img" src={picture.preview} alt="" sx={{ ...box, objectFit: 'cover' }} />;
  return (
    <Box
      aria-hidden
      sx={{ ...box, display: 'grid', placeItems: 'center', bgcolor: 'tint.neutral', color: 'ink.two' }}
    >
      <ImagePlus size={18} strokeWidth={1.75} />
    </Box>
  );
}
