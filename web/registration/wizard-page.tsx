import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { ArrowRight, Send } from 'lucide-react';
import { useState } from 'react';
import { getAccount } from '../../contract/addresses/accounts.gen.ts';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import {
  createRegistrationRequest,
  getCapabilities,
  getCurrentRegistration,
  getRegistrationDraft,
  getTollFreeRegistration,
  registerTollFree,
} from '../../contract/addresses/registration.gen.ts';
import {
  asksForCampaign,
  type RegistrationField,
} from '../../contract/forms/registration/registration-form.ts';
import {
  fieldsOfRoute,
  nextRoute,
  previousRoute,
  type RegistrationRoute,
  registrationRoutes,
  registrationStepErrors,
  registrationStepGroup,
} from '../../contract/forms/registration/registration-steps.ts';
import {
  type RegistrationProblem,
  registrationOutcome,
  registrationPayload,
} from '../../contract/forms/registration/registration-submission.ts';
import { limits } from '../../contract/reference/limits.ts';
import type { RegistrationRequest } from '../../contract/registration.ts';
import { ApiError, isNotFound, shownMessage } from '../api.ts';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { useTimeZone } from '../queries/current-user.ts';
import { formatTime } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { BackButton, StepProblem, TwoColumns, WizardFrame } from '../ui/wizard-frame.tsx';
import { ApplicationSide, groupsOf, isGroupDone, stepWords } from './application-side.tsx';
import { ApplyForTollFreeStep, ContactsStep } from './contacts-step.tsx';
import { MessageStep } from './message-step.tsx';
import { OrganizationStep } from './organization-step.tsx';
import { ReviewStep } from './review-step.tsx';
import { type ServerCheck, useServerChecks } from './server-checks.ts';
import { resultStep } from './status-page.tsx';
import { TaxIdStep } from './tax-id-step.tsx';
import { type Draft, useWizardState, type WizardState } from './wizard-state.ts';

const pageTitle = 'Register your organization';
const tollFreeFailed =
  'Your organization was submitted, but not your toll-free number. You can apply for it on this page.';

/** The registration wizard. What is typed is saved, so it can be left and opened again at any step. */
export function WizardPage({ route }: { route: RegistrationRoute }) {
  const allowed = useCallQuery(getCapabilities, {}).data?.texting.createRegistrationRequest.allowed;
  // The landing page says why.
  if (allowed === false)
    return <Navigate to="/local-number-registration/$step" params={{ step: 'landing' }} replace />;
  return <LoadedWizard route={route} isForTollFree={false} isReady={allowed === true} />;
}

/** The wizard once more, for a toll-free number that was refused: with every answer filled in. */
export function TollFreeWizardPage({ route }: { route: RegistrationRoute }) {
  const { data, error } = useCallQuery(getTollFreeRegistration, {});
  if ((data && data.status !== 'Failed') || isNotFound(error))
    return <Navigate to="/local-number-registration/$step" params={{ step: 'processing' }} replace />;
  // They were asked before whether they text people in Canada.
  if (registrationStepGroup(route) === 'Contacts') return <Navigate {...wizardAt('tax-id', true)} replace />;
  return (
    <LoadedWizard
      route={route}
      isForTollFree
      isReady={data !== undefined}
      reasons={data?.reasons.map(({ message }) => message) ?? []}
    />
  );
}

interface LoadedWizardProps {
  route: RegistrationRoute;
  isForTollFree: boolean;
  isReady: boolean;
  /** Reasons why it was refused. */
  reasons?: readonly string[];
}

function LoadedWizard({ isReady, ...rest }: LoadedWizardProps) {
  const { data, isError, refetch } = useCallQuery(
    getRegistrationDraft,
    {},
    { staleTime: Number.POSITIVE_INFINITY },
  );
  if (data && isReady) return <Wizard draft={data} {...rest} />;
  return (
    <Box sx={{ p: 4 }}>
      {isError ? (
        <RetryNotice onRetry={() => void refetch()}>
          There was an error getting your registration.
        </RetryNotice>
      ) : (
        <SkeletonRows rows={6} label="Loading your registration" />
      )}
    </Box>
  );
}

interface WizardProps extends Omit<LoadedWizardProps, 'isReady'> {
  draft: Draft;
}

