import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  getCurrentRegistration,
  getRegistrationDraft,
  getReturningBrand,
} from '../../contract/addresses/registration.gen.ts';
import {
  applyRefusedCampaign,
  applyRegisteredBrand,
} from '../../contract/forms/registration/registration-changes.ts';
import { shownMessage } from '../api.ts';
import { openCorrection } from '../pieces/numbers/open-correction.ts';
import { callQuery, useCallQuery } from '../queries/calls.ts';
import { Card } from '../ui/card.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';

/** A refused brand: what is wrong, and the wizard with everything filled in at the first wrong field. */
export function NeedsReviewPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const brand = useCallQuery(getReturningBrand, {}).data?.apiData.registeredBrand;
  const draft = useCallQuery(getRegistrationDraft, {}).data;
  const current = useCallQuery(getCurrentRegistration, {}).data;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const reasons = current?.reasons ?? [];

  /** The brand as it was registered; the campaign is what is left in the draft, or what we wrote. */
  const open = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      // The refusal may be newer than the draft that is in memory.
      const given = await client.fetchQuery({ ...callQuery(getRegistrationDraft), staleTime: 0 });
      const form = applyRefusedCampaign(given.Form, given.RefusedCampaign);
      const submitted = brand ? applyRegisteredBrand(form, brand) : form;
      const step = await openCorrection(client, given, submitted, reasons);
      await navigate({ to: '/local-number-registration/$step', params: { step } });
    } catch (error) {
      setProblem(shownMessage(error, 'There was an error getting your registration.'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <PageHead crumb="Settings, Text" title="Correct your registration" maxWidth={880} />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2, maxWidth: 880 }}>
        {!draft && <SkeletonRows rows={3} label="Loading your registration" />}
        {problem && <Notice kind="error">{problem}</Notice>}
        {draft && (
          <Card>
            <Box sx={{ p: 2.5, display: 'grid', gap: 2 }}>
              <Typography>
                {reasons.length === 0
                  ? 'Your registration is filled in below as it was submitted.'
                  : 'The registry listed what has to change. Everything else is filled in as you submitted it.'}
              </Typography>
              {reasons.length > 0 && (
                <Box component="ul" sx={{ m: 0, pl: 2.5, display: 'grid', gap: 0.75 }}>
                  {reasons.map(({ message }) => (
                    <li key={message}>{message}</li>
                  ))}
                </Box>
              )}
              <Box>
                <Button variant="contained" color="primary" disabled={isBusy} onClick={() => void open()}>
                  Open the form
                </Button>
              </Box>
            </Box>
          </Card>
        )}
      </Box>
    </>
  );
}
