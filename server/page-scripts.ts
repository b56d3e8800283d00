/** What the build says of its files (.vite/manifest.json), by the module that each was made for. */
export type Manifest = Record<string, { file: string; imports?: string[] }>;

interface PageRoute {
  key: string;
  /** The route's file without its ending, in parts: `_app`, `inbox`, `$conversationId`. */
  parts: string[];
  address: RegExp;
}

/**
 * Which scripts a signed-in page needs beside those that index.html names, as a Link header. Without it a browser finds
 * out one after the other: the first scripts have to come and run before the page's own are asked for.
 */
export function pageScripts(manifest: Manifest): (path: string) => string | undefined {
  // Routes with parameters come last: an address that is written out is meant before one that fits as well. A page comes
  // before the one around it at the same address.
  const routes = Object.keys(manifest)
    .flatMap(readRoute)
    .sort((one, other) => parametersOf(one) - parametersOf(other) || other.parts.length - one.parts.length);
  const first = filesOf(manifest, ['index.html']);
  return (path) => {
    const page = routes.find(({ address }) => address.test(path));
    if (!page) return undefined;
    const around = routes.filter(({ parts }) => parts.every((part, index) => part === page.parts[index]));
    const files = filesOf(
      manifest,
      around.map(({ key }) => key),
    ).difference(first);
    return [...files].map((file) => `</${file}>; rel=modulepreload`).join(', ') || undefined;
  };
}

/** `routes/_app/inbox.tsx?tsr-split=component---loader`; only those that one signs in for. */
function readRoute(key: string): PageRoute[] {
  const name = /^routes\/(_app[./]?.*)\.tsx\?tsr-split=(?:component|loader)/.exec(key)?.[1];
  // The page for addresses that lead nowhere.
  if (name === undefined || name.endsWith('/$')) return [];
  const parts = name.split(/[./]/);
  const address = parts
    .filter((part) => !part.startsWith('_') && part !== 'index')
    .map((part) => {
      if (part.startsWith('{-$')) return '(?:/[^/]+)?';
      return part.startsWith('$') ? '/[^/]+' : `/${RegExp.escape(part.replace(/_$/, ''))}`;
    })
    .join('');
  return [{ key, parts, address: new RegExp(`^${address}/?$`) }];
}

function parametersOf({ parts }: PageRoute): number {
  return parts.filter((part) => part.includes('$')).length;
}

function filesOf(manifest: Manifest, keys: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const next = [...keys];
  for (let key = next.shift(); key !== undefined; key = next.shift()) {
    const entry = manifest[key];
    if (seen.has(key) || !entry) continue;
    seen.add(key);
    next.push(...(entry.imports ?? []));
  }
  return new Set([...seen].map((key) => manifest[key]?.file ?? ''));
}
