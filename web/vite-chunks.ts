import type { Plugin, Rolldown } from 'vite';

type Context = Parameters<Rolldown.CodeSplittingNameFunction>[1];

const isLibrary = (id: string) => id.includes('/node_modules/');
/** Modules that lead to far more than is used of them. */
const isBarrel = (id: string) => /\/contract\/|\/lucide-react\//.test(id);

/**
 * Decides which modules are bundled together. By default the bundler makes a script for each set of pages that share
 * modules, so a page loaded a hundred small scripts, and requesting each cost more than loading it. So a page
 * loads some kilobytes that it doesn't need itself, but the next page does:
 *   start   libraries of the page before sign-in: they change seldom and stay in the cache
 *   login   what else that page needs
 *   app     what every page needs that one signs in for, and what the inbox needs of libraries and web/ui/
 *   shared  what most pages and dialogs have in common, of libraries and web/ui/
 *   ui, words, icons
 *           what fewer have in common, of web/ui/, of contract/, of the glyphs
 * The counts below grow with the number of pages: a module that exceeds its count moves into a script that
 * every page loads.
 */
export function chunks(): { plugin: Plugin; groups: Rolldown.CodeSplittingGroup[] } {
  let ids: string[] = [];
  const reached = new Map<RegExp, Set<string>>();

  /** The modules' static imports, recursively; not those that are loaded later. */
  function reach(roots: RegExp, context: Context): Set<string> {
    const known = reached.get(roots);
    if (known) return known;
    const found = new Set<string>();
    const next = ids.filter((id) => roots.test(id));
    if (next.length === 0) throw new Error(`no module is called ${roots}`);
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      if (found.has(id)) continue;
      found.add(id);
      if (!isBarrel(id)) next.push(...(context.getModuleInfo(id)?.importedIds ?? []));
    }
    reached.set(roots, found);
    return found;
  }
  const isOf = (roots: RegExp, id: string, context: Context) =>
    !isBarrel(id) && reach(roots, context).has(id);
  /** True if a module of contract/ makes schemas, or imports one that does. */
  const leadsToSchemas = (id: string, context: Context, seen = new Set<string>()): boolean => {
    if (/\/node_modules\/zod\//.test(id)) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return (context.getModuleInfo(id)?.importedIds ?? []).some((next) => leadsToSchemas(next, context, seen));
  };
  const login = /\/web\/main\.tsx$|\/routes\/login\.tsx\?/;
  const app = /\/routes\/_app\.tsx\?/;
  const inbox = /\/routes\/_app\/inbox\.tsx\?/;
  /** Not the inbox's own modules, which other pages don't need. */
  const isGeneral = (id: string) => isLibrary(id) || /\/web\/(ui|queries)\//.test(id);

  return {
    plugin: {
      name: 'muster-chunks',
      apply: 'build',
      buildEnd() {
        ids = [...this.getModuleIds()];
        reached.clear();
      },
    },
    groups: [
      { priority: 6, name: 'schemas', test: /\/node_modules\/zod\// },
      { priority: 5, name: (id, context) => (isLibrary(id) && isOf(login, id, context) ? 'start' : null) },
      { priority: 4, name: (id, context) => (isOf(login, id, context) ? 'login' : null) },
      {
        priority: 3,
        name: (id, context) =>
          isOf(app, id, context) || (isGeneral(id) && isOf(inbox, id, context)) ? 'app' : null,
      },
      { priority: 2, name: 'shared', test: /\/node_modules\/|\/web\/(ui|queries)\//, minShareCount: 54 },
      { priority: 1, name: 'ui', test: /\/web\/(ui|queries)\//, minShareCount: 42 },
      {
        priority: 1,
        name: (id, context) => (leadsToSchemas(id, context) ? null : 'words'),
        test: /\/contract\//,
        minShareCount: 14,
      },
      { priority: 1, name: 'icons', test: /\/lucide-react\//, minShareCount: 4 },
    ],
  };
}
