import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { getTerms, resendVerification } from '../../contract/addresses/onboarding.gen.ts';
import { emailForm } from '../../contract/forms/sign-up.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { useCases } from '../../contract/reference/canned-messages.ts';
import { countries } from '../../contract/reference/countries.ts';
import { languages } from '../../contract/reference/languages.ts';
import { allZones, findZoneByIana, zonesForCountry } from '../../contract/time/zones.ts';
import { callApi, shownMessage } from '../api.ts';
import { browserPermission } from '../pieces/notifications/browser-permission.ts';
import { VerifyPhone } from '../pieces/phones/verify-phone.tsx';
import { PrivacyLink } from '../pieces/support/privacy-link.tsx';
import { useCallQuery } from '../queries/calls.ts';
import { RadioBoxes } from '../ui/choices.tsx';
import { countryName } from '../ui/country-name.ts';
import { FormChoice, FormText } from '../ui/form-fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { languageChoices, showLanguage } from '../ui/page-language.ts';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { useContractForm } from '../ui/use-contract-form.ts';
import { zoneWarning } from '../ui/zone-warning.ts';
import { StepForm } from './step-form.tsx';
import { type StepProps, saveFailed } from './steps.ts';

/** Saves a step that has no fields, and shows the error if that fails. */
function useSave(save: StepProps['save']) {
  const [problem, setProblem] = useState<string>();
  const run = (body: Parameters<StepProps['save']>[0]) => {
    setProblem(undefined);
    save(body).catch((error: unknown) => setProblem(shownMessage(error, saveFailed)));
  };
  return { problem, run, setProblem };
}

export function WelcomeStep({ save }: StepProps) {
  const { problem, run } = useSave(save);
  const ahead = [
    ['Say who you are', 'Your organization’s name, and where you are.'],
    ['Verify your email and phone', 'During the free trial, you can text the phones you verified.'],
    ['Send your first text', 'To your own phone, to see how it arrives.'],
  ] as const;
  return (
    <StepForm problem={problem} onSubmit={() => run({ Completed: true })}>
      <Box component="ol" sx={{ listStyle: 'none', p: 0, display: 'grid', gap: 2 }}>
        {ahead.map(([title, sentence]) => (
          <li key={title}>
            <Typography sx={{ fontWeight: 550 }}>{title}</Typography>
            <Typography sx={{ color: 'text.secondary' }}>{sentence}</Typography>
          </li>
        ))}
      </Box>
    </StepForm>
  );
}

export function TermsStep({ save }: StepProps) {
  const { data: terms, error, refetch } = useCallQuery(getTerms, {}, { staleTime: 0 });
  const [isAgreed, setAgreed] = useState(false);
  const { problem, run, setProblem } = useSave(save);
  const submit = () => {
    // The terms can't be agreed to before they have loaded, so the box is disabled until then.
    if (isAgreed && terms) run({ Completed: true, TermsVersion: terms.Version });
    else setProblem('Agree to the terms to continue.');
  };
  return (
    <StepForm problem={problem} onSubmit={submit}>
      {error && (
        <RetryNotice onRetry={() => void refetch()}>There was an error getting the terms.</RetryNotice>
      )}
      <Box
        role="region"
        aria-label="Terms of use"
        tabIndex={0}
        sx={{
          maxHeight: 340,
          overflow: 'auto',
          p: 2,
          borderRadius: '10px',
          border: '1px solid',
          borderColor: 'line.strong',
          bgcolor: 'background.paper',
          whiteSpace: 'pre-line',
        }}
      >
        {terms?.Text ?? ''}
      </Box>
      <PrivacyLink url={terms?.PrivacyUrl ?? ''} />
      <FormControlLabel
        sx={{ ml: '-3px', justifySelf: 'start' }}
        disabled={!terms}
        control={<Checkbox checked={isAgreed} onChange={(_, checked) => setAgreed(checked)} />}
        label="I agree to the terms of use"
      />
    </StepForm>
  );
}

