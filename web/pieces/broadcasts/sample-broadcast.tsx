import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { listBroadcasts, sendSampleBroadcast } from '../../../contract/addresses/broadcasts.gen.ts';
import { getPlatformFreeTrial } from '../../../contract/addresses/onboarding.gen.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { shownMessage } from '../../api.ts';
import { useAttempt } from '../../queries/attempt.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { RadioBoxes } from '../../ui/choices.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';

/** Sends a canned message to all verified phones, and opens its results. */
export function SampleBroadcastButton() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Send a sample broadcast</Button>
      <FormDialog isOpen={isOpen} onClose={close} width={520}>
        <SampleForm onClose={close} />
      </FormDialog>
    </>
  );
}

function SampleForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const attempt = useAttempt();
  const { data: trial } = useCallQuery(getPlatformFreeTrial, {});
  const [chosen, setChosen] = useState<string>();
  const send = useCall(sendSampleBroadcast);
  const messages = trial?.cannedPftMessages ?? [];
  const Message = chosen ?? messages[0] ?? '';
  const submit = async () => {
    const body = { Message };
    const { BroadcastID } = await attempt(body, (idempotencyKey) =>
      send.mutateAsync({ body, idempotencyKey }),
    );
    void client.invalidateQueries({ queryKey: [listBroadcasts.path] });
    onClose();
    await navigate({ to: '/broadcasts/$broadcastId', params: { broadcastId: BroadcastID } });
  };
  return (
    <DialogForm
      title="Send a sample broadcast"
      intro={introOf(trial?.mfaPhoneNumbers ?? [])}
      problem={
        send.error ? shownMessage(send.error, 'There was an error creating your broadcast') : undefined
      }
      action="Send sample"
      isDisabled={send.isPending || Message === ''}
      // Its error is shown above.
      onSubmit={() => void submit().catch(() => undefined)}
      onClose={onClose}
    >
      <RadioBoxes
        label="Message"
        value={Message}
        choices={messages.map((each) => ({ value: each, title: each, sentence: '' }))}
        onChange={setChosen}
      />
    </DialogForm>
  );
}

function introOf(phones: readonly string[]): string {
  const cost = 'It costs nothing.';
  return phones.length === 0
    ? `It goes to the phones that you have verified. ${cost}`
    : `It goes to ${phones.map((phone) => formatPhone(phone)).join(', ')}. ${cost}`;
}
