import Box from '@mui/material/Box';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { signatureLength, type User } from '../../contract/accounts.ts';
import { getAccount, getUser, updateUser } from '../../contract/addresses/accounts.gen.ts';
import { shownMessage } from '../api.ts';
import { useCall } from '../queries/calls.ts';
import { useUser } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { TextField } from '../ui/field.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { SwitchRow } from '../ui/switch-row.tsx';
import { CardForm, SaveButton } from './form-parts.tsx';

/** The user's signature. Each conversation can turn it on or off. */
export function SignatureCard() {
  const user = useUser();
  if (!user) return null;
  const { IsEnabled, SignatureText } = user.Signature;
  return (
    <Card title="Signature">
      {/* Remounts when another tab changes it. */}
      <SignatureForm key={`${IsEnabled} ${SignatureText}`} user={user} />
    </Card>
  );
}

function SignatureForm({ user }: { user: User }) {
  const client = useQueryClient();
  const { mutateAsync, isPending } = useCall(updateUser);
  const [isOn, setOn] = useState(user.Signature.IsEnabled);
  const [text, setText] = useState(user.Signature.SignatureText);
  const [problem, setProblem] = useState<string>();
  const isSame = isOn === user.Signature.IsEnabled && text.trim() === user.Signature.SignatureText;
  const save = async () => {
    setProblem(isOn && text.trim() === '' ? 'Enter a Signature' : undefined);
    if (isOn && text.trim() === '') return;
    try {
      await mutateAsync({ body: { Signature: { IsEnabled: isOn, SignatureText: text } } });
      showSnackbar('Signature saved.');
      const paths = [getAccount.path, getUser.path];
      await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: [path] })));
    } catch (error) {
      setProblem(shownMessage(error, 'There was an error adding, getting or updating your signature'));
    }
  };
  return (
    <CardForm onSubmit={() => void save()}>
      <SwitchRow
        label="Add my signature to texts"
        help="It counts toward the length of a text. You can turn it on or off in each conversation."
        isOn={isOn}
        onChange={setOn}
      />
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <TextField
          label="Signature text"
          autoComplete="off"
          value={text}
          error={problem}
          onChange={(event) => setText(event.target.value)}
          slotProps={{ input: { maxLength: signatureLength } }}
        />
        <SaveButton isDisabled={isPending || isSame} />
      </Box>
    </CardForm>
  );
}
