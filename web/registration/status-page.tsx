import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useNavigate } from '@tanstack/react-router';
import { CircleCheck, CircleX, Clock, type LucideIcon, Mail, MessageSquareText } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import {
  getCurrentRegistration,
  getTollFreeRegistration,
  resendRegistrationEmail,
  resendRegistrationText,
} from '../../contract/addresses/registration.gen.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { errorCatalog, successMessages } from '../../contract/reference/error-catalog.ts';
import type { RegistrationRequest } from '../../contract/registration.ts';
import {
  type RegistrationStep,
  registrationStep,
  registrationSteps,
} from '../../contract/states/registration-request.ts';
import { isNotFound, shownMessage } from '../api.ts';
import { TollFreeCard } from '../pieces/numbers/toll-free-card.tsx';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { useAccount, useCan } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { say } from '../ui/say.ts';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { Stepper } from '../ui/stepper.tsx';
import { completeWords } from './complete-words.ts';
import { useSecondsLeft } from './seconds-left.ts';

const canada = 2;

/** Words for the steps; their names are the specification's. */
const stepWords: Record<RegistrationStep, { name: string; header: string }> = {
  'Register to Text': {
    name: say('Register to Text', 'step'),
    header: 'Register to Send Text Messages',
  },
  'Email Verification': {
    name: say('Email Verification', 'step'),
    header: say('Email Verification', 'step'),
  },
  'Phone Verification': {
    name: say('Phone Verification', 'step'),
    header: say('Phone Verification', 'step'),
  },
  'Under Review': { name: say('Under Review', 'step'), header: 'Application Under Review' },
  Complete: { name: say('Complete', 'step'), header: 'Text Registration Complete' },
};

/** The result route of the wizard that shows a request. */
export function resultStep(request: RegistrationRequest): string {
  const step = registrationStep(request);
  if (request.status === 'Failed') return 'returning-user';
  if (step === 'Email Verification') return 'verify-email';
  return step === 'Phone Verification' ? 'verify-phone' : 'processing';
}

/** The registration’s progress: verification, review, complete, or what has to be corrected. */
export function StatusPage() {
  const { data, isError, error, refetch } = useCallQuery(getCurrentRegistration, {});
  const canSeeStepper = useCan('seeRegistrationStepper');
  const step = registrationStep(data);
  return (
    <>
      <PageHead crumb="Settings, Text" title={stepWords[step].header} maxWidth={880} />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2, maxWidth: 880 }}>
        {canSeeStepper && data && <Progress request={data} />}
        {!data && !isError && <SkeletonRows rows={3} label="Loading your registration" />}
        {isError && !data && !isNotFound(error) && (
          <RetryNotice onRetry={() => void refetch()}>
            There was an error getting your registration.
          </RetryNotice>
        )}
        {isError && isNotFound(error) && (
          <Notice
            title="Nothing was submitted yet"
            actions={
              <RouterButton size="small" to="/local-number-registration/$step" params={{ step: 'landing' }}>
                Start
              </RouterButton>
            }
          >
            Register your organization, so that carriers deliver your texts.
          </Notice>
        )}
        {data && <Content request={data} step={step} />}
        {data && <TollFreeCard />}
      </Box>
    </>
  );
}

/** Only the steps that this registration has: nobody is verified by mail and by text. */
function Progress({ request }: { request: RegistrationRequest }) {
  const { entityType } = request.brand;
  const steps = registrationSteps.filter(({ step }) => {
    if (step === 'Email Verification') return entityType === 'PUBLIC_PROFIT';
    return step !== 'Phone Verification' || entityType === 'SOLE_PROPRIETOR';
  });
  const at = steps.findIndex(({ step }) => step === registrationStep(request));
  const isDone = request.status === 'Complete';
  return (
    <Card>
      <Box sx={{ p: 2.5, overflowX: 'auto' }}>
        <Stepper
          steps={steps.map(({ step }) => stepWords[step].name)}
          at={isDone ? steps.length : Math.max(0, at)}
        />
        <Typography sx={{ display: { sm: 'none' } }}>
          Step {Math.min(steps.length, at + 1)} of {steps.length}: {stepWords[registrationStep(request)].name}
        </Typography>
      </Box>
    </Card>
  );
}

function Content({ request, step }: { request: RegistrationRequest; step: RegistrationStep }) {
  if (request.status === 'Failed') return <Failed request={request} />;
  if (step === 'Email Verification') return <Verify request={request} way="email" />;
  if (step === 'Phone Verification') return <Verify request={request} way="text" />;
  if (step === 'Complete') return <Complete displayName={request.brand.displayName} />;
  return (
    <Statement icon={Clock} title={`${request.brand.displayName} is being reviewed`} color="warning.main">
      <Typography>
        The registry compares your application with official records. That usually takes a few minutes, but
        can take up to a week. We’ll email you when it’s done. This page updates by itself.
      </Typography>
    </Statement>
  );
}

