import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { listTextNumbers } from '../../../contract/addresses/numbers.gen.ts';
import {
  getCurrentRegistration,
  getRegistrationDraft,
  getTollFreeForm,
  getTollFreeRegistration,
  registerTollFree,
} from '../../../contract/addresses/registration.gen.ts';
import { registrationPayload } from '../../../contract/forms/registration/registration-submission.ts';
import { limits } from '../../../contract/reference/limits.ts';
import type { RegistrationRequest } from '../../../contract/registration.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { callQuery, useCall, useCallQuery } from '../../queries/calls.ts';
import { useCan } from '../../queries/current-user.ts';
import { Notice } from '../../ui/notice.tsx';
import { openCorrection } from './open-correction.ts';
import { tollFreeNotice, tollFreeTitle } from './toll-free-state.ts';

const words = {
  Complete: 'Your toll-free number is registered.',
  Processing: 'Your toll-free number is being reviewed.',
  PendingContactAuthentication: 'Your toll-free number is being reviewed.',
} as const;

interface TollFreeCardProps {
  /** Beside other things: only what an owner has to do or wait for. */
  isBrief?: boolean;
}

/** The state of the toll-free number. Without one, owners apply with the answers they gave before. */
export function TollFreeCard({ isBrief = false }: TollFreeCardProps) {
  const { data: application, error } = useCallQuery(getTollFreeRegistration, {});
  const organization = useCallQuery(getCurrentRegistration, {}).data;
  const numbers = useCallQuery(listTextNumbers, { query: { pagesize: 50 } }).data?.Items;
  if (!application && !isNotFound(error)) return null;
  const notice = tollFreeNotice({ application, organization, numbers, isBrief });
  if (notice === 'apply') return <Apply title={tollFreeTitle(undefined, numbers ?? [])} />;
  if (notice === undefined || !application) return null;
  if (application.status === 'Failed')
    return <Refused request={application} title={tollFreeTitle(application, numbers ?? [])} />;
  return (
    <Notice kind={application.status === 'Complete' ? 'success' : 'info'}>{words[application.status]}</Notice>
  );
}

const applyFailed = 'There was an error applying for your toll-free number.';

function Apply({ title }: { title: string }) {
  const client = useQueryClient();
  const mayApply = useCan('registerTollFree');
  const apply = useCall(registerTollFree);
  const [problem, setProblem] = useState<string>();
  if (!mayApply) return null;
  const submit = async () => {
    setProblem(undefined);
    try {
      const { Form } = await client.fetchQuery({ ...callQuery(getTollFreeForm), staleTime: 0 });
      await apply.mutateAsync({ body: registrationPayload(Form) as never });
      await client.invalidateQueries({ queryKey: [getTollFreeRegistration.path] });
      setTimeout(
        () => void client.invalidateQueries({ queryKey: [listTextNumbers.path] }),
        limits.textNumbersRefetchMs,
      );
    } catch (error) {
      setProblem(shownMessage(error, applyFailed));
    }
  };
  return (
    <>
      {problem && <Notice kind="error">{problem}</Notice>}
      <Notice
        title={title}
        actions={
          <Button size="small" disabled={apply.isPending} onClick={() => void submit()}>
            Apply for a toll-free number
          </Button>
        }
      >
        Local numbers reach the US only. A toll-free number reaches both. It is registered with the same
        answers.
      </Notice>
    </>
  );
}

/** Offers to correct the answers: the wizard opens, filled in, at the first field that the registry named. */
function Refused({ request, title }: { request: RegistrationRequest; title: string }) {
  const { reasons } = request;
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayApply = useCan('registerTollFree');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const correct = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const [{ Form }, draft] = await Promise.all([
        client.fetchQuery({ ...callQuery(getTollFreeForm), staleTime: 0 }),
        client.fetchQuery({ ...callQuery(getRegistrationDraft), staleTime: 0 }),
      ]);
      const step = await openCorrection(client, draft, Form, reasons);
      await navigate({
        to: '/local-number-registration/$step',
        params: { step },
        search: { for: 'toll-free' },
      });
    } catch (error) {
      setProblem(shownMessage(error, 'There was an error getting your registration.'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {problem && <Notice kind="error">{problem}</Notice>}
      <Notice
        kind="error"
        title={title}
        actions={
          mayApply && (
            <Button size="small" disabled={isBusy} onClick={() => void correct()}>
              Correct it
            </Button>
          )
        }
      >
        {reasons.map(({ message }) => message).join(' ')}{' '}
        {!mayApply && 'Ask your account owner to correct it.'}
      </Notice>
    </>
  );
}
