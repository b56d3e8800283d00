import { useState } from 'react';
import { getUnregisteredNumber } from '../../contract/addresses/registration.gen.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { areaCodeForm } from '../../contract/forms/onboarding.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { callApi, shownMessage } from '../api.ts';
import { AreaCodeField } from '../pieces/numbers/area-code-field.tsx';
import { Notice } from '../ui/notice.tsx';
import { StepForm } from './step-form.tsx';
import { type StepProps, saveFailed } from './steps.ts';

/** The trial's free number, in the area code that people know. */
export function LocalNumberStep({ progress, keep, save }: StepProps) {
  const [areaCode, setAreaCode] = useState(progress.LocalNumberAreaCode);
  const [error, setError] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  // The number, if there is a message about it: it is in another area code, or not ready yet.
  const [surprise, setSurprise] = useState<{ phoneNumber: string; Message: string }>();
  const get = async () => {
    // The area code is saved first, so that the step stays open if anything interrupts it.
    await keep({ Completed: false, LocalNumberAreaCode: areaCode });
    // If called twice, it returns the number that the account already has.
    const got = await callApi(getUnregisteredNumber, { body: { AreaCode: areaCode } }, { missing: 'refuse' });
    if (got.Message === '') await save({ Completed: true, LocalNumberAreaCode: areaCode });
    else setSurprise(got);
  };
  const submit = async () => {
    const { LocalNumberAreaCode } = fieldErrors(areaCodeForm, { LocalNumberAreaCode: areaCode });
    setError(LocalNumberAreaCode);
    setProblem(undefined);
    if (LocalNumberAreaCode !== undefined || isAsking) return;
    setAsking(true);
    try {
      if (surprise) await save({ Completed: true, LocalNumberAreaCode: areaCode });
      else await get();
    } catch (failure) {
      setProblem(shownMessage(failure, saveFailed));
    } finally {
      setAsking(false);
    }
  };
  return (
    <StepForm problem={problem} onSubmit={() => void submit()}>
      {surprise ? (
        <Notice kind="info" {...(surprise.phoneNumber && { title: formatPhone(surprise.phoneNumber) })}>
          {surprise.Message}
        </Notice>
      ) : (
        <AreaCodeField
          label="Area code"
          value={areaCode}
          error={error}
          isAutoFocused
          onChange={setAreaCode}
          onSubmit={() => void submit()}
        />
      )}
    </StepForm>
  );
}
