import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useNavigate } from '@tanstack/react-router';
import { BadgeCheck, Building2, MessageSquareText } from 'lucide-react';
import { useEffect } from 'react';
import {
  getCapabilities,
  getCurrentRegistration,
  getRegistrationDraft,
  getReturningBrand,
} from '../../contract/addresses/registration.gen.ts';
import type { RegistrationDisallowedReason } from '../../contract/states/registration-allowed.ts';
import { TollFreeCard } from '../pieces/numbers/toll-free-card.tsx';
import { useCallQuery } from '../queries/calls.ts';
import { useAccount, useCan } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { resultStep } from './status-page.tsx';

const canada = 2;

const steps = [
  {
    icon: Building2,
    title: 'Say who you are',
    words: 'Your tax ID, name and address, as the IRS has them.',
    inCanada: 'Your business number, name and address, as the Canada Revenue Agency has them.',
  },
  {
    icon: MessageSquareText,
    title: 'Say what you text',
    words: 'A description, two samples and how people agree.',
  },
  {
    icon: BadgeCheck,
    title: 'Carriers confirm it',
    words: 'Usually within minutes. Your numbers can text after that.',
  },
];

const reasonWords: Record<RegistrationDisallowedReason, string> = {
  USER_NOT_AUTHORIZED: 'Ask your account owner to set up texting.',
  HAS_REGISTERED_NUMBER:
    'Your organization is registered. New local numbers are added to the registration automatically.',
  IN_REGISTRATION_GROUP:
    'Your organization is registered together with others. Contact support to change it.',
  NOT_PAYING_CUSTOMER: 'A free trial can’t register. Upgrade your account first.',
};

/** The first page of the registration: what it takes, and where it was left. */
export function LandingPage() {
  const navigate = useNavigate();
  const isOwner = useCan('setUpTexting');
  const isCanadian = useAccount()?.CountryID === canada;
  const capabilities = useCallQuery(getCapabilities, {});
  const current = useCallQuery(getCurrentRegistration, {});
  const draft = useCallQuery(getRegistrationDraft, {}, { enabled: isOwner });
  const returning = useCallQuery(getReturningBrand, {}, { enabled: isOwner });
  const status = current.data?.status;
  const isOpen = status === 'Processing' || status === 'PendingContactAuthentication';
  // A submitted registration is shown, not asked for again.
  useEffect(() => {
    if (current.data && isOpen)
      void navigate({
        to: '/local-number-registration/$step',
        params: { step: resultStep(current.data) },
        replace: true,
      });
  }, [isOpen, current.data, navigate]);
  const allowed = capabilities.data?.texting.createRegistrationRequest;
  const route = draft.data?.Route ?? 'contacts';
  const isBegun = draft.data?.SavedAt != null;
  const needsReview = returning.data?.apiData.requiresFormResubmission === true;
  return (
    <>
      <PageHead
        crumb="Settings, Text"
        title="Register your organization"
        sentence="Carriers deliver texts from local numbers only if they know who sends them."
        maxWidth={880}
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2, maxWidth: 880 }}>
        <Card>
          <Box
            sx={{
              p: 2.5,
              display: 'grid',
              gap: 2.5,
              gridTemplateColumns: { sm: 'repeat(3, minmax(0, 1fr))' },
            }}
          >
            {steps.map(({ icon, title, words, inCanada }) => (
              <div key={title}>
                <Box component={icon} aria-hidden size={22} sx={{ color: 'primary.main', mb: 1 }} />
                <Typography variant="h2">{title}</Typography>
                <Typography sx={{ color: 'text.secondary' }}>{(isCanadian && inCanada) || words}</Typography>
              </div>
            ))}
          </Box>
        </Card>
        {!allowed && <SkeletonRows rows={1} label="Loading your registration" />}
        {allowed && !allowed.allowed && !isOpen && (
          <Notice kind={allowed.reasons[0]?.type === 'HAS_REGISTERED_NUMBER' ? 'success' : 'warning'}>
            {allowed.reasons.map(({ type }) => reasonWords[type]).join(' ')}
          </Notice>
        )}
        {status === 'Complete' && <TollFreeCard />}
        {allowed?.allowed && !isOpen && (
          <Box>
            {needsReview ? (
              <RouterButton
                variant="contained"
                color="primary"
                to="/local-number-registration/returning-user/needs-review"
              >
                Correct your registration
              </RouterButton>
            ) : (
              <RouterButton
                variant="contained"
                color="primary"
                to="/local-number-registration/$step"
                params={{ step: route }}
              >
                {isBegun ? 'Continue' : 'Start'}
              </RouterButton>
            )}
          </Box>
        )}
      </Box>
    </>
  );
}
