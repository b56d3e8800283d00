import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import { getPlatformFreeTrial } from '../../contract/addresses/onboarding.gen.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { SampleBroadcastButton } from '../pieces/broadcasts/sample-broadcast.tsx';
import { VerifyPhoneDialog } from '../pieces/phones/verify-phone.tsx';
import { ContactUs } from '../pieces/support/contact-us.tsx';
import { useCallQuery } from '../queries/calls.ts';
import { useAccount, useCan } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { SampleTextDialog } from './sample-text-dialog.tsx';

/** A free trial: the phones it can text, and a way to verify another one. */
export function TrialCard() {
  const account = useAccount();
  return account?.IsFreeTrial ? <OpenTrialCard countryId={account.CountryID} /> : null;
}

function OpenTrialCard({ countryId }: { countryId: number }) {
  const client = useQueryClient();
  const canUpgrade = useCan('upgradeAccount');
  const [isOpen, setOpen] = useState(false);
  const [isSampling, setSampling] = useState(false);
  const { data: trial } = useCallQuery(getPlatformFreeTrial, {});
  const { data: numbers } = useCallQuery(listTextNumbers, { query: { pagesize: 5 } });
  const hasNumber = numbers?.Items.some(({ CanText, CanCreateBroadcast }) => CanText && CanCreateBroadcast);
  if (!trial) return null;
  const phones = trial.mfaPhoneNumbers;
  return (
    <Card
      title="Free trial"
      action={
        canUpgrade && (
          <RouterButton variant="text" color="primary" size="small" to="/upgrade">
            Upgrade
          </RouterButton>
        )
      }
    >
      <Box sx={{ px: 2.5, py: 2, display: 'grid', gap: 1.5 }}>
        <Typography>
          During the free trial, you can text only verified numbers.
          {phones.length === 0 && ' Verify your own phone to try it.'}
        </Typography>
        {phones.length > 0 && (
          <Box component="ul" aria-label="Verified numbers" sx={{ listStyle: 'none', p: 0 }}>
            {phones.map((phone) => (
              <Box component="li" key={phone} sx={{ fontVariantNumeric: 'tabular-nums' }}>
                {formatPhone(phone)}
              </Box>
            ))}
          </Box>
        )}
        {trial.canVerify && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
            {phones.length > 0 && <Button onClick={() => setSampling(true)}>Send a sample text</Button>}
            {phones.length > 0 && hasNumber && <SampleBroadcastButton />}
            <Button onClick={() => setOpen(true)}>Verify a phone</Button>
          </Box>
        )}
        {countryId > 2 && <ContactUs isInternational />}
      </Box>
      <SampleTextDialog
        isOpen={isSampling}
        phones={phones}
        messages={trial.cannedPftMessages}
        onClose={() => setSampling(false)}
      />
      <VerifyPhoneDialog
        isOpen={isOpen}
        countryId={countryId}
        onClose={() => setOpen(false)}
        onVerified={(phone) => {
          showSnackbar(`${formatPhone(phone)} is verified.`);
          void client.invalidateQueries({ queryKey: [getPlatformFreeTrial.path] });
        }}
      />
    </Card>
  );
}
