import { useQueryClient } from '@tanstack/react-query';
import {
  addEmergencyMessage,
  getEmergencySettings,
  updateEmergencyMessage,
} from '../../../contract/addresses/emergencies.gen.ts';
import type { EmergencyMessage } from '../../../contract/emergencies.ts';
import { emergencyMessageForm } from '../../../contract/forms/emergency.ts';
import { useCall } from '../../queries/calls.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { FormText } from '../../ui/form-fields.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';

interface MessageDialogProps {
  isOpen: boolean;
  /** The message to edit; undefined for a new one. */
  message: EmergencyMessage | undefined;
  onClose: () => void;
}

export function MessageDialog({ isOpen, message, onClose }: MessageDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={560} isFullOnPhone isKeptOnClickBeside>
      <MessageForm message={message} onClose={onClose} />
    </FormDialog>
  );
}

/** The title is the button's label on the emergency screen. */
function MessageForm({ message, onClose }: Omit<MessageDialogProps, 'isOpen'>) {
  const client = useQueryClient();
  const add = useCall(addEmergencyMessage);
  const update = useCall(updateEmergencyMessage);
  const { control, problem, isSubmitting, submit } = useContractForm({
    rules: emergencyMessageForm,
    values: {
      Title: message?.Title ?? '',
      TextMessage: message?.TextMessage ?? '',
      SpokenText: message?.SpokenText ?? '',
    },
    failed: message ? 'There was an error updating your message.' : 'There was an error adding your message.',
    save: async (body) => {
      if (message) {
        const { EmergencyMessageID } = message;
        await update.mutateAsync({ params: { EmergencyMessageID }, body });
      } else await add.mutateAsync({ body });
      void client.invalidateQueries({ queryKey: [getEmergencySettings.path] });
      showSnackbar('Message saved.');
      onClose();
    },
  });
  return (
    <DialogForm
      title={message ? 'Edit message' : 'New message'}
      action="Save"
      problem={problem}
      isDisabled={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormText
        control={control}
        name="Title"
        label="Title"
        autoComplete="off"
        placeholder="School closed"
        help="The button on the emergency screen."
      />
      <FormText
        control={control}
        name="TextMessage"
        label="Text"
        multiline
        minRows={3}
        maxRows={8}
        help="Say who you are, what happened, and what people should do."
      />
      <FormText
        control={control}
        name="SpokenText"
        label="What calls say"
        multiline
        minRows={3}
        maxRows={8}
        help="A voice reads this. Short messages are repeated."
      />
    </DialogForm>
  );
}
