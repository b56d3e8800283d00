import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { sendMfa, verifyMfa } from '../../../contract/addresses/onboarding.gen.ts';
import { mfaCodeForm, mfaPhoneForm } from '../../../contract/forms/mfa.ts';
import { formatPhone, typedPhone } from '../../../contract/phone/format-phone.ts';
import { callApi, shownMessage } from '../../api.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormText } from '../../ui/form-fields.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';

const failed = 'There was an error verifying your phone number.';

interface VerifyPhoneProps {
  countryId: number;
  /** The phone of the API that the field begins with. */
  phone?: string;
  onVerified: (phone: string) => void;
}

/** Texts a code to a phone and takes it: in onboarding, and in the dialog below. */
export function VerifyPhone({ countryId, phone = '', onVerified }: VerifyPhoneProps) {
  const [sentTo, setSentTo] = useState('');
  return sentTo === '' ? (
    <PhonePart countryId={countryId} phone={phone} onSent={setSentTo} />
  ) : (
    <CodePart phone={sentTo} onVerified={onVerified} onOther={() => setSentTo('')} />
  );
}

async function send(PhoneNumber: string): Promise<string> {
  const sent = await callApi(sendMfa, { body: { Channel: 'sms', PhoneNumber } }, { missing: 'refuse' });
  return sent.PhoneNumber;
}

interface PhonePartProps {
  countryId: number;
  phone: string;
  onSent: (phone: string) => void;
}

function PhonePart({ countryId, phone, onSent }: PhonePartProps) {
  const { control, problem, submit, isSubmitting } = useContractForm({
    rules: mfaPhoneForm({ countryId }),
    values: { PhoneNumber: phone && typedPhone(phone, countryId) },
    failed,
    save: async ({ PhoneNumber }) => onSent(await send(PhoneNumber)),
  });
  return (
    <Part problem={problem} onSubmit={submit}>
      <FormText
        control={control}
        name="PhoneNumber"
        label="Phone number"
        type="tel"
        autoComplete="tel"
        help="We’ll text you a code with 6 digits."
      />
      <div>
        <Button type="submit" variant="contained" color="primary" disabled={isSubmitting}>
          Text me a code
        </Button>
      </div>
    </Part>
  );
}

interface CodePartProps {
  phone: string;
  onVerified: (phone: string) => void;
  onOther: () => void;
}

function CodePart({ phone, onVerified, onOther }: CodePartProps) {
  const [again, setAgain] = useState<{ isError: boolean; words: string }>();
  const { control, problem, submit, isSubmitting } = useContractForm({
    rules: mfaCodeForm,
    values: { Code: '' },
    failed,
    save: async ({ Code }) => {
      const verified = await callApi(verifyMfa, { params: { Code } }, { missing: 'refuse' });
      onVerified(verified.PhoneNumber);
    },
  });
  const sendAgain = () =>
    void send(phone).then(
      () => setAgain({ isError: false, words: 'We texted you a new code. Use that one.' }),
      (error: unknown) => setAgain({ isError: true, words: shownMessage(error, failed) }),
    );
  return (
    <Part problem={problem} onSubmit={submit}>
      {again && <Notice kind={again.isError ? 'error' : 'success'}>{again.words}</Notice>}
      <Typography>
        We texted a code to <strong>{formatPhone(phone)}</strong>. It can take a minute to arrive.
      </Typography>
      <FormText
        control={control}
        name="Code"
        label="Code"
        autoFocus
        autoComplete="one-time-code"
        slotProps={{ input: { inputMode: 'numeric', maxLength: 6 } }}
        sx={{ maxWidth: 160, fontVariantNumeric: 'tabular-nums', letterSpacing: '0.2em' }}
      />
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        <Button type="submit" variant="contained" color="primary" disabled={isSubmitting}>
          Verify
        </Button>
        <Button onClick={sendAgain}>Send a new code</Button>
        <Button variant="text" onClick={onOther}>
          Use another number
        </Button>
      </Box>
    </Part>
  );
}

interface PartProps {
  problem: string | undefined;
  onSubmit: () => void;
  children: React.ReactNode;
}

function Part({ problem, onSubmit, children }: PartProps) {
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      sx={{ display: 'grid', gap: 2 }}
    >
      {problem && <Notice kind="error">{problem}</Notice>}
      {children}
    </Box>
  );
}

interface VerifyPhoneDialogProps extends VerifyPhoneProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The verification dialog. */
export function VerifyPhoneDialog({ isOpen, onClose, onVerified, ...phone }: VerifyPhoneDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={440} isKeptOnClickBeside>
      <DialogTitle>Verify a phone</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography sx={{ color: 'text.secondary' }}>
          During the free trial, you can text only verified numbers. Verify each phone that you want to try
          Muster with.
        </Typography>
        <VerifyPhone
          {...phone}
          onVerified={(verified) => {
            onVerified(verified);
            onClose();
          }}
        />
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose}>
          Cancel
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
