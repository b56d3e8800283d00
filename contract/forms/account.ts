import { z } from 'zod';
import { maxLength, required } from '../fields/basic-rules.ts';
import { trimmedField } from '../fields/form.ts';
import { isState } from '../fields/identifier-rules.ts';
import { when } from '../fields/rule.ts';
import { countries, isInternational } from '../reference/countries.ts';
import { industryOf } from '../reference/industries.ts';
import { limits } from '../reference/limits.ts';
import { findState } from '../reference/states.ts';
import { isZone } from '../time/zone-offset.ts';

/** Ours: it begins every broadcast, and counts toward its length. */
const senderNameLength = 30;

/** The organization itself: its name, location and activity. */
export function accountForm({ countryId }: { countryId: number }) {
  return z.object({
    CompanyName: trimmedField(
      required('Account Name'),
      maxLength('Account Name', limits.onboarding.companyName),
    ),
    State: trimmedField(
      maxLength('State', limits.billing.state),
      ...when(!isInternational(countryId), isState()),
      // "tennessee" is kept as TN.
    ).transform((text) => (isInternational(countryId) ? text : (findState(text)?.code ?? ''))),
    IndustryID: z
      .number({ error: 'Select an industry' })
      .nullish()
      .transform((industryId) => industryId ?? null)
      .refine(
        (industryId) => industryId === null || industryOf(industryId) !== undefined,
        'Select an industry',
      ),
  });
}

/** Location of the organization: its country decides how phone numbers are written, its zone when quiet hours are. */
export const locationForm = z.object({
  CountryID: z
    .number({ error: 'Select a country' })
    .refine((countryId) => countries.some(({ id }) => id === countryId), 'Select a country'),
  TimeZone: z.string({ error: 'Select a time zone' }).refine(isZone, 'Select a time zone'),
});

/** Name with which the organization introduces itself in texts; empty means its own name. */
export const senderForm = z.object({
  SenderName: trimmedField(maxLength('Sender Name', senderNameLength)),
});
