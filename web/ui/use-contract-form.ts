import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { type FieldPath, type FieldValues, type Resolver, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { fieldMessages, shownMessage } from '../api.ts';

interface ContractForm<Values extends FieldValues, Output> {
  /** The rules, from contract/forms: browser and server validate with the same ones. */
  rules: z.ZodType<Output, Values>;
  /**
   * The saved values. If they change while the form is open, fields that the user hasn’t touched follow them.
   */
  values: Values;
  /** Gets the values as parsed by the rules. Errors that it throws are shown in the form. */
  save: (output: Output) => Promise<unknown>;
  /** Shown when the server doesn’t explain a failure. */
  failed: string;
  /** For fields that the server calls by another name: `{ StartTimeOfDay: 'startTimeText' }`. */
  serverNames?: Readonly<Record<string, FieldPath<Values>>>;
  /** Gets the fields with errors after a submit: a form with tabs opens the tab of the first. */
  onErrors?: (fields: readonly string[]) => void;
}

/**
 * The one way to build a form: react-hook-form with the contract's rules. An error is shown when a field is left or the
 * form is submitted. The server's errors go to their fields, and those of no field to `problem`.
 */
export function useContractForm<Values extends FieldValues, Output>(contract: ContractForm<Values, Output>) {
  const { rules, values, save, failed, serverNames = {}, onErrors } = contract;
  const [problem, setProblem] = useState<string>();
  const form = useForm<Values, unknown, Output>({
    // The resolver's own types can't follow a generic schema.
    resolver: zodResolver(rules as never) as unknown as Resolver<Values, unknown, Output>,
    mode: 'onTouched',
    values,
    resetOptions: { keepDirtyValues: true },
  });
  const send = async (output: Output) => {
    setProblem(undefined);
    try {
      await save(output);
      // Nothing is unsaved any more.
      form.reset(form.getValues());
    } catch (error) {
      const others: string[] = [];
      const placed: string[] = [];
      for (const [serverName, message] of Object.entries(fieldMessages(error))) {
        const name = serverNames[serverName] ?? serverName;
        const [field = ''] = name.split('.', 1);
        if (!Object.hasOwn(values, field)) others.push(message);
        else {
          form.setError(name as FieldPath<Values>, { message });
          placed.push(field);
        }
      }
      setProblem(others[0] ?? (placed.length > 0 ? undefined : shownMessage(error, failed)));
      if (placed.length > 0) onErrors?.(placed);
    }
  };
  const submit = form.handleSubmit(send, (errors) => onErrors?.(Object.keys(errors)));
  const { isSubmitting, isDirty } = form.formState;
  return { form, control: form.control, problem, submit: () => void submit(), isSubmitting, isDirty };
}
