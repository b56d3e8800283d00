import type { TextNumber } from '../../../contract/numbers.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { formatAbsolute } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import { AssignPicker } from './assign-picker.tsx';
import type { ConversationChange } from './change-conversations.ts';
import type { Asked } from './conversation-actions.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { SnoozeMenu } from './snooze-menu.tsx';
import { TagPicker } from './tag-picker.tsx';

interface ActionMenusProps {
  asked: Asked;
  isOpen: boolean;
  numbers: readonly TextNumber[];
  isBusy: boolean;
  /** `became` completes the sentence that confirms the change. */
  onChange: (update: ConversationChange, became: string) => void;
  onMove: (textNumberId: number) => Promise<boolean>;
  onManageTags: () => void;
  onClose: () => void;
}

/** The menus and dialogs of actions that need input: tags, assignee, snooze time or text number. */
export function ActionMenus(props: ActionMenusProps) {
  const { asked, isOpen, numbers, isBusy, onChange, onMove, onManageTags, onClose } = props;
  const zone = useTimeZone();
  const anchorOf = (kind: Asked['kind']) => (isOpen && asked.kind === kind ? asked.anchor : null);
  const { rows, count } = asked.targets;
  const textNumberIds = [...new Set(rows.map(({ TextNumberID }) => TextNumberID))];
  return (
    <>
      <TagPicker
        anchor={anchorOf('tags')}
        current={rows.map(({ Tags }) => Tags)}
        onApply={({ add, remove }) =>
          onChange(
            {
              ...(add.length > 0 ? { AddTagIDs: add } : {}),
              ...(remove.length > 0 ? { RemoveTagIDs: remove } : {}),
            },
            say('tagged'),
          )
        }
        onManage={onManageTags}
        onClose={onClose}
      />
      <AssignPicker
        anchor={anchorOf('assign')}
        textNumberIds={textNumberIds}
        onChoose={(userId, name) =>
          onChange({ AssignedUserID: userId }, userId === null ? say('unassigned') : `assigned to ${name}`)
        }
        onClose={onClose}
      />
      <SnoozeMenu
        anchor={anchorOf('snooze')}
        canUnsnooze={rows.some(({ SnoozedUntil }) => SnoozedUntil !== null)}
        onChoose={(until) =>
          onChange(
            { SnoozedUntil: until },
            until === null ? 'no longer snoozed' : `snoozed until ${formatAbsolute(until, zone)}`,
          )
        }
        onClose={onClose}
      />
      <MoveDialog
        isOpen={isOpen && asked.kind === 'move'}
        count={count}
        fromId={textNumberIds.length === 1 ? textNumberIds[0] : undefined}
        numbers={numbers}
        isBusy={isBusy}
        onMove={onMove}
        onClose={onClose}
      />
    </>
  );
}
