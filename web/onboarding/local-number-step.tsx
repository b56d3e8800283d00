import { useState } from 'react';
import { getUnregisteredNumber } from '../../contract/addresses/registration.gen.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { areaCodeForm } from '../../contract/forms/onboarding.ts';
import { callApi, shownMessage } from '../api.ts';
import { AreaCodeField } from '../ui/area-code-field.tsx';
import { StepForm } from './step-form.tsx';
import { type StepProps, saveFailed } from './steps.ts';

/** The trial's free number, in the area code that people know. */
export function LocalNumberStep({ progress, save }: StepProps) {
  const [areaCode, setAreaCode] = useState(progress.LocalNumberAreaCode);
  const [error, setError] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const submit = async () => {
    const { LocalNumberAreaCode } = fieldErrors(areaCodeForm, { LocalNumberAreaCode: areaCode });
    setError(LocalNumberAreaCode);
    setProblem(undefined);
    if (LocalNumberAreaCode !== undefined || isAsking) return;
    setAsking(true);
    try {
      // Asked twice, it answers with the number that the account has.
      await callApi(getUnregisteredNumber, { body: { AreaCode: areaCode } }, { missing: 'refuse' });
      await save({ Completed: true, LocalNumberAreaCode: areaCode });
    } catch (failure) {
      setProblem(shownMessage(failure, saveFailed));
    } finally {
      setAsking(false);
    }
  };
  return (
    <StepForm problem={problem} onSubmit={() => void submit()}>
      <AreaCodeField
        label="Area code"
        value={areaCode}
        error={error}
        isAutoFocused
        onChange={setAreaCode}
        onSubmit={() => void submit()}
      />
    </StepForm>
  );
}
