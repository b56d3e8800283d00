import { languageCode, languageCookie, languages } from '../../contract/reference/languages.ts';

/** For a menu. Each language says its own name. */
export const languageChoices = languages.map(({ id, name }) => ({ value: id, label: name }));

/** The languages that this page isn't in. */
export function otherLanguages() {
  return languages.filter(({ code }) => code !== document.documentElement.lang);
}

/** Has pages come in a language. Each is a build of its own, so the page is loaded again where it is in another. */
export function showLanguage(languageId: number): void {
  const code = languageCode(languageId);
  const choice = `${languageCookie}=${code}`;
  // If the server doesn't have the pages in this language, asking again would never end.
  const isAsked = document.cookie.split('; ').includes(choice);
  // biome-ignore lint/suspicious/noDocumentCookie: the other way exists only over https, and not in every browser.
  if (!isAsked) document.cookie = `${choice}; path=/; max-age=31536000; samesite=lax`;
  if (document.documentElement.lang !== code && !isAsked) location.reload();
}
