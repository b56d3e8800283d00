import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { Lock, MessageSquareText } from 'lucide-react';
import { type Ref, useRef, useState } from 'react';
import { addNote, listNotes } from '../../../contract/addresses/conversations.gen.ts';
import { noteLength } from '../../../contract/notes.ts';
import { fieldMessages, newIdempotencyKey } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { useNoteDraft } from '../../queries/drafts.ts';
import { formatCount } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import { ComposerFrame } from './composer-frame.tsx';

interface NoteComposerProps {
  conversationId: number;
  inputRef: Ref<HTMLTextAreaElement>;
  isNarrow: boolean;
  /** Switches back to texting. */
  onWriteText: () => void;
}

/** Writes notes to the team, in another color, so that nothing private is sent by mistake. */
export function NoteComposer({ conversationId, inputRef, isNarrow, onWriteText }: NoteComposerProps) {
  const client = useQueryClient();
  const [draft, changeDraft] = useNoteDraft(conversationId);
  const add = useCall(addNote);
  const [error, setError] = useState<string>();
  // One key per note, so that a retry can't write it twice.
  const attempt = useRef({ note: '', key: '' });
  const text = draft.text.trim();
  const isLong = text.length > noteLength;
  const save = async () => {
    if (add.isPending) return;
    if (attempt.current.note !== text) attempt.current = { note: text, key: newIdempotencyKey() };
    try {
      await add.mutateAsync({
        params: { ConversationID: conversationId },
        body: { Note: text },
        idempotencyKey: attempt.current.key,
      });
      attempt.current = { note: '', key: '' };
      changeDraft(() => ({ text: '', pictures: [] }));
      await client.invalidateQueries({
        queryKey: [listNotes.path, { ConversationID: conversationId }],
      });
      onWriteText();
    } catch (problem) {
      setError(fieldMessages(problem).Note ?? 'There was an error adding your note.');
    }
  };
  return (
    <ComposerFrame
      name={say('Note')}
      label="Note for the team"
      placeholder="Write a note"
      value={draft.text}
      onChange={(next) => {
        setError(undefined);
        changeDraft((before) => ({ ...before, text: next }));
      }}
      onSubmit={() => void save()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return false;
        event.preventDefault();
        onWriteText();
        return true;
      }}
      inputRef={inputRef}
      error={error}
      isPrivate
      isNarrow={isNarrow}
      isBusy={add.isPending}
      submit={{ label: 'Add note', icon: Lock }}
      tools={
        <Button
          variant="text"
          size="small"
          startIcon={<MessageSquareText aria-hidden />}
          onClick={onWriteText}
        >
          Write a text
        </Button>
      }
      count={isLong ? `${formatCount(text.length)}/${formatCount(noteLength)}` : ''}
      note="Only your team sees this. It is never sent."
    />
  );
}
