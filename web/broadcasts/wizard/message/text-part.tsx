import Box from '@mui/material/Box';
import { type ClipboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ChosenText } from '../../../pieces/templates/saved-texts.tsx';
import { PictureProblemDialog, useAttachPictures } from '../../../pieces/texts/attach-pictures.tsx';
import { PictureField } from '../../../pieces/texts/picture-field.tsx';
import { useAccount } from '../../../queries/current-user.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { spliceText } from '../../../ui/splice-text.ts';
import type { StepProps } from '../draft-state.ts';
import { AddingStrip } from '../recipients/adding-strip.tsx';
import { HandsetPreview, usePreviewed } from './handset-preview.tsx';
import { MergeCard } from './merge-card.tsx';
import { MessageComposer } from './message-composer.tsx';
import { MessageLibraryButton } from './message-library-button.tsx';
import { MessageOptions } from './message-options.tsx';
import { type MessageFacts, messageProblems, useMessageFacts } from './message-state.ts';
import { MessageTest } from './message-test.tsx';
import { SecondTextCard } from './second-text-card.tsx';

interface TextPartOptions extends StepProps {
  /** Somebody tried to continue, so missing input is reported. */
  isTried: boolean;
  /** Focuses the editor, because people come here to write. */
  hasFocus: boolean;
}

interface TextPart {
  facts: MessageFacts;
  isWrong: boolean;
  isUploading: boolean;
  /** Saved texts, for the head of the page or the card. */
  library: ReactNode;
  editor: ReactNode;
  preview: ReactNode;
}

/** Writing a text: the editor, the telephone that shows it, and whether it may go out. */
export function useTextPart({ draft, save, flush, isTried, hasFocus }: TextPartOptions): TextPart {
  const account = useAccount();
  const facts = useMessageFacts(draft);
  const problems = messageProblems(draft, account);
  const [position, setPosition] = useState(1);
  const { SecondText: second } = draft;
  const secondDraft = { ...draft, TextMessage: second?.TextMessage ?? '' };
  const secondFacts = useMessageFacts(secondDraft);
  const [shown, setShown] = useState<'First' | 'Second'>('First');
  const isSecondShown = second !== null && shown === 'Second';
  const shownDraft = isSecondShown ? secondDraft : draft;
  const previewed = usePreviewed(shownDraft, position);
  const field = useRef<HTMLTextAreaElement>(null);
  const pictureInput = useRef<HTMLInputElement>(null);
  const attachment = useAttachPictures({
    // A broadcast has one picture: another one replaces it.
    count: 0,
    use: 'broadcast',
    onAdd: (picture) => save({ Media: [{ MediaID: picture.mediaId }] }, { Media: [picture] }),
  });
  const begin = useEffectEvent(() => {
    if (draft.TextMessage === '' && hasFocus) field.current?.focus();
  });
  useEffect(() => begin(), []);
  const isWrong = Object.values(problems).some((problem) => problem !== undefined);

  const insert = (piece: string) => {
    save({ TextMessage: spliceText(field, draft.TextMessage, piece) });
  };
  const insertSaved = (saved: ChosenText) => {
    insert(saved.TemplateText);
    const [picture] = saved.Media;
    if (picture && draft.Media.length === 0)
      save({ Media: [{ MediaID: picture.mediaId }] }, { Media: [picture] });
    if (draft.TextMessage.trim() === '') save({ TemplateID: saved.TemplateID });
  };
  const onPaste = (event: ClipboardEvent) => attachment.onPaste(event);

  return {
    facts,
    isWrong,
    isUploading: attachment.uploading > 0,
    library: <MessageLibraryButton draft={draft} onChoose={insertSaved} />,
    editor: (
      <Box sx={{ display: 'grid', gap: 2.5, minWidth: 0 }}>
        <MessageComposer
          draft={draft}
          facts={facts}
          // Missing input is reported only when somebody tries to continue; wrong input is reported at once.
          error={isTried || !facts.isEmpty ? problems.text : undefined}
          fieldRef={field}
          onText={(TextMessage) => save({ TextMessage })}
          onKeep={(KeepCharacters) => save({ KeepCharacters })}
          onInsert={insert}
          onChoosePicture={() => pictureInput.current?.click()}
          onPaste={onPaste}
        />
        {/* Below the field: it disappears when everybody has been added, and must not move the editor. */}
        {draft.IsAdding && <AddingStrip draftId={draft.DraftBroadcastID} />}
        <MessageOptions draft={draft} facts={facts} problems={problems} save={save} />
        {second !== null && (
          <SecondTextCard
            draft={draft}
            second={second}
            facts={secondFacts}
            error={isTried || second.TextMessage.trim() !== '' ? problems.second : undefined}
            save={save}
          />
        )}
        <PictureField
          picture={draft.Media[0]}
          isUploading={attachment.uploading > 0}
          inputRef={pictureInput}
          onChoose={(file) => void attachment.attach([file])}
          onRemove={() => save({ Media: [] })}
        />
        <MessageTest
          draft={draft}
          flush={flush}
          credits={isSecondShown ? secondFacts.credits : facts.credits}
          isSecond={isSecondShown}
          recipientId={previewed?.MergedMessageID}
          isDisabled={isWrong || draft.TextNumberID === null || attachment.uploading > 0}
        />
        {/* Shown even if it works for nobody yet: a change to the text may fix it. */}
        {(facts.isPersonalized || (second !== null && secondFacts.isPersonalized)) &&
          !isWrong &&
          draft.TotalTextNumberCount > 0 && <MergeCard draft={draft} flush={flush} limit={facts.limit} />}
        <PictureProblemDialog problem={attachment.problem} onClose={attachment.forgetProblem} />
      </Box>
    ),
    preview: (
      <Box sx={{ display: 'grid', gap: 2 }}>
        {second !== null && (
          <Segmented
            label="Which text is shown"
            value={shown}
            parts={[
              { value: 'First', words: 'First text' },
              { value: 'Second', words: 'Second text' },
            ]}
            onChange={setShown}
          />
        )}
        <HandsetPreview
          draft={shownDraft}
          facts={isSecondShown ? secondFacts : facts}
          previewed={previewed}
          isWrong={isWrong}
          onStep={setPosition}
        />
      </Box>
    ),
  };
}