const locationRules = z.object({
  CountryID: z.number(),
  LanguageID: z.union(languages.map(({ id }) => z.literal(id))),
  TimeZone: z.string(),
});

export function LocationStep({ progress, save }: StepProps) {
  const { control, problem, submit } = useContractForm({
    rules: locationRules,
    values: {
      CountryID: progress.CountryID,
      LanguageID: languages.find(({ id }) => id === progress.LanguageID)?.id ?? 1,
      TimeZone: progress.TimeZone,
    },
    failed: saveFailed,
    save: async (values) => {
      await save({ ...values, ...settingOf(values.TimeZone) });
      showLanguage(values.LanguageID);
    },
  });
  const [countryId, zone] = useWatch({ control, name: ['CountryID', 'TimeZone'] });
  const near = zonesForCountry(countryId ?? 1);
  const known = [...near, ...allZones.filter((zone) => !near.includes(zone))];
  const own = findZoneByIana(progress.TimeZone)
    ? []
    : [{ value: progress.TimeZone, label: progress.TimeZone.replaceAll('_', ' ') }];
  return (
    <StepForm problem={problem} onSubmit={submit}>
      <FormChoice
        control={control}
        name="CountryID"
        label="Country"
        choices={countries.map((country) => ({ value: country.id, label: countryName(country) }))}
      />
      <FormChoice control={control} name="LanguageID" label="Language" choices={languageChoices} />
      <FormChoice
        control={control}
        name="TimeZone"
        label="Time zone"
        help={`Times on every page are in this zone. ${zoneWarning(zone ?? '', countryId ?? 1) ?? ''}`.trim()}
        choices={[...own, ...known.map(({ iana, label }) => ({ value: iana, label }))]}
      />
    </StepForm>
  );
}

/** The zone as the spec says it, beside its name. */
function settingOf(iana: string) {
  const zone = findZoneByIana(iana);
  return zone
    ? { TimeZoneOffset: zone.userOffset, ObservesDayLightSavings: zone.observesDaylightSavings }
    : {};
}

const useCaseSentences: Record<keyof typeof useCases, string> = {
  ANNOUNCEMENTS: 'Meetings, deadlines, early dismissals.',
  EMERGENCIES: 'Weather, safety, anything that can’t wait.',
  CONVERSATIONS: 'Questions and answers, one person at a time.',
  EVENTS: 'Who comes, who helps, what to bring.',
  PROMOTIONS: 'Sales and news for people who asked for them.',
  OTHER: 'You’ll find out as you go.',
};

export function UseCaseStep({ progress, save }: StepProps) {
  const [useCase, setUseCase] = useState(progress.UseCase);
  const { problem, run } = useSave(save);
  return (
    <StepForm problem={problem} onSubmit={() => run({ UseCase: useCase })}>
      <RadioBoxes
        label="What do you want to do first?"
        value={useCase}
        columns={2}
        choices={Object.entries(useCases).map(([value, title]) => ({
          value,
          title,
          sentence: useCaseSentences[value as keyof typeof useCases],
        }))}
        onChange={setUseCase}
      />
    </StepForm>
  );
}

/**
 * Waits for the link to be opened. The page polls every few seconds, because that may happen on another
 * machine.
 */
