/**
 * Checks a value and returns its problem as the sentence a person reads, or nothing. Rules are pure and composable; a
 * field is a list of them, and the first that fails sets the field's message.
 *
 * Only the presence rules (required, requiredCustomData) speak about an empty value. All other rules accept
 * it, so an optional field is the same list without `required`.
 */
export type Rule<Value = string> = (value: Value) => string | undefined;

export function firstFailure<Value>(value: Value, rules: readonly Rule<Value>[]): string | undefined {
  for (const rule of rules) {
    const message = rule(value);
    if (message !== undefined) return message;
  }
  return undefined;
}

/** A rule that says `message` about every non-empty value that fails `holds`. */
export function ruleThat(holds: (value: string) => boolean, message: string): Rule {
  return (value) => (value === '' || holds(value) ? undefined : message);
}

/** The rules that apply only under a condition: `...when(isVoice, required('Caller ID'))`. */
export function when<Value>(condition: boolean, ...rules: readonly Rule<Value>[]): readonly Rule<Value>[] {
  return condition ? rules : [];
}

/**
 * A character that isn't blank. Besides white space, these show nothing: formatting characters (joiners, directions),
 * those that Unicode says to ignore (variation selectors, fillers, tags) and the empty Braille pattern.
 */
const visible = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** True if there is nothing to see in a text: one made only of invisible characters is empty to whoever reads it. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}

/** Characters as people and PostgreSQL count them: an emoji outside the basic plane is one, not two. */
export function characterCount(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const isSecondHalfOfPair =
      index > 0 &&
      (text.charCodeAt(index) & 0xfc00) === 0xdc00 &&
      (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
    if (!isSecondHalfOfPair) count++;
  }
  return count;
}
