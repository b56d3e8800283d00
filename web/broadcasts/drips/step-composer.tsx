import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { BookMarked } from 'lucide-react';
import { useRef } from 'react';
import { SavedTextsPicker } from '../../pieces/templates/saved-texts-picker.tsx';
import { PictureProblemDialog, useAttachPictures } from '../../pieces/texts/attach-pictures.tsx';
import { PictureField } from '../../pieces/texts/picture-field.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { spliceText } from '../../ui/splice-text.ts';
import { useMenu } from '../../ui/use-menu.ts';
import { InsertChips } from '../wizard/message/message-composer.tsx';
import { EmojiButton } from '../wizard/message/message-emoji.tsx';
import { MessageField } from '../wizard/message/message-field.tsx';
import { MessageMeter } from '../wizard/message/message-meter.tsx';
import { insertFields } from '../wizard/message/message-pieces.ts';
import { useMessageFacts } from '../wizard/message/message-state.ts';
import type { EditedStep } from './drip-words.ts';

export interface StepComposerProps {
  step: EditedStep;
  error: string | undefined;
  textNumberId: number | null;
  /** The number of recipients; undefined where the number of people who will join isn't known. */
  people: number;
  /** The organization's own fields, by name. */
  customFields: readonly string[];
  shortenLinks: boolean;
  onChange: (by: Partial<EditedStep>) => void;
}

/** The words and the picture of a step: the insert tools, the text, and the credits it takes. */
export function StepComposer(props: StepComposerProps) {
  const { step, error, textNumberId, people, customFields, shortenLinks, onChange } = props;
  const library = useMenu('dialog');
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const pictures = useAttachPictures({
    count: 0,
    use: 'broadcast',
    onAdd: (picture) => onChange({ picture }),
  });
  const facts = useMessageFacts({
    TextMessage: step.message,
    TextNumberID: textNumberId,
    Media: step.picture ? [step.picture] : [],
    ...{ IncludeSignature: false, KeepCharacters: false, ShortenLinks: shortenLinks, LinkBase: '' },
  });
  const insert = (piece: string, more: Partial<EditedStep> = {}) => {
    onChange({ ...more, message: spliceText(field, step.message, piece) });
  };
  return (
    <>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'flex-start',
          // On a phone the chips get a line of their own.
          flexWrap: { xs: 'wrap', sm: 'nowrap' },
          gap: 1,
          px: '12px',
          py: '10px',
          bgcolor: 'surface.sunken',
          borderTop: '1px solid',
          borderBottom: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        <Box sx={{ flex: { xs: '1 1 100%', sm: 1 }, minWidth: 0 }}>
          <InsertChips fields={insertFields(customFields)} onInsert={insert} />
        </Box>
        <Tooltip title="Saved texts">
          <IconButton size="small" aria-label="Saved texts" {...library.buttonProps}>
            <BookMarked />
          </IconButton>
        </Tooltip>
        <EmojiButton onInsert={insert} />
      </Box>
      <MessageField
        label="Message"
        value={step.message}
        customFields={customFields}
        error={error}
        fieldRef={field}
        isSentPlain
        onChange={(message) => onChange({ message })}
        onPaste={(event) => pictures.onPaste(event)}
      />
      <MessageMeter facts={facts} people={people} />
      <Box sx={{ px: '18px', pb: 2 }}>
        <PictureField
          picture={step.picture}
          isUploading={pictures.uploading > 0}
          inputRef={files}
          onChoose={(file) => void pictures.attach([file])}
          onRemove={() => onChange({ picture: undefined })}
        />
      </Box>
      <SavedTextsPicker
        anchor={library.anchorEl}
        onChoose={(saved) => {
          library.close();
          insert(saved.TemplateText, { picture: step.picture ?? saved.Media[0] });
          if (step.picture !== undefined && saved.Media.length > 0)
            showSnackbar('The step keeps its picture. Those of the saved text aren’t used.');
          else if (saved.Media.length > 1)
            showSnackbar('A step has one picture. The first one of the saved text is used.');
        }}
        onClose={library.close}
      />
      <PictureProblemDialog problem={pictures.problem} onClose={pictures.forgetProblem} />
    </>
  );
}
