import type { QueryClient } from '@tanstack/react-query';
import {
  getRegistrationDraft,
  saveRegistrationDraft,
  validateWebsite,
} from '../../../contract/addresses/registration.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import type { RegistrationForm } from '../../../contract/forms/registration/registration-form.ts';
import {
  fieldsOfRoute,
  type RegistrationRoute,
  registrationRoutes,
} from '../../../contract/forms/registration/registration-steps.ts';
import { websiteOutcome } from '../../../contract/forms/registration/registration-submission.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { domesticDigits } from '../../../contract/phone/normalize-phone.ts';
import type * as calls from '../../../contract/registration.ts';
import { callApi } from '../../api.ts';
import { callKey } from '../../queries/calls.ts';

type Draft = Reply<typeof calls.getRegistrationDraft>;

/** Fills the wizard with what was submitted, and says at which step the first wrong field is. */
export async function openCorrection(
  client: QueryClient,
  given: Draft,
  submitted: RegistrationForm,
  reasons: calls.RegistrationRequest['reasons'],
): Promise<RegistrationRoute> {
  const Form = { ...submitted, PhoneNumber: formatPhone(domesticDigits(submitted.PhoneNumber)) };
  // The website and the promotional choice are looked at again: both may have changed since.
  const reply = await callApi(validateWebsite, { body: { Url: Form.BrandWebsite } }).catch(() => undefined);
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
  client.setQueryData<Draft>(callKey(getRegistrationDraft), { ...given, ...body, SavedAt: saved.SavedAt });
  return Route;
}

/** The first step that has one of these fields. */
function routeOf(fields: readonly string[], isSole: boolean): RegistrationRoute {
  const found = registrationRoutes.find((route) =>
    fieldsOfRoute[route].some((field) => fields.includes(field)),
  );
  if (found === undefined || found === 'review') return isSole ? 'organization-details' : 'tax-id';
  return found === 'tax-id' && isSole ? 'organization-details' : found;
}
