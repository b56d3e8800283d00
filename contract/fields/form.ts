import { z } from 'zod';
import { onlyNumbers } from './character-rules.ts';
import { firstFailure, type Rule } from './rule.ts';

/**
 * Fields and forms as zod schemas that browser and server share. A field gives at most one message, that of
 * its first failing rule. Absent and null count as empty, so the message for a missing field is "Enter a …"
 * and not one about types.
 */
export function textField(...rules: readonly Rule[]) {
  return z
    .string({ error: 'Use text' })
    .nullish()
    .transform((value) => value ?? '')
    .pipe(z.string().superRefine(check(rules)));
}

/** Like textField, but trimmed before the rules apply. */
export function trimmedField(...rules: readonly Rule[]) {
  return tidied((text) => text.trim(), rules);
}

/** One line: tabs, line breaks and repeated spaces become one space, as in an import. */
export function lineField(...rules: readonly Rule[]) {
  return tidied((text) => text.replace(/\s+/g, ' ').trim(), rules);
}

function tidied(tidy: (text: string) => string, rules: readonly Rule[]) {
  return z
    .string({ error: 'Use text' })
    .nullish()
    .transform((value) => tidy(value ?? ''))
    .pipe(z.string().superRefine(check(rules)));
}

/** A number typed into a field or sent as one. The first rule has to be `required`, so there is always one. */
export function numberField(...rules: readonly [Rule, ...Rule[]]) {
  return typedNumber(rules).transform(Number);
}

export function optionalNumberField(...rules: readonly Rule[]) {
  return typedNumber(rules).transform((text) => (text === '' ? undefined : Number(text)));
}

/** The value typed into a number field, still as text. */
export function typedNumber(rules: readonly Rule[]) {
  return z
    .union([z.string(), z.number()], { error: onlyNumbers })
    .nullish()
    .transform((value) => (value ?? '').toString().trim())
    .pipe(z.string().superRefine(check(rules)));
}

export function flagField() {
  return z
    .boolean({ error: 'Use true or false' })
    .nullish()
    .transform((value) => value ?? false);
}

function check(rules: readonly Rule[]) {
  return (value: string, context: z.RefinementCtx<string>) => {
    const message = firstFailure(value, rules);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  };
}

type Failures<Values> = { [Field in keyof Values & string]?: string | undefined };

/**
 * For rules of one field that depend on others: `.superRefine(failures((values) => ({ Field: message })))`.
 * They are reported even while other fields have errors of their own. A field whose own rules already failed
 * keeps that message, since readers of the issues use the first one of each field.
 */
export function failures<Values extends object>(find: (values: Values) => Failures<Values>) {
  return (values: Values, context: z.RefinementCtx<Values>) => {
    for (const [field, message] of Object.entries(find(values))) {
      if (typeof message === 'string') context.addIssue({ code: 'custom', path: [field], message });
    }
  };
}

/**
 * The form's errors by field, the first message of each; empty when all is well. Errors inside lists are
 * named by their path: "steps.1.message".
 */
export function fieldErrors(form: z.ZodType, values: unknown): Record<string, string> {
  const result = form.safeParse(values);
  const errors: Record<string, string> = {};
  for (const issue of result.error?.issues ?? []) {
    const field = issue.path.join('.');
    if (!Object.hasOwn(errors, field)) errors[field] = issue.message;
  }
  return errors;
}

/** A step's errors when only some of the form's fields are on it. */
export function onlyFields(
  errors: Readonly<Record<string, string>>,
  fields: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).filter(([field]) => fields.includes(field.split('.', 1)[0] ?? '')),
  );
}
