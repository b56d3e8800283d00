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
  saveRegistrationDraft,
  validateWebsite,
} from '../../contract/addresses/registration.gen.ts';
import { applyRegisteredBrand } from '../../contract/forms/registration/registration-changes.ts';
import {
  fieldsOfRoute,
  type RegistrationRoute,
  registrationRoutes,
} from '../../contract/forms/registration/registration-steps.ts';
import { websiteOutcome } from '../../contract/forms/registration/registration-submission.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { domesticDigits } from '../../contract/phone/normalize-phone.ts';
import { callApi, shownMessage } from '../api.ts';
import { callKey, useCallQuery } from '../queries/calls.ts';
import { Card } from '../ui/card.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import type { Draft } from './wizard-state.ts';

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

  /** The brand as it was registered; the campaign is what is left in the draft. */
  const open = async (given: Draft) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const registered = brand ? applyRegisteredBrand(given.Form, brand) : given.Form;
      const Form = { ...registered, PhoneNumber: formatPhone(domesticDigits(registered.PhoneNumber)) };
      // The website and the promotional choice are looked at again: both may have changed since.
      const reply = await callApi(validateWebsite, { body: { Url: Form.BrandWebsite } }).catch(
        () => undefined,
      );
      const isSiteGood = !('error' in websiteOutcome(reply as never));
      const wrong = [
        ...reasons.map(({ field }) => field),
        ...(isSiteGood ? [] : ['BrandWebsite']),
        ...(Form.IsPromotionalRegistration === null ? ['IsPromotionalRegistration'] : []),
      ];
      const Route = routeOf(wrong, Form.IsSoleProprietor);
      const { TextsToCanada, WantsTollFree } = given;
      const body = { Form, Route, TextsToCanada: TextsToCanada ?? false, WantsTollFree };
      const saved = (await callApi(saveRegistrationDraft, { body })) as { SavedAt: string };
      client.setQueryData<Draft>(callKey(getRegistrationDraft), {
        ...given,
        ...body,
        SavedAt: saved.SavedAt,
      });
      await navigate({ to: '/local-number-registration/$step', params: { step: Route } });
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
                <Button
                  variant="contained"
                  color="primary"
                  disabled={isBusy}
                  onClick={() => void open(draft)}
                >
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

/** The first step that has one of these fields. */
function routeOf(fields: readonly string[], isSole: boolean): RegistrationRoute {
  const found = registrationRoutes.find((route) =>
    fieldsOfRoute[route].some((field) => fields.includes(field)),
  );
  if (found === undefined || found === 'review') return isSole ? 'organization-details' : 'tax-id';
  return found === 'tax-id' && isSole ? 'organization-details' : found;
}
