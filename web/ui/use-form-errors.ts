import { useState } from 'react';
import { fieldMessages, shownMessage } from '../api.ts';

interface Attempt {
  /** Client-side errors by field; if there are any, nothing is sent. */
  problems: Record<string, string>;
  save: () => Promise<void>;
  /** Shown when the server doesn't explain a failure. */
  failed: string;
}

/** A form's errors by field; those of no field are under `form`. */
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