export function VerifyEmailStep({ progress, save }: StepProps) {
  const { problem, run } = useSave(save);
  const [isCorrecting, setCorrecting] = useState(false);
  const [sent, setSent] = useState<{ kind: 'success' | 'error'; words: string }>();
  const resend = async (Email?: string) => {
    const reply = await callApi(
      resendVerification,
      { body: Email === undefined ? {} : { Email } },
      { missing: 'refuse' },
    );
    setSent({
      kind: 'success',
      words: `We sent another email to ${reply.Email}. Older links no longer work.`,
    });
  };
  const resendFailed = 'There was an error sending your email. Please try again.';
  return (
    <>
      <StepForm problem={problem} onSubmit={() => run({ Completed: true })}>
        {sent && <Notice kind={sent.kind}>{sent.words}</Notice>}
        {progress.EmailProblem !== '' && (
          <Notice kind="error">
            Your email came back: {progress.EmailProblem} Check the address, or use another one.
          </Notice>
        )}
        <Typography>
          We sent an email to <strong>{progress.Email}</strong>. Open the link in it, on this computer or
          another one; this page continues by itself.
        </Typography>
      </StepForm>
      <Box sx={{ mt: 2.5, display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        <Button
          onClick={() =>
            void resend().catch((error: unknown) =>
              setSent({ kind: 'error', words: shownMessage(error, resendFailed) }),
            )
          }
        >
          Send it again
        </Button>
        {!isCorrecting && (
          <Button variant="text" onClick={() => setCorrecting(true)}>
            Use another address
          </Button>
        )}
      </Box>
      {isCorrecting && (
        <CorrectEmail
          email={progress.Email}
          failed={resendFailed}
          onSave={async (email) => {
            await resend(email);
            setCorrecting(false);
          }}
        />
      )}
    </>
  );
}

interface CorrectEmailProps {
  email: string;
  failed: string;
  onSave: (email: string) => Promise<void>;
}

function CorrectEmail({ email, failed, onSave }: CorrectEmailProps) {
  const { control, problem, submit, isSubmitting } = useContractForm({
    rules: emailForm,
    values: { Email: email },
    failed,
    save: ({ Email }) => onSave(Email),
  });
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      sx={{ mt: 2.5, display: 'grid', gap: 2 }}
    >
      {problem && <Notice kind="error">{problem}</Notice>}
      <FormText control={control} name="Email" label="Email" type="email" autoComplete="email" autoFocus />
      <div>
        <Button type="submit" disabled={isSubmitting}>
          Save and send
        </Button>
      </div>
    </Box>
  );
}

export function MfaStep({ progress, save }: StepProps) {
  const { problem, run } = useSave(save);
  const [verified = ''] = progress.mfaPhoneNumbers;
  return (
    <>
      <StepForm problem={problem} onSubmit={() => run({ Completed: true })}>
        {verified && <Notice kind="success">{formatPhone(verified)} is verified.</Notice>}
      </StepForm>
      {!verified && (
        <VerifyPhone
          countryId={progress.CountryID}
          phone={progress.Activation.Phone}
          onVerified={() => run({ Completed: true })}
        />
      )}
    </>
  );
}

export function NotificationsStep({ save }: StepProps) {
  const { problem, run } = useSave(save);
  const [permission, setPermission] = useState(browserPermission);
  const ask = () => void Notification.requestPermission().then(setPermission);
  return (
    <StepForm problem={problem} onSubmit={() => run({ Completed: true })}>
      {permission === 'granted' && <Notice kind="success">Notifications are on in this browser.</Notice>}
      {permission === 'denied' && (
        <Notice>Your browser blocks notifications from Muster. You can change that in its settings.</Notice>
      )}
      {permission === 'unsupported' && <Notice>This browser can’t show notifications.</Notice>}
      {permission === 'default' && (
        <div>
          <Button onClick={ask}>Turn on notifications</Button>
        </div>
      )}
    </StepForm>
  );
}

export function DoneStep({ progress, save }: StepProps) {
  const { problem, run } = useSave(save);
  return (
    <StepForm problem={problem} onSubmit={() => run({ Completed: true })}>
      <Box component="ul" sx={{ pl: 2.5, display: 'grid', gap: 1 }}>
        <li>{progress.Activation.CompanyName} is on a free trial.</li>
        {progress.mfaPhoneNumbers.length > 0 && (
          <li>You can text {progress.mfaPhoneNumbers.map(formatPhone).join(', ')}.</li>
        )}
        <li>Everything you entered can be changed in the settings.</li>
      </Box>
    </StepForm>
  );
}
