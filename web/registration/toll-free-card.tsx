import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import {
  getRegistrationDraft,
  getReturningBrand,
  getTollFreeRegistration,
  registerTollFree,
} from '../../contract/addresses/registration.gen.ts';
import { applyRegisteredBrand } from '../../contract/forms/registration/registration-changes.ts';
import { registrationPayload } from '../../contract/forms/registration/registration-submission.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { isTollFree } from '../../contract/phone/toll-free.ts';
import { limits } from '../../contract/reference/limits.ts';
import { isNotFound, shownMessage } from '../api.ts';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { useCan } from '../queries/current-user.ts';
import { Notice } from '../ui/notice.tsx';

const words = {
  Complete: 'Your toll-free number is registered.',
  Failed: 'The registry didn’t accept your toll-free number.',
  Processing: 'Your toll-free number is being reviewed.',
  PendingContactAuthentication: 'Your toll-free number is being reviewed.',
} as const;

/** Where the toll-free number is. Without one, or after a refusal, owners apply with the answers they gave before. */
export function TollFreeCard() {
  const { data, error } = useCallQuery(getTollFreeRegistration, {});
  const numbers = useCallQuery(listTextNumbers, { query: { pagesize: 50 } }).data?.Items;
  if (!data && (!isNotFound(error) || numbers === undefined || numbers.some(isRegisteredTollFree)))
    return null;
  if (!data)
    return (
      <Apply title="Do you text people in Canada?" action="Apply for a toll-free number">
        Local numbers reach the US only. A toll-free number reaches both. It is registered with the same
        answers.
      </Apply>
    );
  const sentence = `${words[data.status]} ${data.reasons.map(({ message }) => message).join(' ')}`.trim();
  if (data.status === 'Failed')
    return (
      <Apply kind="error" action="Apply again">
        {sentence}
      </Apply>
    );
  return <Notice kind={data.status === 'Complete' ? 'success' : 'info'}>{sentence}</Notice>;
}

/** A number from before registrations were kept here has none. */
function isRegisteredTollFree({ TextPhoneNumber, RegistrationStatus }: TextNumber): boolean {
  return isTollFree(TextPhoneNumber) && RegistrationStatus === 'Registered';
}

interface ApplyProps {
  kind?: 'error';
  title?: string;
  action: string;
  children: string;
}

function Apply({ kind, title, action, children }: ApplyProps) {
  const client = useQueryClient();
  const mayApply = useCan('registerTollFree');
  const { data: draft } = useCallQuery(getRegistrationDraft, {}, { enabled: mayApply });
  const brand = useCallQuery(getReturningBrand, {}, { enabled: mayApply }).data?.apiData.registeredBrand;
  const apply = useCall(registerTollFree);
  const [problem, setProblem] = useState<string>();
  if (!mayApply && kind === undefined) return null;
  const submit = async () => {
    if (!draft || !brand) return;
    setProblem(undefined);
    try {
      const form = applyRegisteredBrand(draft.Form, brand);
      await apply.mutateAsync({ body: registrationPayload(form) as never });
      await client.invalidateQueries({ queryKey: [getTollFreeRegistration.path] });
      setTimeout(
        () => void client.invalidateQueries({ queryKey: [listTextNumbers.path] }),
        limits.textNumbersRefetchMs,
      );
    } catch (error) {
      setProblem(shownMessage(error, 'There was an error applying for your toll-free number.'));
    }
  };
  return (
    <>
      {problem && <Notice kind="error">{problem}</Notice>}
      <Notice
        {...(kind && { kind })}
        {...(title && { title })}
        actions={
          mayApply &&
          brand && (
            <Button size="small" disabled={apply.isPending} onClick={() => void submit()}>
              {action}
            </Button>
          )
        }
      >
        {children}
      </Notice>
    </>
  );
}
