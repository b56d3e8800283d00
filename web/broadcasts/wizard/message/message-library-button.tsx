import Button from '@mui/material/Button';
import { BookMarked } from 'lucide-react';
import { useState } from 'react';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { SaveTextDialog } from '../../../pieces/templates/save-text-dialog.tsx';
import type { ChosenText } from '../../../pieces/templates/saved-texts.tsx';
import { SavedTextsPicker } from '../../../pieces/templates/saved-texts-picker.tsx';
import { useMenu } from '../../../ui/use-menu.ts';

interface MessageLibraryButtonProps {
  draft: DraftBroadcast;
  onChoose: (saved: ChosenText) => void;
}

/** Opens saved texts, where this one can be saved too. */
export function MessageLibraryButton({ draft, onChoose }: MessageLibraryButtonProps) {
  const { anchorEl, close, buttonProps } = useMenu('dialog');
  const [isSaving, setSaving] = useState(false);
  const text = draft.TextMessage.trim();
  const hasSomething = text !== '' || draft.Media.length > 0;
  return (
    <>
      <Button variant="outlined" startIcon={<BookMarked aria-hidden />} {...buttonProps}>
        Message library
      </Button>
      <SavedTextsPicker
        isBelow
        anchor={anchorEl}
        onChoose={onChoose}
        onSave={hasSomething ? () => setSaving(true) : undefined}
        onClose={close}
      />
      <SaveTextDialog isOpen={isSaving} text={text} pictures={draft.Media} onClose={() => setSaving(false)} />
    </>
  );
}
