import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useController } from 'react-hook-form';
import { lookUpEin } from '../../contract/addresses/registration.gen.ts';
import {
  applyEinLookup,
  changeCountry,
  type EinLookupEntry,
  einToLookUp,
  enterEin,
  switchToSoleProprietor,
} from '../../contract/forms/registration/registration-changes.ts';
import { type RegistrationCountry, registrationCountries } from '../../contract/reference/entity-types.ts';
import { callQuery } from '../queries/calls.ts';
import { useUser } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/choices.tsx';
import { Field, TextField } from '../ui/field.tsx';
import { FormText } from '../ui/form-fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { StepHead } from '../ui/wizard-frame.tsx';
import { FoundOrganization } from './found-organization.tsx';
import type { WizardState } from './wizard-state.ts';

/** Country and tax number. Nine digits of an EIN are looked up, and what is known fills the next step. */
export function TaxIdStep({ state }: { state: WizardState }) {
  const { form, replace } = state;
  const country = form.watch('Country');
  const user = useUser();
  const isSole = form.watch('IsSoleProprietor');
  const change = (next: string) => replace(changeCountry(form.getValues(), next as RegistrationCountry));
  const becomeSole = () => {
    if (user) replace(switchToSoleProprietor(form.getValues(), user));
  };
  return (
    <>
      <StepHead
        title="Tax ID"
        sentence="Carriers compare it with the official record, so enter it as it appears on your papers."
      />
      <Card>
        <Box sx={{ p: 2.5, display: 'grid', gap: 2.5, maxWidth: 520 }}>
          <Field label="Country">
            {({ id }) => (
              <Choice
                id={id}
                value={country}
                choices={registrationCountries.map((name) => ({ value: name, label: name }))}
                onChange={change}
              />
            )}
          </Field>
          {country === 'Canada' ? (
            <FormText
              control={form.control}
              name="CanadianBusinessNumber"
              label="Canadian Business Number"
              help="Nine digits"
              autoComplete="off"
              slotProps={{ input: { inputMode: 'numeric', maxLength: 9 } }}
            />
          ) : (
            <EinField state={state} />
          )}
        </Box>
        {country === 'United States' && !isSole && !state.isForTollFree && (
          <Notice
            isBand
            title="No EIN?"
            actions={
              <Button size="small" onClick={becomeSole}>
                Register as a sole proprietor
              </Button>
            }
          >
            People who text under their own name, without a company, register with their name and mobile
            number.
          </Notice>
        )}
        {isSole && (
          <Notice isBand title="You register as a sole proprietor">
            No tax ID is needed. Enter an EIN if you want to register an organization after all.
          </Notice>
        )}
      </Card>
    </>
  );
}

function EinField({ state }: { state: WizardState }) {
  const { form, replace } = state;
  const client = useQueryClient();
  const { field, fieldState } = useController({ control: form.control, name: 'Ein' });
  const [found, setFound] = useState<EinLookupEntry | null>();
  const ein = einToLookUp(field.value);
  const asked = useRef('');
  // An EIN that was there before filled the next step then: what was corrected since stays.
  const filledFor = useRef(ein);
  useEffect(() => {
    asked.current = ein ?? '';
    if (ein === undefined) {
      setFound(undefined);
      filledFor.current = undefined;
      return;
    }
    const lookUp = async () => {
      const entries = await client
        .fetchQuery({ ...callQuery(lookUpEin, { params: { ein } }), staleTime: 600_000 })
        .catch(() => []);
      if (asked.current !== ein) return;
      setFound(entries[0] ?? null);
      if (filledFor.current === ein) return;
      filledFor.current = ein;
      replace(applyEinLookup(form.getValues(), entries));
    };
    void lookUp();
  }, [ein, client, form, replace]);
  return (
    <>
      <TextField
        {...field}
        label="EIN"
        help="Nine digits, as in 12-3456789"
        error={fieldState.error?.message}
        autoComplete="off"
        onChange={(event) => {
          const next = enterEin(form.getValues(), event.target.value);
          if (form.getValues('IsSoleProprietor') !== next.IsSoleProprietor) replace(next);
          field.onChange(next.Ein);
        }}
        slotProps={{ input: { inputMode: 'numeric' } }}
      />
      {found && <FoundOrganization ein={field.value} entry={found} />}
      {found === null && (
        <Typography variant="body2" role="status" sx={{ color: 'text.secondary' }}>
          We don’t know this EIN. Fill in the next step as it appears on your letter from the IRS.
        </Typography>
      )}
    </>
  );
}
