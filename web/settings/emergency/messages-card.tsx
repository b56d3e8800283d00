import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Siren, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteEmergencyMessage, getEmergencySettings } from '../../../contract/addresses/emergencies.gen.ts';
import type { EmergencyMessage } from '../../../contract/emergencies.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { DeleteDialog } from '../delete-dialog.tsx';
import { Row, RowButton, Rows } from '../rows.tsx';
import { MessageDialog } from './message-dialog.tsx';

type Open = 'message' | 'delete' | undefined;

/** The messages that are ready for an emergency. */
export function MessagesCard({ messages }: { messages: readonly EmergencyMessage[] }) {
  const [open, setOpen] = useState<Open>();
  const [chosen, setChosen] = useState<EmergencyMessage>();
  const show = (next: Open, message?: EmergencyMessage) => {
    setChosen(message);
    setOpen(next);
  };
  const close = () => setOpen(undefined);
  return (
    <Card
      title="Messages"
      count={messages.length > 0 ? messages.length : undefined}
      action={
        <Button
          size="small"
          startIcon={<Plus aria-hidden />}
          disabled={messages.length >= limits.emergency.messages}
          onClick={() => show('message')}
        >
          New message
        </Button>
      }
    >
      {messages.length === 0 ? (
        <EmptyState icon={Siren} title="No messages yet">
          Write down now what you would say: school closed, lockdown, severe weather.
        </EmptyState>
      ) : (
        <Rows label="Messages">
          {messages.map((message) => (
            <Row
              key={message.EmergencyMessageID}
              actions={
                <>
                  <RowButton
                    label={`Edit ${message.Title}`}
                    tip="Edit"
                    onPress={() => show('message', message)}
                  >
                    <Pencil />
                  </RowButton>
                  <RowButton
                    label={`Delete ${message.Title}`}
                    tip="Delete"
                    onPress={() => show('delete', message)}
                  >
                    <Trash2 />
                  </RowButton>
                </>
              }
            >
              <Typography sx={{ fontWeight: 550 }}>{message.Title}</Typography>
              <Typography variant="body2" sx={{ mt: '2px', whiteSpace: 'pre-wrap' }}>
                {message.TextMessage}
              </Typography>
              <Typography variant="body2" sx={{ mt: '4px', color: 'text.secondary', whiteSpace: 'pre-wrap' }}>
                Calls say: {message.SpokenText}
              </Typography>
            </Row>
          ))}
        </Rows>
      )}
      <MessageDialog isOpen={open === 'message'} message={chosen} onClose={close} />
      <DeleteMessage isOpen={open === 'delete'} message={chosen} onClose={close} />
    </Card>
  );
}

interface DeleteMessageProps {
  isOpen: boolean;
  message: EmergencyMessage | undefined;
  onClose: () => void;
}

function DeleteMessage({ isOpen, message, onClose }: DeleteMessageProps) {
  const client = useQueryClient();
  const { mutate, isPending } = useCall(deleteEmergencyMessage, {
    onError: (error) => {
      // Someone else already deleted it, which is what the user wanted.
      if (!isNotFound(error)) showSnackbar(shownMessage(error, 'There was an error deleting your message.'));
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [getEmergencySettings.path] });
      onClose();
    },
  });
  return (
    <DeleteDialog
      isOpen={isOpen}
      title={`Delete ${message?.Title ?? ''}?`}
      isBusy={isPending}
      onDelete={() => message && mutate({ params: { EmergencyMessageID: message.EmergencyMessageID } })}
      onClose={onClose}
    >
      It’s no longer offered on the emergency screen. This can’t be undone.
    </DeleteDialog>
  );
}
