import type { ScheduledConversation } from '../../contract/scheduled.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { peopleWords } from './scheduled-words.ts';

interface AskAboutProps {
  about: 'send' | 'cancel';
  one: ScheduledConversation;
  isBusy: boolean;
  onDo: () => void;
  onClose: () => void;
}

/** Confirms sending or canceling, because neither can be undone. */
export function AskAbout({ about, one, ...rest }: AskAboutProps) {
  const people = peopleWords(one.Contacts);
  if (about === 'send')
    return (
      <AskDialog title="Send this text now?" action="Send now" keep="Not now" isHarmless {...rest}>
        It goes to {people} right away.
      </AskDialog>
    );
  return (
    <AskDialog title="Cancel this text?" action="Cancel the text" keep="Keep it" {...rest}>
      It won’t be sent to {people}. This can’t be undone.
    </AskDialog>
  );
}
