import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import useMediaQuery from '@mui/material/useMediaQuery';
import { ArrowRight } from 'lucide-react';
import { type ClipboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Template } from '../../../../contract/templates.ts';
import { PictureProblemDialog, useAttachPictures } from '../../../pieces/texts/attach-pictures.tsx';
import { PictureField } from '../../../pieces/texts/picture-field.tsx';
import { useAccount } from '../../../queries/current-user.ts';
import { StepHead } from '../../../ui/wizard-frame.tsx';
import type { StepProps } from '../draft-state.ts';
import { focusFirstError } from '../focus-error.ts';
import { AddingStrip } from '../recipients/adding-strip.tsx';
import { useUsualNumber } from '../settings-step.tsx';
import { StepLayout } from '../step-layout.tsx';
import { useWizard } from '../wizard-context.ts';
import { HandsetPreview, usePreviewed } from './handset-preview.tsx';
import { MergeCard } from './merge-card.tsx';
import { MessageComposer } from './message-composer.tsx';
import { MessageLibraryButton } from './message-library-button.tsx';
import { MessageOptions } from './message-options.tsx';
import { messageProblems, useMessageFacts } from './message-state.ts';
import { MessageTest } from './message-test.tsx';

/** Step 3: what they read, and how it looks on their telephones. */
export function MessageStep(props: StepProps) {
  const { flush } = props;
  // Who comes here from another page has not been asked for the number.
  const { draft, save } = useUsualNumber(props);
  const { goTo, tried } = useWizard();
  const account = useAccount();
  const facts = useMessageFacts(draft);
  const problems = messageProblems(draft, account);
  const [position, setPosition] = useState(1);
  const previewed = usePreviewed(draft, position);
  const [isTried, setTried] = useState(tried === 3);
  useEffect(() => {
    if (tried === 3) focusFirstError();
  }, [tried]);
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down('md'));
  const [tab, setTab] = useState<'write' | 'preview'>('write');
  const field = useRef<HTMLTextAreaElement>(null);
  const pictureInput = useRef<HTMLInputElement>(null);
  const attachment = useAttachPictures({
    // A broadcast has one picture: another takes its place.
    count: 0,
    use: 'broadcast',
    onAdd: (picture) => save({ Media: [{ MediaID: picture.mediaId }] }, { Media: [picture] }),
  });
  // Who comes here to write writes at once; on a phone the keyboard would cover half of the page.
  const begin = useEffectEvent(() => {
    if (draft.TextMessage === '' && !isNarrow) field.current?.focus();
  });
  useEffect(() => begin(), []);
  const isWrong = Object.values(problems).some((problem) => problem !== undefined);

  const insert = (piece: string) => {
    const { TextMessage: text } = draft;
    const start = field.current?.selectionStart ?? text.length;
    const end = field.current?.selectionEnd ?? start;
    save({ TextMessage: text.slice(0, start) + piece + text.slice(end) });
    // After the new text is in the field.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(start + piece.length, start + piece.length);
    });
  };
  const insertSaved = (saved: Template) => {
    insert(saved.TemplateText);
    const [picture] = saved.Media;
    if (picture && draft.Media.length === 0)
      save({ Media: [{ MediaID: picture.mediaId }] }, { Media: [picture] });
    if (draft.TextMessage.trim() === '') save({ TemplateID: saved.TemplateID });
  };
  const onPaste = (event: ClipboardEvent) => attachment.onPaste(event);
  const next = () => {
    setTried(true);
    setTab('write');
    if (attachment.uploading > 0) return;
    if (isWrong) focusFirstError();
    else goTo(4);
  };

  return (
    <StepLayout
      forward={
        <Button variant="contained" color="primary" endIcon={<ArrowRight aria-hidden />} onClick={next}>
          Next: Review
        </Button>
      }
    >
      <Box
        sx={{
          display: 'grid',
          columnGap: 3,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 300px' },
        }}
      >
        <Box sx={{ minWidth: 0 }}>
          <StepHead
            title="What do you want to say?"
            sentence={
              facts.isPersonalised
                ? 'Everyone gets their own personalized copy.'
                : 'Everyone gets their own copy.'
            }
            action={<MessageLibraryButton draft={draft} onChoose={insertSaved} />}
          />
          {isNarrow && (
            <Tabs
              value={tab}
              onChange={(_, chosen) => setTab(chosen)}
              aria-label="Write or preview"
              sx={{ mb: 2 }}
            >
              <Tab value="write" label="Write" />
              <Tab value="preview" label="Preview" />
            </Tabs>
          )}
          <Box sx={{ display: isNarrow && tab !== 'write' ? 'none' : 'grid', gap: 2.5 }}>
            <MessageComposer
              draft={draft}
              facts={facts}
              // What is missing is said once somebody wants to go on; what is wrong, as soon as it is.
              error={isTried || !facts.isEmpty ? problems.text : undefined}
              fieldRef={field}
              onText={(TextMessage) => save({ TextMessage })}
              onKeep={(KeepCharacters) => save({ KeepCharacters })}
              onInsert={insert}
              onChoosePicture={() => pictureInput.current?.click()}
              onPaste={onPaste}
            />
            {/* Under the field: it goes when they are all there, and must not move what one is writing in. */}
            {draft.IsAdding && <AddingStrip draftId={draft.DraftBroadcastID} />}
            <MessageOptions draft={draft} facts={facts} problems={problems} save={save} />
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
              credits={facts.credits}
              recipientId={previewed?.MergedMessageID}
              isDisabled={isWrong || draft.TextNumberID === null || attachment.uploading > 0}
            />
            {/* Also when it works for nobody yet: a change to the text may fix it. */}
            {facts.isPersonalised && !isWrong && draft.TotalTextNumberCount > 0 && (
              <MergeCard draft={draft} flush={flush} limit={facts.limit} />
            )}
          </Box>
        </Box>
        {(!isNarrow || tab === 'preview') && (
          <HandsetPreview
            draft={draft}
            facts={facts}
            previewed={previewed}
            isWrong={isWrong}
            onStep={setPosition}
          />
        )}
      </Box>
      <PictureProblemDialog problem={attachment.problem} onClose={attachment.forgetProblem} />
    </StepLayout>
  );
}
