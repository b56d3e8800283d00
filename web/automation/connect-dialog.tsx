import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { listIntegrations, loginIntegration } from '../../contract/addresses/integrations.gen.ts';
import { integrationLoginForm } from '../../contract/forms/integration-login.ts';
import type { Integration } from '../../contract/integrations.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import {
  connectEvent,
  type IntegrationConnectState,
  integrationConnect,
} from '../../contract/states/dialogs.ts';
import { next } from '../../contract/states/machine.ts';
import { callApi, shownMessage } from '../api.ts';
import { useCallQuery } from '../queries/calls.ts';
import { queryClient } from '../queries/query-client.ts';
import { DialogBody, DialogHead } from '../ui/dialog-parts.tsx';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { FormPassword, FormText } from '../ui/form-fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { useContractForm } from '../ui/use-contract-form.ts';

type ConnectEvent = 'open window' | 'open dialog' | 'connected';

interface ConnectDialogProps {
  integration: Integration;
  onClose: () => void;
}

/** Connects an integration: a form, or a page of another company, and then what to do next. */
export function ConnectDialog({ integration, onClose }: ConnectDialogProps) {
  const { Name, Data } = integration.LoginInstructions;
  const [state, setState] = useState<IntegrationConnectState>(integrationConnect.initial);
  const [address, setAddress] = useState('');
  // An integration that is connected again stays connected meanwhile: only the time of connection shows that
  // somebody has signed in.
  const [connectedBefore] = useState(integration.ConnectTimestamp);
  const move = (event: ConnectEvent) => setState((now) => next(integrationConnect, now, event));
  const answered = (reply: Integration) => {
    const event = connectEvent(reply.LoginInstructions.Data);
    setAddress(reply.LoginInstructions.Data.RedirectUrl);
    move(event);
    if (event === 'connected') void queryClient.invalidateQueries({ queryKey: [listIntegrations.path] });
    return reply.LoginInstructions.Data.RedirectUrl;
  };
  const isElsewhere = Data.Model.length === 0;
  return (
    <FormDialog isOpen onClose={onClose} width={520} isKeptOnClickBeside={!isElsewhere}>
      {state === 'success' ? (
        <Success integration={integration} onClose={onClose} />
      ) : state === 'new window' || state === 'dialog' ? (
        <Elsewhere
          integration={integration}
          address={address}
          connectedBefore={connectedBefore}
          isNewWindow={state === 'new window'}
          onConnected={() => move('connected')}
          onClose={onClose}
        />
      ) : isElsewhere ? (
        <Leave integration={integration} onAnswer={answered} onClose={onClose} />
      ) : (
        <LoginForm
          integration={integration}
          onAnswer={answered}
          onClose={onClose}
          title={`Connect ${Name}`}
        />
      )}
    </FormDialog>
  );
}

interface StepProps {
  integration: Integration;
  onClose: () => void;
}

function LoginForm(props: StepProps & { title: string; onAnswer: (reply: Integration) => string }) {
  const { integration, title, onAnswer, onClose } = props;
  const { IntegrationID, LoginInstructions } = integration;
  const { Model } = LoginInstructions.Data;
  const [values] = useState<Record<string, string>>(() =>
    Object.fromEntries(Model.map(({ Name, Value }) => [Name, Value])),
  );
  const [rules] = useState(() => integrationLoginForm(Model));
  const form = useContractForm<Record<string, string>, Record<string, unknown>>({
    rules: rules as never,
    values,
    failed: errorCatalog.connectIntegration,
    save: async (body) =>
      onAnswer(
        await callApi(
          loginIntegration,
          { params: { IntegrationID }, body: body as Record<string, string> },
          { missing: 'refuse' },
        ),
      ),
  });
  return (
    <DialogForm
      title={title}
      intro={integration.Description}
      problem={form.problem}
      action={form.isSubmitting ? 'Connecting…' : 'Connect'}
      isDisabled={form.isSubmitting}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {Model.map(({ Name, Label, IsSecret, Example }) => {
        const field = { control: form.control, name: Name, label: Label, autoComplete: 'off' };
        return IsSecret ? (
          <FormPassword key={Name} {...field} />
        ) : (
          <FormText key={Name} {...field} {...(Example === '' ? {} : { placeholder: Example })} />
        );
      })}
    </DialogForm>
  );
}

