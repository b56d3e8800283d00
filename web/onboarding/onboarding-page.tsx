import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { getOnboarding, updateOnboardingStep } from '../../contract/addresses/onboarding.gen.ts';
import {
  currentOnboardingStep,
  type OnboardingStep,
  visibleOnboardingSteps,
} from '../../contract/states/onboarding-steps.ts';
import { callApi, shownMessage } from '../api.ts';
import { useCallQuery } from '../queries/calls.ts';
import { queryClient } from '../queries/query-client.ts';
import { Notice } from '../ui/notice.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { CompanyPreview } from './company-preview.tsx';
import { CompanyStep } from './company-step.tsx';
import { LocalNumberStep } from './local-number-step.tsx';
import { OnboardingRail } from './onboarding-rail.tsx';
import {
  DoneStep,
  LocationStep,
  MfaStep,
  NotificationsStep,
  TermsStep,
  UseCaseStep,
  VerifyEmailStep,
  WelcomeStep,
} from './small-steps.tsx';
import {
  type Progress,
  type StepBody,
  type StepProps,
  type StepView,
  saveFailed,
  stepFormId,
} from './steps.ts';

interface OnboardingPageProps {
  given: Progress;
  firstName: string;
  /** Goes to the page that was requested, or else to this address. */
  onDone: (otherwise: string) => void;
}

/** Interval at which the page checks whether the email was verified elsewhere. */
const lookMs = 3_000;

/** Can be skipped for now. */
const skippable: readonly OnboardingStep[] = ['mfa', 'browserNotifications', 'addLocalNumber'];

/**
 * The first run, step by step. The server knows the current step, so onboarding continues there on any
 * machine.
 */
export function OnboardingPage({ given, firstName, onDone }: OnboardingPageProps) {
  const [chosen, setChosen] = useState<OnboardingStep>();
  const [skipProblem, setSkipProblem] = useState<string>();
  const { data: progress = given } = useCallQuery(
    getOnboarding,
    {},
    currentOnboardingStep(given.Steps) === undefined ? {} : { refetchInterval: lookMs },
  );
  const current = currentOnboardingStep(progress.Steps);
  const visible = visibleOnboardingSteps(progress.Steps);
  const step = chosen ?? current;
  const [preview, setPreview] = useState({ name: progress.Activation.CompanyName, phone: '' });
  const showName = useCallback((name: string, phone: string) => setPreview({ name, phone }), []);

  useEffect(() => {
    if (current === undefined) onDone(progress.RedirectUrl);
  }, [current, progress.RedirectUrl, onDone]);

  const view = step === undefined ? { title: '', sentence: '' } : viewOf(step, progress, firstName);
  usePageTitle(view.title);
  if (step === undefined) return null;

  const keep = async (body: StepBody) => {
    // The step is skipped if the number can't be ordered this way any more, for example because the account
    // got one elsewhere.
    const missing = step === 'addLocalNumber' ? 'empty' : 'refuse';
    await callApi(updateOnboardingStep, { params: { Step: step }, body }, { missing });
  };
  const save = async (body: StepBody) => {
    await keep(body);
    await queryClient.invalidateQueries({ queryKey: [getOnboarding.path] });
    setChosen(undefined);
  };
  const skip = () => {
    setSkipProblem(undefined);
    save({ Completed: true }).catch((error: unknown) => setSkipProblem(shownMessage(error, saveFailed)));
  };
  const at = visible.findIndex(({ Name }) => Name === step);
  const before = visible.slice(0, Math.max(at, 0)).findLast(({ Name }) => Name !== 'verifyEmail');
  const stepProps = { progress, firstName, save, keep };
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: { xs: 'column', md: 'row' },
        minHeight: '100dvh',
        flex: 1,
        bgcolor: 'background.default',
      }}
    >
      <OnboardingRail progress={progress} steps={visible} at={at} />
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
        <Box
          component="main"
          id="content"
          sx={{
            flex: 1,
            display: 'flex',
            gap: 12,
            alignItems: 'flex-start',
            px: { xs: 2, sm: 4, md: 9 },
            py: { xs: 3, md: 8 },
          }}
        >
          <Box sx={{ width: '100%', maxWidth: 560 }}>
            <Typography
              variant="h1"
              sx={{ fontSize: 26, lineHeight: '32px', fontWeight: 640, letterSpacing: '-0.022em' }}
            >
              {view.title}
            </Typography>
            <Typography sx={{ mt: 1, mb: 3.5, color: 'text.secondary' }}>{view.sentence}</Typography>
            {skipProblem && (
              <Box sx={{ mb: 2.5 }}>
                <Notice kind="error">{skipProblem}</Notice>
              </Box>
            )}
            <StepContent key={step} step={step} onName={showName} {...stepProps} />
          </Box>
          {step === 'company' && (
            <Box sx={{ width: 320, flex: 'none', display: { xs: 'none', lg: 'block' }, pt: '70px' }}>
              <CompanyPreview {...preview} />
            </Box>
          )}
        </Box>
        <Foot
          step={step}
          {...(before && { onBack: () => setChosen(before.Name) })}
          {...(skippable.includes(step) && { onSkip: skip })}
        />
      </Box>
    </Box>
  );
}

