import { useState } from 'react';
import { fieldMessages, shownMessage } from '../api.ts';

interface Attempt {
  /** What is wrong before anything is asked, by field; then nothing is. */
  problems: Record<string, string>;
  save: () => Promise<void>;
  /** What is said of a failure that the server doesn't explain. */
  failed: string;
}

/** What is wrong with a form, by field; what belongs to none stands under `form`. */
export function useFormErrors() {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const submit = async ({ problems, save, failed }: Attempt) => {
    setErrors(problems);
    if (Object.keys(problems).length > 0) return;
    try {
      await save();
    } catch (error) {
      const byField = fieldMessages(error);
      setErrors(Object.keys(byField).length > 0 ? byField : { form: shownMessage(error, failed) });
    }
  };
  return { errors, submit };
}
