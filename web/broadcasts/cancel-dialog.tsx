import type { Broadcast } from '../../contract/broadcasts.ts';
import { placesCalls } from '../../contract/money/units.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { countOf } from '../ui/format.ts';
import type { BroadcastActions } from './broadcast-actions.ts';
import { hasGoneOut, waitingPeople } from './what-can-be-done.ts';

interface CancelDialogProps {
  broadcast: Broadcast;
  actions: BroadcastActions;
  onClose: () => void;
}

export function CancelDialog({ broadcast, actions, onClose }: CancelDialogProps) {
  const { BroadcastName, BroadcastType } = broadcast;
  const isUntouched = !hasGoneOut(broadcast);
  const isCalling = placesCalls(BroadcastType);
  const waiting = countOf(waitingPeople(broadcast), 'person', 'people');
  const cancel = async () => {
    if (await actions.cancel(broadcast)) onClose();
  };
  return (
    <AskDialog
      title="Cancel this broadcast?"
      keep="Keep it"
      action="Cancel broadcast"
      isBusy={actions.isBusy}
      onDo={() => void cancel()}
      onClose={onClose}
    >
      {isUntouched
        ? `Nobody will get ${BroadcastName}.`
        : `${waiting} who don’t have ${BroadcastName} yet won’t get it. ${isCalling ? 'Calls under way are ended.' : 'Texts that were already sent can’t be recalled.'}`}{' '}
      Their reserved credits are released. This can’t be undone.
    </AskDialog>
  );
}
