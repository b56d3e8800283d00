import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import InputBase from '@mui/material/InputBase';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Send } from 'lucide-react';
import { type KeyboardEvent, type Ref, useState } from 'react';
import type { TextNumber } from '../../contract/numbers.ts';
import { useAccount } from '../queries/current-user.ts';
import { formatCount } from '../ui/format.ts';
import {
  AttachButton,
  AttachedPictures,
  PictureProblemDialog,
  useAttachPictures,
} from './attach-pictures.tsx';
import type { Draft } from './drafts.ts';
import { textNumberLine } from './names.ts';
import type { Picture } from './outbox.ts';
import { characterLimit, costLabel, isTooLong, textProblem } from './text-rules.ts';

interface ComposerProps {
  draft: Draft;
  onChange: (change: (before: Draft) => Draft) => void;
  onSend: (draft: Draft) => void;
  /** The number that it is sent from; undefined while the numbers load. */
  from: TextNumber | undefined;
  /** Who it goes to, for the field's name. */
  to: string;
  inputRef: Ref<HTMLTextAreaElement>;
  isOnePane: boolean;
}

/** Where one writes: grows from two to eight lines; Enter sends, Shift+Enter begins a line. */
export function Composer({ draft, onChange, onSend, from, to, inputRef, isOnePane }: ComposerProps) {
  const account = useAccount();
  const limit = characterLimit(account);
  const [isEmptyPressed, setEmptyPressed] = useState(false);
  // A telephone has no Shift+Enter: there Enter begins a line and the button sends.
  const isTouch = useMediaQuery('(hover: none) and (pointer: coarse)');
  const addPicture = (picture: Picture) =>
    onChange((before) => ({ ...before, pictures: [...before.pictures, picture] }));
  const attachment = useAttachPictures({ count: draft.pictures.length, onAdd: addPicture });

  const tooLong = isTooLong(draft.text, limit);
  const problem = textProblem(draft.text, draft.pictures.length, limit);
  const error = tooLong || isEmptyPressed ? problem : undefined;
  const send = () => {
    // A picture that is still on its way belongs to this text.
    if (attachment.uploading > 0) return;
    setEmptyPressed(problem !== undefined);
    if (problem === undefined) onSend({ ...draft, text: draft.text.trim() });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isComposing = event.nativeEvent.isComposing;
    if (event.key === 'Escape' && !isComposing && event.target instanceof HTMLElement) event.target.blur();
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || isComposing || isTouch) return;
    event.preventDefault();
    send();
  };

  return (
    <Box
      component="form"
      aria-label="Reply"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      sx={{
        px: { xs: '10px', tablet: '20px' },
        pb: { xs: 'calc(10px + env(safe-area-inset-bottom))', tablet: 1.5 },
      }}
    >
      <Box
        sx={(theme) => ({
          borderRadius: '12px',
          border: '1px solid',
          borderColor: error ? 'error.main' : 'line.input',
          bgcolor: 'surface.raised',
          '&:focus-within': {
            borderColor: error ? 'error.main' : 'primary.main',
            boxShadow: `0 0 0 3px color-mix(in srgb, ${theme.vars.palette[error ? 'error' : 'primary'].main} 18%, transparent)`,
          },
        })}
      >
        <AttachedPictures
          pictures={draft.pictures}
          uploading={attachment.uploading}
          onRemove={({ mediaId }) =>
            onChange((before) => ({
              ...before,
              pictures: before.pictures.filter((one) => one.mediaId !== mediaId),
            }))
          }
        />
        <InputBase
          multiline
          fullWidth
          minRows={2}
          maxRows={8}
          value={draft.text}
          placeholder="Write a text"
          inputRef={inputRef}
          onChange={(event) => {
            setEmptyPressed(false);
            const text = event.target.value;
            onChange((before) => ({ ...before, text }));
          }}
          onKeyDown={onKeyDown}
          onPaste={attachment.onPaste}
          slotProps={{
            input: {
              'aria-label': `Text to ${to}`,
              'aria-invalid': error !== undefined,
              'aria-describedby': 'composer-note composer-count',
            },
          }}
          sx={{
            padding: '12px 14px 4px',
            // Under 16 px a telephone zooms into the field.
            '@media (hover: none) and (pointer: coarse)': { fontSize: 16, lineHeight: '22px' },
            '& textarea:focus-visible': { outline: 'none' },
          }}
        />
        <Box sx={{ display: 'flex', alignItems: 'center', gap: '4px', px: 1, pb: 1, pt: '2px' }}>
          <AttachButton onChoose={(files) => void attachment.attach(files)} />
          <Box sx={{ flex: 1 }} />
          <Box
            id="composer-count"
            component="span"
            sx={{
              mr: 1,
              typography: 'caption',
              fontVariantNumeric: 'tabular-nums',
              color: tooLong ? 'error.main' : 'text.secondary',
            }}
          >
            Characters: {formatCount(draft.text.length)}/{formatCount(limit)}
          </Box>
          {isOnePane ? (
            <IconButton
              type="submit"
              aria-label="Send"
              disabled={attachment.uploading > 0}
              sx={{
                bgcolor: 'primary.main',
                color: 'primary.contrastText',
                width: 40,
                height: 40,
                '&:hover': { bgcolor: 'primary.dark' },
              }}
            >
              <Send />
            </IconButton>
          ) : (
            <Button
              type="submit"
              variant="contained"
              color="primary"
              disabled={attachment.uploading > 0}
              startIcon={<Send aria-hidden />}
              sx={{ height: 32 }}
            >
              Send
            </Button>
          )}
        </Box>
      </Box>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          justifyContent: 'space-between',
          columnGap: 2,
          minHeight: 16,
          mt: 1,
          px: '4px',
          typography: 'caption',
          color: 'text.secondary',
        }}
      >
        <Box
          id="composer-note"
          component="span"
          role={error ? 'alert' : undefined}
          sx={{ color: error ? 'error.main' : 'inherit' }}
        >
          {error ?? (from ? `From ${textNumberLine(from)}` : '')}
        </Box>
        <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {costLabel(draft.text, draft.pictures.length, account, from)}
        </Box>
      </Box>
      <PictureProblemDialog problem={attachment.problem} onClose={attachment.forgetProblem} />
    </Box>
  );
}
