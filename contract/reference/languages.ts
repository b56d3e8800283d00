/** The languages that pages and the system’s own messages come in. The specification names LanguageID, not its values. */
export const languages = [
  { id: 1, code: 'en', name: 'English' },
  { id: 2, code: 'es', name: 'Español' },
] as const;
export type LanguageCode = (typeof languages)[number]['code'];

export function languageCode(languageId: number): LanguageCode {
  return languages.find(({ id }) => id === languageId)?.code ?? 'en';
}

export function requestedLanguageId(headers: Parameters<typeof requestedLanguage>[0]): number {
  const code = requestedLanguage(headers);
  return languages.find((one) => one.code === code)?.id ?? 1;
}

/** Name under which the browser stores the language of its pages, before and after sign-in. */
export const languageCookie = 'muster-language';

/** The language that a request asks for: by what was chosen in this browser, otherwise by what the browser prefers. */
export function requestedLanguage(headers: {
  cookie?: string | undefined;
  'accept-language'?: string | undefined;
}): LanguageCode {
  const chosen = new RegExp(`(?:^|; *)${languageCookie}=(\\w+)`).exec(headers.cookie ?? '')?.[1];
  const wanted = (headers['accept-language'] ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', quality = ''] = part.trim().split(/; *q=/);
      return { code: tag.slice(0, 2).toLowerCase(), quality: quality === '' ? 1 : Number(quality) || 0 };
    })
    .sort((one, other) => other.quality - one.quality);
  const codes = [chosen, ...wanted.map(({ code }) => code)];
  const found = codes
    .map((code) => languages.find((one) => one.code === code))
    .find((one) => one !== undefined);
  return found?.code ?? 'en';
}
