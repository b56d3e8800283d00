import Box from '@mui/material/Box';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import { getCurrentRegistration, listNumberOrders } from '../../contract/addresses/registration.gen.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { isTollFree } from '../../contract/phone/toll-free.ts';
import type { RegistrationRequest } from '../../contract/registration.ts';
import { useCallQuery } from '../queries/calls.ts';
import { useCan } from '../queries/current-user.ts';
import { Notice } from '../ui/notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';

/** Above the numbers: where the registration is, and numbers that we are still getting. */
export function RegistrationBand() {
  const isOwner = useCan('setUpTexting');
  const canGet = useCan('buyLocalNumber');
  const registration = useCallQuery(getCurrentRegistration, {}).data;
  const orders = useCallQuery(listNumberOrders, {}, { enabled: canGet }).data?.Items ?? [];
  const numbers = useCallQuery(listTextNumbers, { query: { pagesize: 50 } }).data?.Items ?? [];
  const waiting = orders.filter(({ Status, PhoneNumber }) => Status === 'Buying' && PhoneNumber !== '');
  const needsRegistration = numbers.some(
    ({ TextPhoneNumber, RegistrationStatus }) =>
      !isTollFree(TextPhoneNumber) && RegistrationStatus === 'Not Registered',
  );
  const notice = noticeOf(registration, needsRegistration);
  if (notice === undefined && waiting.length === 0) return null;
  return (
    <Box sx={{ p: 2, display: 'grid', gap: 1.5, borderBottom: '1px solid', borderColor: 'line.hair' }}>
      {waiting.map(({ OrderID, PhoneNumber }) => (
        <Notice key={OrderID}>
          We’re still getting {formatPhone(PhoneNumber)}. It shows up by itself when it’s yours.
        </Notice>
      ))}
      {notice && (
        <Notice
          kind={notice.kind}
          title={notice.title}
          actions={
            isOwner && (
              <RouterButton size="small" to="/local-number-registration/$step" params={{ step: notice.step }}>
                {notice.action}
              </RouterButton>
            )
          }
        >
          {isOwner ? notice.words : 'Ask your account owner to set up texting.'}
        </Notice>
      )}
    </Box>
  );
}

function noticeOf(registration: RegistrationRequest | undefined, needsRegistration: boolean) {
  const isSole = registration?.brand.entityType === 'SOLE_PROPRIETOR';
  switch (registration?.status) {
    case 'Failed':
      return {
        kind: 'error' as const,
        title: 'Your registration needs a correction',
        words: 'The registry didn’t accept it. Everything you typed is still there.',
        action: 'Correct it',
        step: 'returning-user',
      };
    case 'Processing':
      return {
        kind: 'info' as const,
        title: 'Application Under Review',
        words: 'The registry is looking at it. Local numbers can text when it’s done.',
        action: 'See the status',
        step: 'processing',
      };
    case 'PendingContactAuthentication':
      return {
        kind: 'warning' as const,
        title: 'The registry is waiting for you',
        words: isSole
          ? 'Answer its text to verify your phone.'
          : 'Open its email to verify your business contact.',
        action: 'See how',
        step: isSole ? 'verify-phone' : 'verify-email',
      };
    case 'Complete':
      return undefined;
    default:
      return needsRegistration
        ? {
            kind: 'warning' as const,
            title: 'Register your organization',
            words: 'Carriers deliver texts from local numbers only if they know who sends them.',
            action: 'Register',
            step: 'landing',
          }
        : undefined;
  }
}
