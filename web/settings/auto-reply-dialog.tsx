import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  addAutoReply,
  listAutoReplies,
  listAutoRepliesOfNumber,
  updateAutoReply,
} from '../../contract/addresses/replies.gen.ts';
import type { AutoReply } from '../../contract/auto-replies.ts';
import { limits } from '../../contract/reference/limits.ts';
import { sampleAutoReply } from '../../contract/reference/sample-auto-reply.ts';
import { useCall } from '../queries/calls.ts';
import { RadioBoxes } from '../ui/choices.tsx';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useFormErrors } from '../ui/use-form-errors.ts';
import { type AutoReplyDraft, bodyOf, draftOf, draftProblems } from './auto-reply-form.ts';
import { MessageField } from './form-parts.tsx';
import { NumbersField } from './numbers-field.tsx';
import { WeekHoursField } from './week-hours-field.tsx';

export const updateError = 'There was an error updating your auto reply.';

interface AutoReplyDialogProps {
  isOpen: boolean;
  /** The auto reply to edit, or the sample to begin with; undefined for an empty new one. */
  reply: AutoReply | undefined;
  onClose: () => void;
}

/** Edits an auto reply: its text numbers, schedule and message. */
export function AutoReplyDialog({ isOpen, reply, onClose }: AutoReplyDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={560} isFullOnPhone isKeptOnClickBeside>
      <AutoReplyForm reply={reply} onClose={onClose} />
    </FormDialog>
  );
}

const modes = [
  { value: 'Never', title: 'Never', sentence: 'These numbers send no auto reply.' },
  { value: 'Always', title: 'Always', sentence: 'At any time, every day.' },
  { value: 'Custom', title: 'Custom', sentence: 'On the days and at the hours you choose.' },
] as const;

function AutoReplyForm({ reply, onClose }: Omit<AutoReplyDialogProps, 'isOpen'>) {
  const client = useQueryClient();
  const add = useCall(addAutoReply);
  const update = useCall(updateAutoReply);
  const [draft, setDraft] = useState(() => draftOf(reply));
  const { errors, submit } = useFormErrors();
  const change = (changed: Partial<AutoReplyDraft>) => setDraft((before) => ({ ...before, ...changed }));
  const save = async () => {
    const body = bodyOf(draft);
    if (reply && reply !== sampleAutoReply)
      await update.mutateAsync({ params: { AutoReplyID: reply.ID }, body });
    else await add.mutateAsync({ body });
    for (const call of [listAutoReplies, listAutoRepliesOfNumber])
      void client.invalidateQueries({ queryKey: [call.path] });
    showSnackbar('Auto reply saved.');
    onClose();
  };
  return (
    <DialogForm
      title="Auto reply settings"
      intro="Each person gets it at most once every 12 hours."
      problem={errors.form}
      action="Save"
      isDisabled={add.isPending || update.isPending}
      onSubmit={() => void submit({ problems: draftProblems(draft), save, failed: updateError })}
      onClose={onClose}
    >
      <NumbersField
        value={draft.TextNumberIDs}
        help="Each number has one auto reply. A number you choose here drops its current one."
        error={errors.TextNumberIDs}
        onChange={(TextNumberIDs) => change({ TextNumberIDs })}
      />
      <RadioBoxes label="When" value={draft.Mode} choices={modes} onChange={(Mode) => change({ Mode })} />
      {draft.Mode === 'Custom' && <WeekHoursField draft={draft} errors={errors} onDraft={setDraft} />}
      <MessageField
        label="Message"
        most={limits.autoReplyMessage}
        value={draft.Message}
        error={errors.Message}
        onChange={(Message) => change({ Message })}
      />
    </DialogForm>
  );
}
