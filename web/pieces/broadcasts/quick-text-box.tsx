import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Tooltip from '@mui/material/Tooltip';
import { BookMarked, Braces } from 'lucide-react';
import { useRef } from 'react';
import { Field } from '../../ui/field.tsx';
import { formatCount } from '../../ui/format.ts';
import { useMenu } from '../../ui/use-menu.ts';
import { SavedTextsPicker } from '../templates/saved-texts-picker.tsx';
import { AttachedPictures } from '../texts/attach-pictures.tsx';
import { FieldMarks } from '../texts/field-marks.tsx';
import { MergeFieldsMenu } from '../texts/merge-fields-menu.tsx';
import { withSignature } from '../texts/text-rules.ts';
import type { QuickSend } from './use-quick-send.ts';

/** The text with its picture, and handlers for changes. */
export type QuickText = Pick<
  QuickSend,
  | 'text'
  | 'limit'
  | 'wrongText'
  | 'errors'
  | 'picture'
  | 'signatureText'
  | 'setText'
  | 'insert'
  | 'removePicture'
>;

/** The text of something that goes out in one step, with fields and saved texts to put into it. */
export function QuickTextBox({ quick, isFirst }: { quick: QuickText; isFirst: boolean }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const fields = useMenu();
  const library = useMenu('dialog');
  const { text, limit, wrongText, errors, picture, signatureText } = quick;
  const error = wrongText ?? errors.text;

  /** Inserts at the caret, or replaces the selection. */
  const spliced = (piece: string): string => {
    const start = field.current?.selectionStart ?? text.length;
    const end = field.current?.selectionEnd ?? start;
    // After the new text is in the field.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(start + piece.length, start + piece.length);
    });
    return text.slice(0, start) + piece + text.slice(end);
  };

  return (
    <Field label="Text" error={error}>
      {({ id, ...aria }) => (
        <Box>
          <OutlinedInput
            id={id}
            multiline
            fullWidth
            minRows={4}
            maxRows={9}
            autoFocus={isFirst}
            value={text}
            inputRef={field}
            endAdornment={<FieldMarks text={text} />}
            error={error !== undefined}
            onChange={({ target }) => quick.setText(target.value)}
            slotProps={{ input: aria }}
            sx={{ borderRadius: '8px' }}
          />
          <AttachedPictures
            pictures={picture ? [picture] : []}
            uploading={0}
            onRemove={quick.removePicture}
          />
          <Box
            sx={{
              display: 'flex',
              alignItems: 'center',
              gap: '4px',
              mt: '4px',
              ml: '-6px',
              typography: 'caption',
              color: 'text.secondary',
            }}
          >
            <Tooltip title="Personalize">
              <IconButton aria-label="Personalize" {...fields.buttonProps}>
                <Braces size={16} strokeWidth={1.75} />
              </IconButton>
            </Tooltip>
            <Tooltip title="Saved texts">
              <IconButton aria-label="Saved texts" {...library.buttonProps}>
                <BookMarked size={16} strokeWidth={1.75} />
              </IconButton>
            </Tooltip>
            <Box
              component="span"
              sx={{
                ml: 'auto',
                fontVariantNumeric: 'tabular-nums',
                color: wrongText ? 'error.main' : 'inherit',
              }}
            >
              Characters: {formatCount(withSignature(text.trim(), signatureText).length)}/{formatCount(limit)}
            </Box>
          </Box>
          <MergeFieldsMenu menu={fields} onChoose={(piece) => quick.setText(spliced(piece))} />
          <SavedTextsPicker
            anchor={library.anchorEl}
            onChoose={(saved) => quick.insert(saved, spliced(saved.TemplateText))}
            onClose={library.close}
          />
        </Box>
      )}
    </Field>
  );
}