/** An organization can be registered before it has a number, or with numbers that the registration doesn’t cover. */
function Complete({ displayName }: { displayName: string }) {
  const numbers = useCallQuery(listTextNumbers, { query: { pagesize: 50 } }).data?.Items;
  const mayBuy = useCan('buyLocalNumber');
  const isCanadian = useAccount()?.CountryID === canada;
  const tollFree = useCallQuery(getTollFreeRegistration, {}).data;
  const hasNone = numbers !== undefined && !numbers.some(({ CanText }) => CanText);
  return (
    <Statement icon={CircleCheck} title={`${displayName} is registered`} color="success.main">
      <Typography>
        {completeWords({ canText: !hasNone, isCanadian, hasApplied: tollFree !== undefined })}
      </Typography>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        {!hasNone && (
          <RouterButton variant="contained" color="primary" to="/inbox">
            Send a text
          </RouterButton>
        )}
        {hasNone && mayBuy && !isCanadian && (
          <RouterButton variant="contained" color="primary" to="/get-registered-number">
            Get a number
          </RouterButton>
        )}
        <RouterButton to="/settings/text">See your text numbers</RouterButton>
      </Box>
    </Statement>
  );
}

interface StatementProps {
  icon: LucideIcon;
  title: string;
  color: string;
  children: ReactNode;
}

function Statement({ icon, title, color, children }: StatementProps) {
  return (
    <Card>
      <Box role="status" sx={{ p: 2.5, display: 'flex', gap: 2 }}>
        <Box component={icon} aria-hidden size={26} sx={{ flex: 'none', color }} />
        <Box sx={{ display: 'grid', gap: 1.5, minWidth: 0 }}>
          <Typography variant="h2">{title}</Typography>
          {children}
        </Box>
      </Box>
    </Card>
  );
}

function Failed({ request }: { request: RegistrationRequest }) {
  const isOwner = useCan('setUpTexting');
  return (
    <Statement icon={CircleX} title="Your registration needs a correction" color="error.main">
      <Typography>
        Everything you typed is still there. Correct what is listed, and submit it again.
      </Typography>
      <Box component="ul" sx={{ m: 0, pl: 2.5, display: 'grid', gap: 0.75 }}>
        {request.reasons.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </Box>
      {isOwner ? (
        <Box>
          <RouterButton
            variant="contained"
            color="primary"
            to="/local-number-registration/returning-user/needs-review"
          >
            Correct it
          </RouterButton>
        </Box>
      ) : (
        <Typography sx={{ color: 'text.secondary' }}>Ask your account owner to correct it.</Typography>
      )}
    </Statement>
  );
}

const ways = {
  email: {
    icon: Mail,
    call: resendRegistrationEmail,
    action: 'Send the email again',
    done: successMessages.resendEmail,
    failed: errorCatalog.resendEmail,
  },
  text: {
    icon: MessageSquareText,
    call: resendRegistrationText,
    action: 'Send the text again',
    done: successMessages.resendText,
    failed: errorCatalog.resendText,
  },
} as const;

function Verify({ request, way }: { request: RegistrationRequest; way: 'email' | 'text' }) {
  const { icon, call, action, done, failed } = ways[way];
  const resend = useCall(call as typeof resendRegistrationEmail);
  const canResend = useCan('setUpTexting');
  const [resendAt, setResendAt] = useState(request.resendAt);
  const [problem, setProblem] = useState<string>();
  const seconds = useSecondsLeft(resendAt);
  const { authPlusEmail, contactPhone } = request.brand;
  const send = async () => {
    setProblem(undefined);
    try {
      const reply = await resend.mutateAsync({});
      setResendAt(reply.resendAt);
      showSnackbar(done);
    } catch (error) {
      setProblem(shownMessage(error, failed));
    }
  };
  return (
    <Statement
      icon={icon}
      title={way === 'email' ? 'Open the email from the registry' : 'Answer the text from the registry'}
      color="primary.main"
    >
      <Typography>
        {way === 'email' ? (
          <>
            The registry has sent an email to <strong>{authPlusEmail}</strong>. Open the link in it. If it
            isn’t there, look in the spam folder.
          </>
        ) : (
          <>
            The registry has texted <strong>{formatPhone(contactPhone)}</strong>. Answer <strong>YES</strong>{' '}
            within 24 hours.
          </>
        )}
      </Typography>
      {problem && <Notice kind="error">{problem}</Notice>}
      {canResend && (
        <Box>
          <Button disabled={resend.isPending || seconds > 0} onClick={() => void send()}>
            {seconds > 0 && seconds <= 60 ? `${action} in ${seconds} s` : action}
          </Button>
        </Box>
      )}
    </Statement>
  );
}

/** After a refused submission whose fields nobody could name. */
export function RegistrationErrorPage() {
  const navigate = useNavigate();
  return (
    <>
      <PageHead crumb="Settings, Text" title="Something in your registration isn’t right" maxWidth={880} />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, maxWidth: 880 }}>
        <Notice
          kind="error"
          actions={
            <Button
              size="small"
              onClick={() =>
                void navigate({
                  to: '/local-number-registration/$step',
                  params: { step: 'organization-details' },
                })
              }
            >
              Check the fields
            </Button>
          }
        >
          One or more fields in the request contained an invalid value. Everything you typed is still there.
        </Notice>
      </Box>
    </>
  );
}
