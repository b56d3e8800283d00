import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, Clock, MessageSquareText } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import { getCurrentRegistration, getUnregisteredNumber } from '../../contract/addresses/registration.gen.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { isTollFree } from '../../contract/phone/toll-free.ts';
import { isInternational } from '../../contract/reference/countries.ts';
import { ApiError, shownMessage } from '../api.ts';
import { ContactUs } from '../pieces/support/contact-us.tsx';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { useAccount, useCan } from '../queries/current-user.ts';
import { AreaCodeField, isWholeAreaCode } from '../ui/area-code-field.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';

/** From no number to the first text: what is done, and what is next. */
export function TextSetupPage() {
  const account = useAccount();
  const isOwner = useCan('setUpTexting');
  const { data } = useCallQuery(listTextNumbers, { query: { pagesize: 50 } });
  const registration = useCallQuery(getCurrentRegistration, {}).data;
  const numbers = data?.Items ?? [];
  const local = numbers.filter(({ TextPhoneNumber }) => !isTollFree(TextPhoneNumber));
  const isReady = numbers.some(({ CanText }) => CanText);
  return (
    <>
      <PageHead
        crumb="Settings, Text"
        title="Set up texting"
        sentence="Get a number, register it, and send your first text."
        maxWidth={880}
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2, maxWidth: 880 }}>
        {!data && <SkeletonRows rows={3} label="Loading your text numbers" />}
        {data && !isOwner && !isReady && (
          <Card>
            <EmptyState icon={MessageSquareText} title="Texting isn’t set up yet">
              Ask your account owner to set up texting.
            </EmptyState>
          </Card>
        )}
        {data && isOwner && account && isInternational(account.CountryID) && (
          <Notice title="Outside the US and Canada">
            Please contact us by email to get a text number. <ContactUs isInternational />
          </Notice>
        )}
        {data && isOwner && account?.IsFreeTrial && numbers.length === 0 && <FreeNumber />}
        {data && (isOwner || isReady) && account && !isInternational(account.CountryID) && (
          <Card>
            <Step
              state={numbers.length > 0 ? 'done' : 'next'}
              title="Get a number"
              words={
                numbers.length > 0
                  ? numbers.map(({ TextPhoneNumber }) => formatPhone(TextPhoneNumber)).join(', ')
                  : 'Choose a local number in your area code.'
              }
              action={
                isOwner &&
                !(account.IsFreeTrial && numbers.length === 0) && (
                  <RouterButton
                    {...(numbers.length > 0
                      ? {}
                      : { variant: 'contained' as const, color: 'primary' as const })}
                    to="/get-registered-number"
                  >
                    {numbers.length > 0 ? 'Get another number' : 'Get a number'}
                  </RouterButton>
                )
              }
            />
            <Step
              state={
                registration?.status === 'Complete' ||
                local.some(({ RegistrationStatus }) => RegistrationStatus === 'Registered')
                  ? 'done'
                  : registration && registration.status !== 'Failed'
                    ? 'waiting'
                    : 'next'
              }
              title="Register your organization"
              words={registrationWords(registration?.status)}
              action={
                isOwner &&
                registration?.status !== 'Complete' && (
                  <RouterButton to="/local-number-registration/$step" params={{ step: 'landing' }}>
                    {registration ? 'See the status' : 'Register'}
                  </RouterButton>
                )
              }
            />
            <Step
              state={isReady ? 'done' : 'next'}
              title="Send your first text"
              words={isReady ? 'Your numbers can text.' : 'As soon as a number is registered.'}
              action={isReady && <RouterButton to="/inbox">Open the inbox</RouterButton>}
            />
          </Card>
        )}
      </Box>
    </>
  );
}

function registrationWords(status: string | undefined): string {
  if (status === 'Complete') return 'Carriers have confirmed it.';
  if (status === 'Failed') return 'The registry didn’t accept it. Correct it and submit it again.';
  return status === undefined
    ? 'Carriers ask who is texting. It takes about ten minutes.'
    : 'The registry is looking at it.';
}

const looks = {
  done: { icon: CircleCheck, color: 'success.main' },
  waiting: { icon: Clock, color: 'warning.main' },
  next: { icon: CircleDashed, color: 'ink.three' },
} as const;

interface StepProps {
  state: keyof typeof looks;
  title: string;
  words: string;
  action: ReactNode;
}

function Step({ state, title, words, action }: StepProps) {
  const { icon, color } = looks[state];
  return (
    <Box
      sx={{
        p: 2.5,
        display: 'flex',
        flexWrap: 'wrap',
        gap: 2,
        alignItems: 'center',
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box component={icon} aria-hidden size={22} sx={{ flex: 'none', color }} />
      <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
        <Typography variant="h2">{title}</Typography>
        <Typography sx={{ color: 'text.secondary' }}>{words}</Typography>
      </Box>
      {action}
    </Box>
  );
}

/** The free number of a trial: in the area code that one likes, or anywhere. */
function FreeNumber() {
  const client = useQueryClient();
  const [areaCode, setAreaCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const get = useCall(getUnregisteredNumber);
  const send = async () => {
    setProblem(undefined);
    try {
      const reply = await get.mutateAsync({ body: { AreaCode: isWholeAreaCode(areaCode) ? areaCode : '' } });
      showSnackbar(reply.Message || `${formatPhone(reply.phoneNumber)} is yours.`);
      await client.invalidateQueries({ queryKey: [listTextNumbers.path] });
    } catch (error) {
      const generic = 'There was an error getting an unregistered local number.';
      setProblem(
        error instanceof ApiError && error.body.Message ? error.body.Message : shownMessage(error, generic),
      );
    }
  };
  return (
    <Card title="Get a text number for free">
      <Box sx={{ p: 2.5, display: 'grid', gap: 2 }}>
        <Typography>
          Your trial includes one number. You can text the phones that you have verified.
        </Typography>
        <AreaCodeField value={areaCode} onChange={setAreaCode} onSubmit={() => void send()} error={problem} />
        <Box>
          <Button variant="contained" color="primary" disabled={get.isPending} onClick={() => void send()}>
            Get my number
          </Button>
        </Box>
      </Box>
    </Card>
  );
}
