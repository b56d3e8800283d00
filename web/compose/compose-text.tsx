import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Tooltip from '@mui/material/Tooltip';
import { BookMarked, Braces, type LucideIcon } from 'lucide-react';
import { useRef } from 'react';
import { picturesInText } from '../../contract/forms/compose-text.ts';
import { messageTooLong } from '../../contract/text/text-length.ts';
import { SavedTextsPicker } from '../pieces/templates/saved-texts-picker.tsx';
import { AttachButton, AttachedPictures, type useAttachPictures } from '../pieces/texts/attach-pictures.tsx';
import { FieldMarks } from '../pieces/texts/field-marks.tsx';
import { MergeFieldsMenu } from '../pieces/texts/merge-fields-menu.tsx';
import { asSent, characterLimit, costLabel, isTooLong, withSignature } from '../pieces/texts/text-rules.ts';
import { useAccount } from '../queries/current-user.ts';
import { Field } from '../ui/field.tsx';
import { countOf, formatCount } from '../ui/format.ts';
import { useMenu } from '../ui/use-menu.ts';
import type { Compose } from './use-compose.ts';

interface ComposeTextProps {
  compose: Compose;
  attachment: ReturnType<typeof useAttachPictures>;
}

/** The text, its pictures, the insert tools and the cost. */
export function ComposeText({ compose, attachment }: ComposeTextProps) {
  const account = useAccount();
  const { draft, errors, signatureText } = compose;
  const limit = characterLimit(account);
  const tooLong = isTooLong(asSent(draft.text, draft.keepsCharacters), limit, signatureText);
  const field = useRef<HTMLTextAreaElement>(null);
  const fields = useMenu();
  const library = useMenu('dialog');

  /** Inserts at the caret, or replaces the selection. */
  const insert = (piece: string, pictures: typeof draft.pictures = []) => {
    const start = field.current?.selectionStart ?? draft.text.length;
    const end = field.current?.selectionEnd ?? start;
    compose.changeDraft((before) => ({
      ...before,
      text: before.text.slice(0, start) + piece + before.text.slice(end),
      pictures: [...before.pictures, ...pictures].slice(0, picturesInText),
    }));
    // Once the field shows the new text.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(start + piece.length, start + piece.length);
    });
  };

  return (
    <Field label="Text" error={tooLong ? messageTooLong(limit) : errors.text}>
      {({ id, ...aria }) => (
        <Box>
          <OutlinedInput
            id={id}
            multiline
            fullWidth
            minRows={5}
            maxRows={10}
            value={draft.text}
            inputRef={field}
            endAdornment={<FieldMarks text={draft.text} />}
            error={errors.text !== undefined || tooLong}
            onPaste={attachment.onPaste}
            onChange={(event) => {
              const text = event.target.value;
              compose.changeDraft((before) => ({ ...before, text }));
            }}
            slotProps={{ input: aria }}
            sx={{ borderRadius: '8px' }}
          />
          <AttachedPictures
            pictures={draft.pictures}
            uploading={attachment.uploading}
            onRemove={({ mediaId }) =>
              compose.changeDraft((before) => ({
                ...before,
                pictures: before.pictures.filter((one) => one.mediaId !== mediaId),
              }))
            }
          />
          <Box
            sx={{
              display: 'flex',
              alignItems: 'center',
              flexWrap: 'wrap',
              gap: '2px 4px',
              mt: '4px',
              ml: '-6px',
              typography: 'caption',
              color: 'text.secondary',
            }}
          >
            <AttachButton onChoose={(files) => void attachment.attach(files)} />
            <TextTool icon={Braces} label="Personalize" buttonProps={fields.buttonProps} />
            <TextTool icon={BookMarked} label="Saved texts" buttonProps={library.buttonProps} />
            <Box sx={{ flex: 1, fontVariantNumeric: 'tabular-nums', minWidth: 110, pl: '4px' }}>
              <Cost compose={compose} />
            </Box>
            <Box
              component="span"
              sx={{
                ml: 'auto',
                fontVariantNumeric: 'tabular-nums',
                color: tooLong ? 'error.main' : 'inherit',
              }}
            >
              Characters: {formatCount(withSignature(draft.text, signatureText).length)}/{formatCount(limit)}
            </Box>
          </Box>
          <MergeFieldsMenu menu={fields} onChoose={insert} />
          <SavedTextsPicker
            anchor={library.anchorEl}
            onChoose={(saved) => {
              library.close();
              insert(saved.TemplateText, attachment.choose(saved.Media));
            }}
            onClose={library.close}
          />
        </Box>
      )}
    </Field>
  );
}

/** The cost of one text is computed here; for several, the server adds it up. */
function Cost({ compose }: { compose: Compose }) {
  const account = useAccount();
  const { draft, number, all, preview, signatureText } = compose;
  if (draft.text.trim() === '' && draft.pictures.length === 0) return null;
  if (all.length < 2 || preview.length < all.length) {
    return (
      <>
        {costLabel(asSent(draft.text, draft.keepsCharacters), {
          pictures: draft.pictures.length,
          account,
          number,
          signature: signatureText,
        })}
      </>
    );
  }
  const going = preview.filter(({ Error: error, TemplateMergeMessageStatus: status }) => {
    return error === '' || status === 'MissingData';
  });
  const credits = going.reduce((sum, one) => sum + one.Credits, 0);
  return (
    <>
      {countOf(going.length, 'text', 'texts')} ·{' '}
      {credits === 0 ? 'no credits' : countOf(credits, 'credit', 'credits')}
    </>
  );
}

interface TextToolProps {
  icon: LucideIcon;
  label: string;
  buttonProps: ReturnType<typeof useMenu>['buttonProps'];
}

function TextTool({ icon: Icon, label, buttonProps }: TextToolProps) {
  return (
    <Tooltip title={label}>
      <IconButton aria-label={label} {...buttonProps}>
        <Icon size={16} strokeWidth={1.75} />
      </IconButton>
    </Tooltip>
  );
}
