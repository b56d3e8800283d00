import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, LifeBuoy, type LucideIcon, Smartphone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  createRecoveryCodes,
  listSecondFactors,
  removePasskey,
  removeTotp,
} from '../../../contract/addresses/factors.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import { callApi } from '../../api.ts';
import { makePasskey } from '../../pieces/second-factors/make-passkey.ts';
import { RecoveryCodes } from '../../pieces/second-factors/recovery-codes.tsx';
import { saidBy } from '../../pieces/second-factors/said-by.ts';
import { TotpSetup } from '../../pieces/second-factors/totp-setup.tsx';
import { callKey, useCallQuery } from '../../queries/calls.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Card } from '../../ui/card.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { say } from '../../ui/say.ts';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';

type Factors = Reply<typeof listSecondFactors>;
type Asking = { title: string; words: string; act: () => Promise<unknown>; done: string };

/** The user's second factors: an app, passkeys, recovery codes. */
export function FactorsCard() {
  const client = useQueryClient();
  const { data } = useCallQuery(listSecondFactors, {});
  const [isSettingUp, setSettingUp] = useState(false);
  const [codes, setCodes] = useState<string[]>();
  const [asking, setAsking] = useState<Asking>();
  const [isBusy, setBusy] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: callKey(listSecondFactors).slice(0, 1) });

  const attempt = async (act: () => Promise<unknown>, failed: string) => {
    setBusy(true);
    try {
      await act();
    } catch (error) {
      showSnackbar(saidBy(error, failed));
    }
    setBusy(false);
    void refresh();
  };
  const added = (made: string[] | null, said: string) => {
    showSnackbar(said);
    if (made) setCodes(made);
  };
  return (
    <Card title="Second step at sign-in">
      {!data && <SkeletonRows rows={2} rowHeight={64} isTwoLine label="Loading your second steps" />}
      {data && (
        <Rows
          factors={data}
          isBusy={isBusy}
          onApp={() => setSettingUp(true)}
          onPasskey={() =>
            void attempt(
              async () => added(await makePasskey(), 'Passkey added.'),
              'The passkey wasn’t added. Try again.',
            )
          }
          onCodes={() =>
            setAsking({
              title: 'Make new recovery codes?',
              words: 'The codes that you have now stop working.',
              act: async () =>
                setCodes((await callApi(createRecoveryCodes, {}, { missing: 'refuse' })).RecoveryCodes),
              done: '',
            })
          }
          onRemove={setAsking}
        />
      )}
      <FormDialog isOpen={isSettingUp} onClose={() => setSettingUp(false)} width={440} isKeptOnClickBeside>
        <DialogTitle>Set up an authenticator app</DialogTitle>
        <DialogContent>
          <TotpSetup
            onDone={(made) => {
              setSettingUp(false);
              added(made, 'Your authenticator app is on.');
              void refresh();
            }}
          />
        </DialogContent>
        <DialogActions>
          <Button variant="text" onClick={() => setSettingUp(false)}>
            Cancel
          </Button>
        </DialogActions>
      </FormDialog>
      <FormDialog
        isOpen={codes !== undefined}
        onClose={() => setCodes(undefined)}
        width={480}
        isKeptOnClickBeside
      >
        <DialogTitle>Your recovery codes</DialogTitle>
        <DialogContent>{codes && <RecoveryCodes codes={codes} />}</DialogContent>
        <DialogActions>
          <Button variant="contained" color="primary" onClick={() => setCodes(undefined)}>
            I saved them
          </Button>
        </DialogActions>
      </FormDialog>
      {asking && (
        <AskDialog
          title={asking.title}
          action={asking.done === '' ? 'Make new codes' : 'Remove'}
          keep="Keep"
          isBusy={isBusy}
          onClose={() => setAsking(undefined)}
          onDo={() =>
            void attempt(async () => {
              setAsking(undefined);
              await asking.act();
              if (asking.done !== '') showSnackbar(asking.done);
            }, 'There was an error updating your second step.')
          }
        >
          {asking.words}
        </AskDialog>
      )}
    </Card>
  );
}