function Wizard({ draft, route, isForTollFree, reasons = [] }: WizardProps) {
  const navigate = useNavigate();
  const zone = useTimeZone();
  const state = useWizardState(draft, route, isForTollFree);
  const checks = useServerChecks(state.form);
  const { isBusy, problem, submit, setProblem } = useSubmit(state, checks.runFor);
  const go = (to: RegistrationRoute) => {
    setProblem(undefined);
    void navigate(wizardAt(to, isForTollFree));
  };
  const [isChecking, setChecking] = useState(false);
  /** True if this step has all it needs; otherwise its errors are shown. */
  const mayAdvance = async () => {
    setProblem(undefined);
    if (route === 'contacts' && state.textsToCanada === null) return false;
    const errors = stepErrors(route, state);
    for (const [field, message] of Object.entries(errors))
      state.form.setError(field as RegistrationField, { message });
    focusFirst(state, errors);
    if (Object.keys(errors).length > 0) return false;
    setChecking(true);
    const isGood = await checks.runFor(route);
    setChecking(false);
    return isGood;
  };
  const next = async () => {
    if (await mayAdvance()) go(nextRoute(route, state.way));
  };
  const isLast = route === 'review' || route === 'sole-proprietor-review';
  const groups = groupsOf(state);
  const at = groups.indexOf(registrationStepGroup(route));
  const openStep = async (index: number) => {
    if (index < at || (await mayAdvance())) go(firstRouteOf(groups[index], state));
  };
  const following = registrationStepGroup(nextRoute(route, state.way));
  const close = async () => {
    await state.save();
    if (isForTollFree)
      await navigate({ to: '/local-number-registration/$step', params: { step: 'processing' } });
    else await navigate({ to: '/settings/text' });
  };
  return (
    <WizardFrame
      title={isForTollFree ? 'Correct your toll-free number' : pageTitle}
      subtitle={savedWords(state, zone)}
      steps={groups.map((each) => stepWords[each])}
      at={at}
      done={groups.map((each) => isGroupDone(each, state))}
      onStep={(index) => void openStep(index)}
      onClose={() => void close()}
      closing={
        <Button variant="text" onClick={() => void close()}>
          Save and close
        </Button>
      }
      back={!isFirst(route, state) && <BackButton onPress={() => go(previousRoute(route, state.way))} />}
      forward={
        isLast ? (
          <Button
            variant="contained"
            color="primary"
            startIcon={<Send aria-hidden />}
            disabled={isBusy}
            onClick={() => void submit()}
          >
            {isForTollFree ? 'Submit again' : 'Submit registration'}
          </Button>
        ) : (
          <Button
            variant="contained"
            color="primary"
            endIcon={<ArrowRight aria-hidden />}
            disabled={isChecking || (route === 'contacts' && state.textsToCanada === null)}
            onClick={() => void next()}
          >
            Next: {stepWords[following]}
          </Button>
        )
      }
    >
      <StepProblem problem={problem} />
      {reasons.length > 0 && (
        <Box sx={{ mb: 2 }}>
          <Notice kind="warning" title="What the registry wants changed">
            {reasons.join(' ')}
          </Notice>
        </Box>
      )}
      <TwoColumns
        head={null}
        main={
          <Step route={route} state={state} website={checks.website} go={go} onSubmit={() => void next()} />
        }
        side={<ApplicationSide route={route} state={state} />}
      />
    </WizardFrame>
  );
}

interface StepProps {
  route: RegistrationRoute;
  state: WizardState;
  website: ServerCheck;
  go: (to: RegistrationRoute) => void;
  onSubmit: () => void;
}

function Step({ route, state, website, go, onSubmit }: StepProps) {
  const content = {
    contacts: () => <ContactsStep state={state} />,
    'apply-for-tfn': () => <ApplyForTollFreeStep state={state} />,
    'tax-id': () => <TaxIdStep state={state} />,
    'organization-details': () => <OrganizationStep state={state} website={website} go={go} />,
    'message-details': () => <MessageStep state={state} />,
    review: () => <ReviewStep state={state} go={go} />,
    'sole-proprietor-review': () => <ReviewStep state={state} go={go} />,
  }[route];
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {content()}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </Box>
  );
}

function stepErrors(route: RegistrationRoute, { form, way }: WizardState): Record<string, string> {
  return registrationStepErrors(route, form.getValues(), way);
}

function focusFirst({ form }: WizardState, errors: Record<string, string>): void {
  const [first] = Object.keys(errors);
  if (first !== undefined) form.setFocus(first as RegistrationField);
}

/** The address of a step; the same wizard corrects a toll-free number. */
function wizardAt(step: RegistrationRoute, isForTollFree: boolean) {
  const search = isForTollFree ? { for: 'toll-free' as const } : {};
  return { to: '/local-number-registration/$step', params: { step }, search } as const;
}

