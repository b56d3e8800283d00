import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useEventCallback, useForkRef } from '@mui/material/utils';
import {
  BookMarked,
  BookmarkPlus,
  Braces,
  CalendarClock,
  Clock,
  type LucideIcon,
  Send,
  Signature,
  StickyNote,
} from 'lucide-react';
import { lazy, type MouseEvent, memo, type Ref, Suspense, useCallback, useRef, useState } from 'react';
import type { Conversation } from '../../../contract/conversations.ts';
import { picturesInText } from '../../../contract/forms/compose-text.ts';
import type { MediaItem } from '../../../contract/media.ts';
import type { TextNumber } from '../../../contract/numbers.ts';
import { mergeValues } from '../../../contract/text/merge-fields.ts';
import { personalize, personalizedFieldError } from '../../../contract/text/personalized-fields.ts';
import { textLength } from '../../../contract/text/segments.ts';
import { firstStartTime } from '../../pieces/broadcasts/start-time.ts';
import { textNumberLine } from '../../pieces/numbers/text-number-names.ts';
import type { ChosenText } from '../../pieces/templates/saved-texts.tsx';
import {
  AttachButton,
  AttachedPictures,
  PictureProblemDialog,
  useAttachPictures,
} from '../../pieces/texts/attach-pictures.tsx';
import { FieldMarks } from '../../pieces/texts/field-marks.tsx';
import { asSent, characterLimit, costLabel, isTooLong, textProblem } from '../../pieces/texts/text-rules.ts';
import { useAccount, useTimeZone } from '../../queries/current-user.ts';
import { sayTyping } from '../../queries/presence.ts';
import { formatCount } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { untilOnline } from '../../ui/until-online.ts';
import { useMenu } from '../../ui/use-menu.ts';
import { nameOf } from '../names.ts';
import { ComposerFrame } from './composer-frame.tsx';
import { SlashMenu, useSlashMenu } from './slash-menu.tsx';
import { putIn, type SlashWord } from './slash-word.ts';
import { StartTimeRow } from './start-time-row.tsx';
import type { useSubmitText } from './submit-text.ts';
import { WhatTheyGet } from './what-they-get.tsx';
import type { Writing } from './writing.ts';

// Rarely opened, so their code loads on demand.
const MergeFieldsMenu = lazy(
  untilOnline(async () => ({
    default: (await import('../../pieces/texts/merge-fields-menu.tsx')).MergeFieldsMenu,
  })),
);
const TextWarnings = lazy(
  untilOnline(async () => ({
    default: (await import('../../pieces/texts/text-warnings.tsx')).TextWarnings,
  })),
);
const SavedTextsPicker = lazy(
  untilOnline(async () => ({
    default: (await import('../../pieces/templates/saved-texts-picker.tsx')).SavedTextsPicker,
  })),
);
const SaveTextDialog = lazy(
  untilOnline(async () => ({
    default: (await import('../../pieces/templates/save-text-dialog.tsx')).SaveTextDialog,
  })),
);

interface ComposerProps {
  conversation: Conversation;
  writing: Writing;
  submitting: ReturnType<typeof useSubmitText>;
  /** The sending number; undefined while the numbers load. */
  from: TextNumber | undefined;
  inputRef: Ref<HTMLTextAreaElement>;
  isNarrow: boolean;
  onWriteNote: () => void;
}