interface StepContentProps extends StepProps {
  step: OnboardingStep;
  onName: (name: string, phone: string) => void;
}

function StepContent({ step, onName, ...props }: StepContentProps) {
  switch (step) {
    case 'welcome':
      return <WelcomeStep {...props} />;
    case 'terms':
      return <TermsStep {...props} />;
    case 'location':
      return <LocationStep {...props} />;
    case 'company':
      return <CompanyStep {...props} onName={onName} />;
    case 'useCase':
      return <UseCaseStep {...props} />;
    case 'verifyEmail':
      return <VerifyEmailStep {...props} />;
    case 'mfa':
      return <MfaStep {...props} />;
    case 'browserNotifications':
      return <NotificationsStep {...props} />;
    case 'addLocalNumber':
      return <LocalNumberStep {...props} />;
    default:
      return <DoneStep {...props} />;
  }
}

function viewOf(step: OnboardingStep, progress: Progress, firstName: string): StepView {
  const isAnew = progress.AgreedToTermsTimestamp !== null;
  const views: Record<OnboardingStep, StepView> = {
    welcome: {
      title: `Welcome, ${firstName}`,
      sentence: 'A few questions, then you’re ready to text. It takes about three minutes.',
    },
    terms: {
      title: isAnew ? 'The terms have changed' : 'Terms of use',
      sentence: isAnew ? 'Read them and agree to continue.' : 'Read them before you start.',
    },
    location: { title: 'Where are you?', sentence: 'Numbers and times follow your country and time zone.' },
    company: {
      title: 'Tell us about your organization',
      sentence: 'We use it on invoices and to register your numbers with the carriers.',
    },
    useCase: { title: 'What brings you here?', sentence: 'It helps us to help you. You can do all of it.' },
    verifyEmail: {
      title: 'Check your email',
      sentence: 'We want to be sure that we can reach you.',
    },
    mfa: {
      title: 'Verify your phone',
      sentence: 'During the free trial, you can text only verified numbers. Start with your own.',
    },
    browserNotifications: {
      title: 'Hear about replies',
      sentence: 'Your browser can show a notification when somebody texts you back.',
    },
    addLocalNumber: {
      title: 'Get a local number',
      sentence: 'Your texts come from it, and replies come back to it.',
    },
    done: { title: 'You’re all set', sentence: 'Here is how you start.' },
  };
  return views[step];
}

interface FootProps {
  step: OnboardingStep;
  onBack?: () => void;
  onSkip?: () => void;
}

const actionWords: Partial<Record<OnboardingStep, string>> = {
  terms: 'Agree and continue',
  done: 'Open Muster',
};

function Foot({ step, onBack, onSkip }: FootProps) {
  return (
    <Box
      component="footer"
      sx={{
        position: 'sticky',
        bottom: 0,
        minHeight: 64,
        display: 'flex',
        alignItems: 'center',
        flexWrap: 'wrap',
        gap: 1.5,
        px: { xs: 2, sm: 4, md: 9 },
        py: 1,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        bgcolor: 'background.paper',
      }}
    >
      {onBack && (
        <Button startIcon={<ArrowLeft />} onClick={onBack}>
          Back
        </Button>
      )}
      <Box sx={{ flex: 1 }} />
      <Typography variant="body2" sx={{ color: 'text.secondary', display: { xs: 'none', sm: 'block' } }}>
        Saved as you go. You can come back any time.
      </Typography>
      {onSkip && (
        <Button variant="text" onClick={onSkip}>
          Do this later
        </Button>
      )}
      {step !== 'mfa' && (
        <Button type="submit" form={stepFormId} variant="contained" color="primary" endIcon={<ArrowRight />}>
          {actionWords[step] ?? 'Continue'}
        </Button>
      )}
    </Box>
  );
}
