import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type FormEvent, useEffect, useState } from 'react';
import { renderSVG } from 'uqr';
import { activateTotp, beginTotp } from '../../../contract/addresses/factors.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import { callApi } from '../../api.ts';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { saidBy } from './said-by.ts';

/** Scan, then enter the first code: the app counts from then on. */
export function TotpSetup({ onDone }: { onDone: (codes: string[] | null) => void }) {
  const [begun, setBegun] = useState<Reply<typeof beginTotp>>();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);

  useEffect(() => {
    const leaving = new AbortController();
    callApi(beginTotp, {}, { signal: leaving.signal, missing: 'refuse' }).then(setBegun, (error) => {
      if (!leaving.signal.aborted) setProblem(saidBy(error, 'There was an error making your QR code.'));
    });
    return () => leaving.abort();
  }, []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (begun === undefined || isSending) return;
    if (code.trim() === '') {
      setProblem('Enter the code');
      return;
    }
    setSending(true);
    setProblem('');
    try {
      const body = { Token: begun.Token, Code: code };
      const { RecoveryCodes } = await callApi(activateTotp, { body }, { missing: 'refuse' });
      onDone(RecoveryCodes);
    } catch (error) {
      setProblem(saidBy(error, 'There was an error turning on your app.'));
      setSending(false);
    }
  };

  if (begun === undefined)
    return problem === '' ? (
      <Typography sx={{ color: 'text.secondary' }}>One moment…</Typography>
    ) : (
      <Notice kind="error">{problem}</Notice>
    );
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => void submit(event)}
      sx={{ display: 'grid', gap: 2 }}
    >
      <Typography sx={{ color: 'text.secondary' }}>
        Scan this with an authenticator app, such as Google Authenticator, Microsoft Authenticator or your
        password manager. Then enter the six digits that it shows.
      </Typography>
      <Box
        role="img"
        aria-label="QR code for your authenticator app"
        // Dark on white whatever the mode: cameras need it.
        sx={{
          justifySelf: 'center',
          width: 200,
          height: 200,
          p: 1,
          bgcolor: '#ffffff',
          borderRadius: '10px',
          border: '1px solid',
          borderColor: 'line.hair',
          '& svg': { display: 'block', width: '100%', height: '100%' },
        }}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: squares that uqr has drawn, of text without markup
        dangerouslySetInnerHTML={{ __html: renderSVG(begun.Uri, { border: 1 }) }}
      />
      <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        Can’t scan it? Enter this key in the app:{' '}
        <Box component="span" data-testid="totp-secret" sx={{ fontFamily: 'ui-monospace, monospace' }}>
          {begun.Secret.replace(/(.{4})(?=.)/g, '$1 ')}
        </Box>
      </Typography>
      <TextField
        label="Code from your app"
        autoComplete="one-time-code"
        slotProps={{ input: { inputMode: 'numeric' } }}
        value={code}
        error={problem === '' ? undefined : problem}
        onChange={(event) => {
          setCode(event.target.value);
          setProblem('');
        }}
      />
      <Button type="submit" variant="contained" color="primary" disabled={isSending}>
        Turn on
      </Button>
    </Box>
  );
}