/** Writes texts to the contact. "/" finds saved texts. */
export function Composer(props: ComposerProps) {
  const { conversation, writing, submitting, from, isNarrow } = props;
  const { draft, change: onChange, signature, startAt } = writing;
  const { merged, isBusy } = submitting;
  const account = useAccount();
  const limit = characterLimit(account);
  const suffix = signature?.isOn ? signature.text : undefined;
  const [isEmptyPressed, setEmptyPressed] = useState(false);
  const [picker, setPicker] = useState<HTMLElement | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [isLibraryKnown, setLibraryKnown] = useState(false);
  if ((picker || isSaving) && !isLibraryKnown) setLibraryKnown(true);
  const fields = useMenu();
  const [areFieldsKnown, setFieldsKnown] = useState(false);
  if (fields.menuProps.open && !areFieldsKnown) setFieldsKnown(true);
  const zone = useTimeZone();
  const closeLater = () => {
    writing.setStartAt(undefined);
    field.current?.focus();
  };
  const toggleLater = useEventCallback(() => {
    if (startAt !== undefined) closeLater();
    else writing.setStartAt(firstStartTime(Date.now(), zone));
  });
  const toggleSignature = useEventCallback(() => signature?.toggle());
  const openSaving = useCallback(() => setSaving(true), []);
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const inputRef = useForkRef(field, props.inputRef);
  const addPicture = (picture: MediaItem) =>
    onChange((before) => ({ ...before, pictures: [...before.pictures, picture] }));
  const attachment = useAttachPictures({ count: draft.pictures.length, onAdd: addPicture });
  const choosePictures = useEventCallback((files: File[]) => void attachment.attach(files));

  /** The caret position or selection. */
  const selected = () => {
    const start = field.current?.selectionStart ?? draft.text.length;
    return { start, end: field.current?.selectionEnd ?? start };
  };
  const putCaret = (caret: number) =>
    // Once the field shows the new text.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(caret, caret);
    });
  const insertField = (piece: string) => {
    const { text, caret } = putIn(draft.text, piece, selected());
    onChange((before) => ({ ...before, text }));
    putCaret(caret);
  };
  const insert = (saved: ChosenText, place: Pick<SlashWord, 'start' | 'end'>) => {
    const { text: piece, missing } = personalize(saved.TemplateText, valuesOf(conversation));
    const { text, caret } = putIn(draft.text, piece, place);
    const pictures = attachment.choose(saved.Media);
    onChange((before) => ({
      ...before,
      text,
      pictures: [...before.pictures, ...pictures].slice(0, picturesInText),
    }));
    if (missing.length > 0)
      showSnackbar(`This contact has no ${missing.join(', ')}. Check the text before you send it.`);
    putCaret(caret);
  };
  const menu = useSlashMenu(insert);

  const going = asSent(merged.shown ?? draft.text, draft.keepsCharacters);
  const tooLong = isTooLong(going, limit, suffix);
  const isScheduled = startAt !== undefined;
  const problem =
    textProblem(going, { pictures: draft.pictures.length, limit, signature: suffix, isScheduled }) ??
    personalizedFieldError(draft.text);
  const send = (how?: { done: true }) => {
    // A picture still uploading belongs to this text.
    if (attachment.uploading > 0) return;
    setEmptyPressed(problem !== undefined);
    if (problem === undefined) void submitting.submit(how);
  };
  const type = (text: string, caret: number | null) => {
    setEmptyPressed(false);
    onChange((before) => ({ ...before, text }));
    menu.look(text, caret);
    if (text.trim() !== '') sayTyping(conversation.ConversationID);
  };

  return (
    <>
      <ComposerFrame
        name={say('Reply')}
        label={`Text to ${nameOf(conversation)}`}
        placeholder="Write a text"
        value={draft.text}
        onChange={type}
        onSubmit={() => send()}
        onSubmitDone={() => send({ done: true })}
        onKeyDown={menu.onKeyDown}
        onPaste={attachment.onPaste}
        onBlur={menu.close}
        inputRef={inputRef}
        frameRef={setFrame}
        aria={menu.aria}
        error={tooLong || isEmptyPressed ? problem : submitting.error}
        isNarrow={isNarrow}
        isBusy={isBusy || attachment.uploading > 0}
        submit={
          startAt === undefined
            ? {
                label: 'Send',
                icon: Send,
                tip: 'Enter sends. Ctrl+Enter sends and marks the conversation done.',
              }
            : { label: 'Schedule', icon: CalendarClock }
        }
        marks={<FieldMarks text={draft.text} />}
        above={
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
        }
        below={
          <>
            {draft.text.trim() !== '' && (
              <Suspense>
                <Box sx={{ display: 'grid', gap: 1, px: '14px', pb: 1, '&:empty': { display: 'none' } }}>
                  <TextWarnings
                    text={draft.text}
                    keepsCharacters={draft.keepsCharacters}
                    onKeep={(keepsCharacters) => onChange((before) => ({ ...before, keepsCharacters }))}
                  />
                </Box>
              </Suspense>
            )}
            {merged.shown !== undefined && <WhatTheyGet conversation={conversation} merged={merged} />}
            {startAt !== undefined && (
              <StartTimeRow startAt={startAt} onChange={writing.setStartAt} onClose={closeLater} />
            )}
          </>
        }
        tools={
          <>
            <AttachButton onChoose={choosePictures} />
            <Tool icon={Braces} label="Personalize" buttonProps={fields.buttonProps} />
            <Tool icon={BookMarked} label="Saved texts" tip="Saved texts (/)" onPress={setPicker} />
            {!isNarrow && (
              <Tool
                icon={BookmarkPlus}
                label="Save this text"
                isDisabled={draft.text.trim() === ''}
                onPress={openSaving}
              />
            )}
            {signature && (
              <Tool
                icon={Signature}
                label="Signature"
                tip={signature.isOn ? `Includes your signature: ${signature.text}` : 'No signature'}
                isOn={signature.isOn}
                onPress={toggleSignature}
              />
            )}
            <Tool icon={Clock} label="Send later" isOn={startAt !== undefined} onPress={toggleLater} />
            <Tool
              icon={StickyNote}
              label="Write a note"
              tip="Write a note for the team (n)"
              onPress={props.onWriteNote}
            />
          </>
        }
        count={
          <Box component="span" sx={{ color: tooLong ? 'error.main' : 'inherit' }}>
            {!isNarrow && 'Characters: '}
            {formatCount(textLength(going, suffix))}/{formatCount(limit)}
          </Box>
        }
        note={from ? `From ${textNumberLine(from)}` : ''}
        cost={costLabel(going, { pictures: draft.pictures.length, account, number: from, signature: suffix })}
      />
      <SlashMenu menu={menu} anchor={frame} />
      {areFieldsKnown && (
        <Suspense>
          <MergeFieldsMenu menu={fields} onChoose={insertField} />
        </Suspense>
      )}
      {isLibraryKnown && (
        <Suspense>
          <SavedTextsPicker
            anchor={picker}
            onChoose={(saved) => {
              insert(saved, selected());
            }}
            // A phone has no room for a separate button.
            onSave={isNarrow && draft.text.trim() !== '' ? openSaving : undefined}
            onClose={() => setPicker(null)}
          />
          <SaveTextDialog
            isOpen={isSaving}
            text={draft.text.trim()}
            pictures={draft.pictures}
            onClose={() => setSaving(false)}
          />
        </Suspense>
      )}
      <PictureProblemDialog problem={attachment.problem} onClose={attachment.forgetProblem} />
    </>
  );
}

function valuesOf({ FirstName, LastName, Notes, PhoneNumber }: Conversation) {
  return mergeValues({ firstName: FirstName, lastName: LastName, notes: Notes, phone: PhoneNumber });
}

interface ToolProps {
  icon: LucideIcon;
  label: string;
  tip?: string;
  /** For a toggle. */
  isOn?: boolean;
  isDisabled?: boolean;
  onPress?: (anchor: HTMLElement) => void;
  /** For a button that opens a menu. */
  buttonProps?: ReturnType<typeof useMenu>['buttonProps'];
}

const Tool = memo(function Tool(props: ToolProps) {
  const { icon: Icon, label, tip = label, isOn, isDisabled = false, onPress, buttonProps } = props;
  const button = (
    <IconButton
      aria-label={label}
      aria-pressed={isOn}
      disabled={isDisabled}
      onClick={(event: MouseEvent<HTMLElement>) => onPress?.(event.currentTarget)}
      {...buttonProps}
    >
      <Icon />
    </IconButton>
  );
  // Disabled buttons fire no events for the tooltip.
  return isDisabled ? button : <Tooltip title={tip}>{button}</Tooltip>;
});