/** Before the other company's page opens. */
function Leave({ integration, onAnswer, onClose }: StepProps & { onAnswer: (reply: Integration) => string }) {
  const { IntegrationID, LoginInstructions, Description } = integration;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const begin = async () => {
    setBusy(true);
    setProblem(undefined);
    // Opened by the click itself: browsers block windows that open later.
    const opened = LoginInstructions.Data.ShowInNewWindow
      ? globalThis.open('', 'muster-connect', 'popup,width=560,height=720')
      : null;
    try {
      const reply = await callApi(
        loginIntegration,
        { params: { IntegrationID }, body: {} },
        { missing: 'refuse' },
      );
      const address = onAnswer(reply);
      if (opened !== null && address !== '') opened.location.href = address;
    } catch (error) {
      opened?.close();
      setProblem(shownMessage(error, errorCatalog.connectIntegration));
    } finally {
      setBusy(false);
    }
  };
  return (
    <DialogForm
      title={`Connect ${LoginInstructions.Name}`}
      intro={`${Description}. You sign in there and let Muster read them. Muster changes nothing there.`}
      problem={problem}
      action="Continue"
      isDisabled={isBusy}
      onSubmit={() => void begin()}
      onClose={onClose}
    >
      <span />
    </DialogForm>
  );
}

interface ElsewhereProps extends StepProps {
  address: string;
  connectedBefore: string | null;
  isNewWindow: boolean;
  onConnected: () => void;
}

function Elsewhere(props: ElsewhereProps) {
  const { integration, address, connectedBefore, isNewWindow, onConnected, onClose } = props;
  const { IntegrationID, LoginInstructions } = integration;
  // The other window tells the server; this one learns of it from the socket, or polls.
  const { data } = useCallQuery(listIntegrations, {}, { refetchInterval: isNewWindow ? 2_000 : 60_000 });
  const isConnected = data?.Items.some(
    (one) => one.IntegrationID === IntegrationID && one.Connected && one.ConnectTimestamp !== connectedBefore,
  );
  if (isConnected) queueMicrotask(onConnected);
  return (
    <>
      <DialogHead title={`Connect ${LoginInstructions.Name}`} onClose={onClose} />
      <DialogBody gap={2}>
        <Typography>
          {isNewWindow
            ? 'Sign in using the window that has opened. This page continues by itself.'
            : `Sign in at ${LoginInstructions.Name}. It sends you back here.`}
        </Typography>
        <Box>
          {isNewWindow ? (
            <Link href={address} target="_blank" rel="noopener">
              Open the sign-in page again
            </Link>
          ) : (
            <Button variant="contained" color="primary" href={address}>
              Go to the sign-in page
            </Button>
          )}
        </Box>
      </DialogBody>
    </>
  );
}

function Success({ integration, onClose }: StepProps) {
  const { IntegrationID, LoginInstructions } = integration;
  return (
    <>
      <DialogHead title={`${LoginInstructions.Name} is connected`} onClose={onClose} />
      <DialogBody gap={2}>
        <Notice kind="success" icon={CircleCheck}>
          Choose the groups to keep in contacts, or add them to a broadcast.
        </Notice>
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
          <Button variant="text" onClick={onClose}>
            Later
          </Button>
          <RouterButton
            to="/automation/$integrationId"
            params={{ integrationId: String(IntegrationID) }}
            variant="contained"
            color="primary"
            onClick={onClose}
          >
            Choose groups
          </RouterButton>
        </Box>
      </DialogBody>
    </>
  );
}
