import { useCallback, useEffect, useRef, useState } from 'react';
import { validatePhoneNumber } from '../../contract/addresses/consents.gen.ts';
import { validateWebsite } from '../../contract/addresses/registration.gen.ts';
import { asynchronousMessages } from '../../contract/fields/asynchronous-checks.ts';
import type { RegistrationRoute } from '../../contract/forms/registration/registration-steps.ts';
import { websiteOutcome } from '../../contract/forms/registration/registration-submission.ts';
import { checkAreaCode } from '../../contract/phone/check-area-code.ts';
import { normalizePhone } from '../../contract/phone/normalize-phone.ts';
import { callApi } from '../api.ts';
import type { RegistrationFormApi } from './wizard-state.ts';

export interface ServerCheck {
  /** The state of the website that is in the field now: checked and good, being checked, or neither. */
  state: 'good' | 'checking' | 'unknown';
  check: () => Promise<boolean>;
}

/** Checks that only the server can make: whether the website answers, and whether a mobile can be texted. */
export function useServerChecks(form: RegistrationFormApi) {
  const good = useRef(new Set<string>());
  const [state, setState] = useState<ServerCheck['state']>('unknown');
  const site = form.watch('BrandWebsite').trim();

  useEffect(() => setState(good.current.has(site) ? 'good' : 'unknown'), [site]);

  const check = useCallback(async () => {
    const Url = form.getValues('BrandWebsite').trim();
    if (Url === '') return false;
    if (good.current.has(Url)) return true;
    setState('checking');
    const reply = await callApi(validateWebsite, { body: { Url } }).catch(() => undefined);
    const outcome = websiteOutcome(reply as never);
    if (form.getValues('BrandWebsite').trim() !== Url) return false;
    if ('error' in outcome) {
      setState('unknown');
      form.setError('BrandWebsite', { message: outcome.error });
      return false;
    }
    good.current.add(Url);
    setState('good');
    form.clearErrors('BrandWebsite');
    return true;
  }, [form]);

  const checkPhone = useCallback(async () => {
    const { PhoneNumber, IsSoleProprietor } = form.getValues();
    const message = IsSoleProprietor
      ? await textability(PhoneNumber)
      : checkAreaCode(normalizePhone(PhoneNumber) ?? PhoneNumber);
    if (message !== undefined) form.setError('PhoneNumber', { message });
    return message === undefined;
  }, [form]);

  const runFor = useCallback(
    async (route: RegistrationRoute) => {
      if (route !== 'organization-details') return true;
      const [isPhone, isSite] = await Promise.all([checkPhone(), check()]);
      return isPhone && isSite;
    },
    [checkPhone, check],
  );
  return { website: { state, check }, runFor };
}

async function textability(Source: string): Promise<string | undefined> {
  try {
    const reply = await callApi(validatePhoneNumber, {
      query: { includeTextability: 'true' },
      body: { Source },
    });
    const { Success, ErrorMessage, IsTextablePhone } = reply as {
      Success?: boolean;
      ErrorMessage?: string;
      IsTextablePhone?: boolean;
    };
    if (Success === false) return ErrorMessage || asynchronousMessages.phoneArea;
    return IsTextablePhone === false ? asynchronousMessages.notTextable : undefined;
  } catch {
    return asynchronousMessages.contactFailed;
  }
}
