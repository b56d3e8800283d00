import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { CircleCheck, CircleDashed, Clock, MessageSquareText } from 'lucide-react';
import type { ReactNode } from 'react';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import { getCurrentRegistration } from '../../contract/addresses/registration.gen.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { isTollFree } from '../../contract/phone/toll-free.ts';
import { isInternational } from '../../contract/reference/countries.ts';
import { FreeNumberForm, freeNumberTitle } from '../pieces/numbers/free-number-form.tsx';
import { TollFreeCard } from '../pieces/numbers/toll-free-card.tsx';
import { ContactUs } from '../pieces/support/contact-us.tsx';
import { useCallQuery } from '../queries/calls.ts';
import { useAccount, useCan } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';

const canada = 2;

/** From no number to the first text: what is done, and what is next. */
export function TextSetupPage() {
  const account = useAccount();
  const isOwner = useCan('setUpTexting');
  const { data } = useCallQuery(listTextNumbers, { query: { pagesize: 50 } });
  const registration = useCallQuery(getCurrentRegistration, {}).data;
  const numbers = data?.Items ?? [];
  const local = numbers.filter(({ TextPhoneNumber }) => !isTollFree(TextPhoneNumber));
  const isCanadian = account?.CountryID === canada;
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
            {numbers.length > 0
              ? 'Please contact us by email to get another text number.'
              : 'Please contact us by email to get a text number.'}{' '}
            <ContactUs isInternational />
          </Notice>
        )}
        {data && isReady && account && isInternational(account.CountryID) && (
          <Card>
            <Step state="done" title="Get a number" words={phonesOf(numbers)} />
            <FirstTextStep isReady isFreeTrial={account.IsFreeTrial} />
          </Card>
        )}
        {data && isOwner && account?.IsFreeTrial && numbers.length === 0 && (
          <Card title={freeNumberTitle}>
            <Box sx={{ p: 2.5, display: 'grid', gap: 2 }}>
              <FreeNumberForm />
            </Box>
          </Card>
        )}
        {data && (isOwner || isReady) && account && !isInternational(account.CountryID) && (
          <Card>
            <Step
              state={numbers.length > 0 ? 'done' : 'next'}
              title="Get a number"
              words={
                numbers.length > 0
                  ? phonesOf(numbers)
                  : isCanadian
                    ? 'Texts to Canada come from a toll-free number. You get it when you register.'
                    : 'Choose a local number in your area code.'
              }
              action={
                isOwner &&
                !account.IsFreeTrial && (
                  <RouterButton
                    {...(numbers.length > 0 || isCanadian
                      ? {}
                      : { variant: 'contained' as const, color: 'primary' as const })}
                    to="/get-registered-number"
                  >
                    {numbers.length > 0
                      ? 'Get another number'
                      : isCanadian
                        ? 'Get a US number'
                        : 'Get a number'}
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
              words={registrationWords(registration?.status, account.IsFreeTrial)}
              action={
                isOwner &&
                !(account.IsFreeTrial && registration === undefined) &&
                registration?.status !== 'Complete' && (
                  <RouterButton to="/local-number-registration/$step" params={{ step: 'landing' }}>
                    {registration ? 'See the status' : 'Register'}
                  </RouterButton>
                )
              }
            />
            <FirstTextStep isReady={isReady} isFreeTrial={account.IsFreeTrial} />
          </Card>
        )}
        {isOwner && <TollFreeCard isBrief />}
      </Box>
    </>
  );
}

function phonesOf(numbers: readonly Pick<TextNumber, 'TextPhoneNumber'>[]): string {
  return numbers.map(({ TextPhoneNumber }) => formatPhone(TextPhoneNumber)).join(', ');
}

function FirstTextStep({ isReady, isFreeTrial }: { isReady: boolean; isFreeTrial: boolean }) {
  return (
    <Step
      state={isReady ? 'done' : 'next'}
      title="Send your first text"
      words={readyWords(isReady, isFreeTrial)}
      action={isReady && <RouterButton to="/inbox">Open the inbox</RouterButton>}
    />
  );
}

function registrationWords(status: string | undefined, isFreeTrial: boolean): string {
  if (status === 'Complete') return 'Carriers have confirmed it.';
  if (status === 'Failed') return 'The registry didn’t accept it. Correct it and submit it again.';
  if (status === undefined && isFreeTrial) return 'For paying customers. During the trial you don’t need it.';
  return status === undefined
    ? 'Carriers ask who is texting. It takes about ten minutes.'
    : 'The registry is looking at it.';
}

function readyWords(isReady: boolean, isFreeTrial: boolean): string {
  if (isFreeTrial) return 'During the free trial, you can text only verified numbers.';
  return isReady ? 'Your numbers can text.' : 'As soon as a number is registered.';
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
  action?: ReactNode;
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
