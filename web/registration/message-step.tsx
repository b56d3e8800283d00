import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { Shuffle } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useController } from 'react-hook-form';
import { getCampaignDetails } from '../../contract/addresses/registration.gen.ts';
import { asksForCampaign } from '../../contract/forms/registration/registration-form.ts';
import { consentTypeNames, messageFlow } from '../../contract/reference/consent-types.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { fillSuggestion, suggestFrom } from '../../contract/reference/suggest-campaign.ts';
import { callQuery } from '../queries/calls.ts';
import { Card } from '../ui/card.tsx';
import { RadioBoxes } from '../ui/choices.tsx';
import { FormChoice, FormText } from '../ui/form-fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { said } from '../ui/said.ts';
import { StepHead } from '../ui/wizard-frame.tsx';
import { lengthHelp, registrarLengths } from './registrar-lengths.ts';
import type { WizardState } from './wizard-state.ts';

/** Asks what the organization texts, and how people agree to it. */
export function MessageStep({ state }: { state: WizardState }) {
  const { form, way } = state;
  const { control } = form;
  const asks = asksForCampaign({ IsSoleProprietor: way.isSoleProprietor }, way);
  const suggestion = useSuggestion(state, asks);
  const [description, sample1, sample2] = form.watch(['Description', 'Sample1', 'Sample2']);
  return (
    <>
      <StepHead title="Message Details" sentence="What you text, and how people agree to it." />
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Card>
          <Box sx={{ p: 2.5 }}>
            <PromotionalField state={state} />
          </Box>
        </Card>
        {asks && (
          <Card
            title="What you send"
            action={
              <Button
                size="small"
                startIcon={<Shuffle aria-hidden />}
                onClick={() => void suggestion.suggest()}
              >
                Suggest texts
              </Button>
            }
          >
            <Box sx={{ p: 2.5, display: 'grid', gap: 2 }}>
              {suggestion.problem && <Notice kind="error">{suggestion.problem}</Notice>}
              <FormChoice
                control={control}
                name="ConsentType"
                label="How people agree to get texts"
                help={said(messageFlow(form.watch('ConsentType')))}
                choices={[
                  { value: '', label: 'Choose…' },
                  ...consentTypeNames.map((name) => ({ value: name, label: said(name) })),
                ]}
              />
              <FormText
                control={control}
                name="Description"
                label="Description"
                multiline
                minRows={3}
                help={lengthHelp(
                  description,
                  registrarLengths.description,
                  'Who texts whom, about what, and how often. At least 40 characters.',
                )}
                aside={<Count value={description} most={4096} />}
              />
              <FormText
                control={control}
                name="Sample1"
                label="Sample Message"
                multiline
                minRows={2}
                help={lengthHelp(sample1, registrarLengths.sample, '')}
                aside={<Count value={sample1} most={1024} />}
              />
              <FormText
                control={control}
                name="Sample2"
                label="Second Sample Message"
                multiline
                minRows={2}
                help={lengthHelp(sample2, registrarLengths.sample, 'Another text that you would send.')}
                aside={<Count value={sample2} most={1024} />}
              />
            </Box>
          </Card>
        )}
        <Card title="Privacy policy">
          <Box sx={{ p: 2.5, display: 'grid', gap: 2 }}>
            <PrivacyField state={state} />
          </Box>
        </Card>
      </Box>
    </>
  );
}

function Count({ value, most }: { value: string; most: number }) {
  return (
    <Typography variant="body2" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
      {value.length}/{most}
    </Typography>
  );
}

function PromotionalField({ state: { form } }: { state: WizardState }) {
  const { field, fieldState } = useController({ control: form.control, name: 'IsPromotionalRegistration' });
  return (
    <>
      <RadioBoxes
        label="What kind of texts do you send?"
        value={field.value === null ? '' : field.value ? 'promotional' : 'informational'}
        columns={2}
        choices={[
          {
            value: 'informational',
            title: 'Informational',
            sentence: 'News, closings, reminders and schedules for people who asked for them.',
          },
          { value: 'promotional', title: 'Promotional', sentence: 'Offers, sales and fundraising.' },
        ]}
        onChange={(choice) => {
          field.onChange(choice === 'promotional');
          form.clearErrors('IsPromotionalRegistration');
        }}
      />
      {fieldState.error && (
        <Typography variant="body2" role="alert" sx={{ mt: 1, color: 'error.main' }}>
          {fieldState.error.message}
        </Typography>
      )}
    </>
  );
}

function PrivacyField({ state: { form } }: { state: WizardState }) {
  const { field, fieldState } = useController({ control: form.control, name: 'PrivacyPolicyUserSelection' });
  return (
    <>
      <RadioBoxes
        label="Do you have a privacy policy on your website?"
        value={field.value}
        columns={2}
        choices={[
          { value: 'Yes', title: 'Yes', sentence: 'Carriers read it.' },
          { value: 'Not Yet', title: 'Not Yet', sentence: 'You can add one later.' },
        ]}
        onChange={(choice) => {
          field.onChange(choice);
          form.clearErrors('PrivacyPolicyUserSelection');
        }}
      />
      {fieldState.error && (
        <Typography variant="body2" role="alert" sx={{ color: 'error.main' }}>
          {fieldState.error.message}
        </Typography>
      )}
      {field.value === 'Yes' && (
        <FormText
          control={form.control}
          name="PrivacyPolicyUrl"
          label="Privacy Policy URL"
          placeholder="https://www.example.org/privacy"
          autoComplete="url"
        />
      )}
    </>
  );
}

/** Fills empty fields from the template file, by industry; on request all three again. */
function useSuggestion({ form }: WizardState, asks: boolean) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const suggest = useCallback(
    async (onlyEmpty = false) => {
      setProblem(undefined);
      try {
        const details = await client.fetchQuery({ ...callQuery(getCampaignDetails), staleTime: 3_600_000 });
        const { Vertical, DisplayName, IsPromotionalRegistration } = form.getValues();
        const about = { Vertical, DisplayName, IsPromotional: IsPromotionalRegistration === true };
        const suggested = suggestFrom(details, about, Math.random);
        const { Description, Sample1, Sample2 } = form.getValues();
        const texts = onlyEmpty ? fillSuggestion({ Description, Sample1, Sample2 }, suggested) : suggested;
        for (const name of ['Description', 'Sample1', 'Sample2'] as const)
          if (form.getValues(name) !== texts[name]) {
            form.setValue(name, texts[name], { shouldDirty: true });
            form.clearErrors(name);
          }
      } catch {
        setProblem(errorCatalog.campaignDetails);
      }
    },
    [client, form],
  );
  const kind = form.watch('IsPromotionalRegistration');
  useEffect(() => {
    if (asks && kind !== null) void suggest(true);
  }, [asks, kind, suggest]);
  return { suggest, problem };
}