function isFirst(route: RegistrationRoute, { isForTollFree, way }: WizardState): boolean {
  if (!isForTollFree) return route === 'contacts';
  return route === (way.isSoleProprietor ? 'organization-details' : 'tax-id');
}

function firstRouteOf(group: string | undefined, { way }: WizardState): RegistrationRoute {
  if (group === 'Review & Submit') return nextRoute('message-details', way);
  if (group === 'Tax ID' && way.isSoleProprietor) return 'organization-details';
  return registrationRoutes.find((route) => registrationStepGroup(route) === group) ?? 'contacts';
}

function savedWords({ savedAt, isSaveFailing }: WizardState, zone: string): string {
  if (isSaveFailing) return 'Not saved yet. We keep trying.';
  return savedAt === null ? 'Saved as you type' : `Saved at ${formatTime(savedAt, zone)}`;
}

/** Leaves out answers to questions that aren’t asked any more, even if they were typed before. */
function asAsked(body: ReturnType<typeof registrationPayload>, { way }: WizardState) {
  if (asksForCampaign({ IsSoleProprietor: way.isSoleProprietor }, way)) return body;
  return { ...body, NewCampaign: { ...body.NewCampaign, Description: '', Sample1: '', Sample2: '' } };
}

/** Submits once; what the registry’s door refuses goes to its fields. */
function useSubmit(state: WizardState, runChecks: (route: RegistrationRoute) => Promise<boolean>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useCall(createRegistrationRequest);
  const tollFree = useCall(registerTollFree);
  const [problem, setProblem] = useState<string>();
  const [isChecking, setChecking] = useState(false);
  const { form, way } = state;

  const showRoute = (route: RegistrationRoute) => navigate(wizardAt(route, state.isForTollFree));

  async function finish(request: RegistrationRequest): Promise<void> {
    const { path } = request.kind === 'Local' ? getCurrentRegistration : getTollFreeRegistration;
    client.setQueryData([path, {}, {}], request);
    await navigate({ to: '/local-number-registration/$step', params: { step: resultStep(request) } });
    // The registration itself too: the registry may have answered before we heard that it was submitted.
    for (const each of [path, getCapabilities.path, getAccount.path])
      void client.invalidateQueries({ queryKey: [each] });
    setTimeout(
      () => void client.invalidateQueries({ queryKey: [listTextNumbers.path] }),
      limits.textNumbersRefetchMs,
    );
  }

  async function refuse(error: unknown): Promise<void> {
    const given =
      error instanceof ApiError ? (error.body.ExtendedData as RegistrationProblem | undefined) : undefined;
    const outcome = registrationOutcome(
      error instanceof ApiError ? (given ?? {}) : undefined,
      form.getValues(),
    );
    if (outcome.show === 'error-route')
      await navigate({ to: '/local-number-registration/$step', params: { step: 'error' } });
    else if (outcome.show === 'message') setProblem(shownMessage(error, outcome.message));
    else {
      setProblem(outcome.message);
      const wrong = Object.keys(outcome.errors) as RegistrationField[];
      const route = registrationRoutes.find((each) =>
        fieldsOfRoute[each].some((field) => wrong.includes(field)),
      );
      if (route !== undefined) await showRoute(route);
      for (const [field, message] of Object.entries(outcome.errors))
        form.setError(field as RegistrationField, { message });
    }
  }

  const submit = async () => {
    setProblem(undefined);
    const errors = registrationStepErrors('review', form.getValues(), way);
    const wrong = registrationRoutes.find((each) =>
      fieldsOfRoute[each].some((field) => errors[field] !== undefined),
    );
    if (wrong !== undefined) {
      await showRoute(wrong);
      for (const [field, message] of Object.entries(errors))
        form.setError(field as RegistrationField, { message });
      return;
    }
    // Whoever came here by an address or by the steps above hasn't had them checked.
    setChecking(true);
    const isGood = await runChecks('organization-details');
    setChecking(false);
    if (!isGood) {
      await showRoute('organization-details');
      return;
    }
    const body = registrationPayload(form.getValues());
    try {
      await state.save();
      if (state.isForTollFree) return await finish(await tollFree.mutateAsync({ body: body as never }));
      const request = await create.mutateAsync({ body: body as never });
      if (state.appliesForTollFree) {
        await tollFree
          .mutateAsync({ body: asAsked(body, state) as never })
          .catch((error: unknown) => showSnackbar(shownMessage(error, tollFreeFailed)));
      }
      await finish(request);
    } catch (error) {
      await refuse(error);
    }
  };
  return { submit, problem, setProblem, isBusy: isChecking || create.isPending || tollFree.isPending };
}
