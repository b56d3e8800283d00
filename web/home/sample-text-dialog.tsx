import { useState } from 'react';
import { sendSampleText } from '../../contract/addresses/onboarding.gen.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { shownMessage } from '../api.ts';
import { useCall } from '../queries/calls.ts';
import { Choice, RadioBoxes } from '../ui/choices.tsx';
import { Field } from '../ui/field.tsx';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';

interface SampleTextProps {
  /** Verified numbers. */
  phones: readonly string[];
  messages: readonly string[];
  onClose: () => void;
}

/** A canned message to the user's own phone, to see how a text arrives. */
export function SampleTextDialog({ isOpen, ...props }: SampleTextProps & { isOpen: boolean }) {
  return (
    <FormDialog isOpen={isOpen} onClose={props.onClose} width={520}>
      <SampleTextForm {...props} />
    </FormDialog>
  );
}

function SampleTextForm({ phones, messages, onClose }: SampleTextProps) {
  const [phone, setPhone] = useState(phones[0] ?? '');
  const [message, setMessage] = useState(messages[0] ?? '');
  const send = useCall(sendSampleText, {
    onSuccess: () => {
      showSnackbar(`Sample sent to ${formatPhone(phone)}.`);
      onClose();
    },
  });
  return (
    <DialogForm
      title="Send a sample text"
      intro="It comes from Muster’s own number and costs nothing."
      problem={send.error ? shownMessage(send.error, 'There was an error sending your message.') : undefined}
      action="Send sample"
      isDisabled={send.isPending}
      onSubmit={() => send.mutate({ body: { PhoneNumber: phone, Message: message } })}
      onClose={onClose}
    >
      <Field label="To">
        {({ id }) => (
          <Choice
            id={id}
            value={phone}
            choices={phones.map((each) => ({ value: each, label: formatPhone(each) }))}
            onChange={setPhone}
          />
        )}
      </Field>
      <RadioBoxes
        label="Message"
        value={message}
        choices={messages.map((each) => ({ value: each, title: each, sentence: '' }))}
        onChange={setMessage}
      />
    </DialogForm>
  );
}