interface RowsProps {
  factors: Factors;
  isBusy: boolean;
  onApp: () => void;
  onPasskey: () => void;
  onCodes: () => void;
  onRemove: (asking: Asking) => void;
}

function Rows({ factors, isBusy, onApp, onPasskey, onCodes, onRemove }: RowsProps) {
  const { Totp, Passkeys, RecoveryCodesLeft, CanUsePasskeys, IsRequired } = factors;
  const hasAny = Totp !== null || Passkeys.length > 0;
  const without = 'Without it, your password alone lets you in.';
  return (
    <Box component="ul" aria-label="Second steps" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {!hasAny && (
        <Typography component="li" sx={{ px: 2.5, py: 2, color: 'text.secondary' }}>
          {IsRequired ? 'Your organization requires a second step. ' : ''}A second step keeps others out even
          if they know your password.
        </Typography>
      )}
      <Row
        icon={Smartphone}
        name="Authenticator app"
        about={
          Totp ? (
            <Used created={Totp.CreateTimestamp} used={Totp.LastUsedTimestamp} />
          ) : (
            'Six digits from an app on your phone.'
          )
        }
      >
        <Button size="small" disabled={isBusy} onClick={onApp}>
          {Totp ? 'Replace' : 'Set up'}
        </Button>
        {Totp && (
          <Button
            size="small"
            disabled={isBusy}
            aria-label="Remove the authenticator app"
            onClick={() =>
              onRemove({
                title: 'Remove the authenticator app?',
                words: Passkeys.length > 0 ? 'Your passkeys stay.' : without,
                act: () => callApi(removeTotp, {}),
                done: 'Authenticator app removed.',
              })
            }
          >
            Remove
          </Button>
        )}
      </Row>
      {Passkeys.map((key) => (
        <Row
          key={key.PasskeyID}
          icon={KeyRound}
          name={`Passkey: ${key.Name}`}
          about={<Used created={key.CreateTimestamp} used={key.LastUsedTimestamp} />}
        >
          <Button
            size="small"
            disabled={isBusy}
            aria-label={`Remove the passkey ${key.Name}`}
            onClick={() =>
              onRemove({
                title: `Remove the passkey ${key.Name}?`,
                words: Totp || Passkeys.length > 1 ? 'Your other second steps stay.' : without,
                act: () => callApi(removePasskey, { params: { PasskeyID: key.PasskeyID } }),
                done: 'Passkey removed.',
              })
            }
          >
            Remove
          </Button>
        </Row>
      ))}
      {CanUsePasskeys && (
        <Row icon={KeyRound} name={say('Passkeys')} about="Your fingerprint, face, PIN or a security key.">
          <Button size="small" disabled={isBusy} onClick={onPasskey}>
            Add a passkey
          </Button>
        </Row>
      )}
      {hasAny && (
        <Row
          icon={LifeBuoy}
          name="Recovery codes"
          about={
            RecoveryCodesLeft === 1 ? '1 code left.' : `${RecoveryCodesLeft} codes left. Each works once.`
          }
        >
          <Button size="small" disabled={isBusy} onClick={onCodes}>
            Make new codes
          </Button>
        </Row>
      )}
    </Box>
  );
}

function Used({ created, used }: { created: string; used: string | null }) {
  return (
    <>
      Added <RelativeTime at={created} />
      {used ? (
        <>
          {' '}
          · last used <RelativeTime at={used} />
        </>
      ) : (
        ' · not used yet'
      )}
    </>
  );
}

interface RowProps {
  icon: LucideIcon;
  name: string;
  about: ReactNode;
  children: ReactNode;
}

function Row({ icon: Icon, name, about, children }: RowProps) {
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        flexWrap: 'wrap',
        gap: 1.5,
        px: 2.5,
        py: 1.5,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box
        component={Icon}
        size={18}
        strokeWidth={1.75}
        aria-hidden
        sx={{ color: 'ink.two', flex: 'none' }}
      />
      <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
        <Typography sx={{ fontWeight: 550 }}>{name}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {about}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', gap: 1 }}>{children}</Box>
    </Box>
  );
}
