import Box from '@mui/material/Box';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import { getCurrentRegistration, listNumberOrders } from '../../contract/addresses/registration.gen.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { useCallQuery } from '../queries/calls.ts';
import { useAccount, useCan } from '../queries/current-user.ts';
import { Notice } from '../ui/notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { registrationNotice } from './registration-notice.ts';

/** Above the numbers: where the registration is, and numbers that we are still getting. */
export function RegistrationBand() {
  const isOwner = useCan('setUpTexting');
  const canGet = useCan('buyLocalNumber');
  const registration = useCallQuery(getCurrentRegistration, {}).data;
  const orders = useCallQuery(listNumberOrders, {}, { enabled: canGet }).data?.Items ?? [];
  const numbers = useCallQuery(listTextNumbers, { query: { pagesize: 50 } }).data?.Items ?? [];
  const waiting = orders.filter(({ Status, PhoneNumber }) => Status === 'Buying' && PhoneNumber !== '');
  const isFreeTrial = useAccount()?.IsFreeTrial ?? false;
  const notice = registrationNotice(registration, numbers, isFreeTrial);
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
