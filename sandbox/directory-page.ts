export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** The page of a directory on which whoever comes chooses who they are. */
export function directoryPage(
  title: string,
  people: readonly { name: string; about: string; address: string }[],
): string {
  const links = people.map(
    ({ name, about, address }) =>
      `<li><a href="${escapeHtml(address)}">${escapeHtml(name)}<small>${escapeHtml(about)}</small></a></li>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:12vh auto;padding:0 1rem}ul{list-style:none;padding:0}
a{display:block;padding:.75rem 1rem;margin:.5rem 0;border:1px solid #8886;border-radius:.6rem;color:inherit;text-decoration:none}
small{display:block;opacity:.7}:root{color-scheme:light dark}</style>
<h1>${escapeHtml(title)}</h1><p>This is the sandbox’s directory. Choose who you are.</p><ul>${links.join('')}</ul></html>`;
}
