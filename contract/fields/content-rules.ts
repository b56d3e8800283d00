import { personalizedFieldError } from '../text/personalized-fields.ts';
import { reservedKeywordError } from '../text/reserved-keyword.ts';
import { hasShortUrl } from '../text/short-urls.ts';
import { type Rule, ruleThat } from './rule.ts';

/** Rules about the content of a text. */

/** For texts that everybody gets unchanged, such as a name: double braces would be sent as they are. */
export function noPersonalization(): Rule {
  return ruleThat(
    (value) => !value.includes('{{') && !value.includes('}}'),
    'Text cannot contain personalization',
  );
}

export function shouldNotIncludeString(forbidden: string): Rule {
  const text = forbidden.toLowerCase();
  return ruleThat(
    (value) => text === '' || !value.toLowerCase().includes(text),
    `Text cannot contain "${forbidden}"`,
  );
}

/** The message names the first of the values that the text contains. */
export function restrictedValues(label: string, values: readonly string[]): Rule {
  return (value) => {
    const text = value.toLowerCase();
    const found = values.find((restricted) => restricted !== '' && text.includes(restricted.toLowerCase()));
    return found === undefined ? undefined : `${label} must not contain ${found}`;
  };
}

export function restrictShortUrls(label: string): Rule {
  return ruleThat((value) => !hasShortUrl(value), `${label} must not contain a shortened URL`);
}

/** Empty, malformed or unbalanced personalized fields. */
export function personalizedFields(): Rule {
  return (value) => personalizedFieldError(value);
}

export function reservedKeyword(options: { joinAsPrefix?: boolean } = {}): Rule {
  return (value) => (value === '' ? undefined : reservedKeywordError(value, options));
}
