/** The build's list of files (.vite/manifest.json), by module. */
export type Manifest = Record<string, { file: string; imports?: string[] }>;

interface PageRoute {
  key: string;
  /** The route's file without its extension, in parts: `_app`, `inbox`, `$conversationId`. */
  parts: string[];
  address: RegExp;
}

/**
 * The scripts of a signed-in page in addition to those of index.html, as a Link header. Without it a browser
 * finds them one after the other: the first scripts have to load and run before the page's own are requested.
 */
export function pageScripts(manifest: Manifest): (path: string) => string | undefined {
  const keysOf = pageKeys(manifest);
  const first = filesOf(manifest, ['index.html']);
  return (path) => {
    const files = filesOf(manifest, keysOf(path)).difference(first);
    return [...files].map((file) => `</${file}>; rel=modulepreload`).join(', ') || undefined;
  };
}

/** All scripts of a signed-in page in an order in which each comes after those it imports; index.html's own is the last. */
export function scriptsInOrder(manifest: Manifest): (path: string) => string[] {
  const keysOf = pageKeys(manifest);
  return (path) => {
    const keys = keysOf(path);
    return keys.length === 0 ? [] : [...filesOf(manifest, [...keys, 'index.html'])].map((file) => `/${file}`);
  };
}

/** The modules of a page and of the layouts around it. */
function pageKeys(manifest: Manifest): (path: string) => string[] {
  // Routes with parameters come last: an exact path takes precedence over one with a parameter. A page comes
  // before its layout at the same path.
  const routes = Object.keys(manifest)
    .flatMap(readRoute)
    .sort((one, other) => parametersOf(one) - parametersOf(other) || other.parts.length - one.parts.length);
  return (path) => {
    const page = routes.find(({ address }) => address.test(path));
    return routes
      .filter(({ parts }) => page && parts.every((part, index) => part === page.parts[index]))
      .map(({ key }) => key);
  };
}

/** `routes/_app/inbox.tsx?tsr-split=component---loader`; only routes that require sign-in. */
function readRoute(key: string): PageRoute[] {
  const name = /^routes\/(_app[./]?.*)\.tsx\?tsr-split=(?:component|loader)/.exec(key)?.[1];
  // The page for unknown paths.
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

/** The files of modules and of all that they import, which come first. */
function filesOf(manifest: Manifest, keys: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const files = new Set<string>();
  const add = (key: string) => {
    const entry = manifest[key];
    if (seen.has(key) || !entry) return;
    seen.add(key);
    for (const each of entry.imports ?? []) add(each);
    files.add(entry.file);
  };
  for (const key of keys) add(key);
  return files;
}
