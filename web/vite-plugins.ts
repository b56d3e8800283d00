import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ESTree, Plugin } from 'vite';
import type { NamedCall } from '../contract/calls.ts';

/** What the browser needs of a call: callApi sends it, and the server checks. */
const sentParts = ['method', 'path', 'allow', 'takesIdempotencyKey', 'uploadBytes'];

/**
 * Tells the bundler what contract/ promises: its modules only say things, loading one does nothing. Each
 * top-level value is wrapped in a call marked pure, so that a page carries the calls and rules it uses and
 * no others.
 *
 * Calls come without their schemas, which nobody asks for in a browser: to make them took a quarter of the time in which
 * a page's scripts begin.
 */
export function pureContract(contractDir: string): Plugin {
  return {
    name: 'muster-pure-contract',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!id.startsWith(contractDir)) return null;
      const edits: { start: number; end: number; text: string }[] = [];
      for (const node of this.parse(code).body) {
        const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
        if (declaration?.type !== 'VariableDeclaration') continue;
        for (const { init } of declaration.declarations) {
          if (!init || init.type === 'Literal' || init.type === 'ArrowFunctionExpression') continue;
          const { start, end } = init;
          const source = sentPartsOf(init, code) ?? code.slice(start, end);
          edits.push({ start, end, text: `/*#__PURE__*/ (() => (${source}))()` });
        }
      }
      return edits
        .sort((one, other) => other.start - one.start)
        .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), code);
    },
  };
}

/** The definition in `call({ … })` without what isn't sent; undefined for all else. */
function sentPartsOf(node: ESTree.Expression, code: string): string | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'call')
    return undefined;
  const [definition] = node.arguments;
  if (definition?.type !== 'ObjectExpression') return undefined;
  const kept = definition.properties.filter(
    (part) => part.type === 'Property' && part.key.type === 'Identifier' && sentParts.includes(part.key.name),
  );
  return `{ ${kept.map(({ start, end }) => code.slice(start, end)).join(', ')} }`;
}

const name = 'virtual:wire';

/**
 * The calls of the contract as they travel, in a module that imports nothing: with the contract's own come the libraries that
 * its schemas need, for whoever else uses those, and the sign-in page must stay light. See wire.d.ts.
 */
export function wire(contractDir: string): Plugin {
  return {
    name: 'muster-wire',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    async load(id) {
      if (id !== `\0${name}`) return null;
      const { everyCall }: { everyCall: readonly NamedCall[] } = await import(
        pathToFileURL(`${contractDir}calls.ts`).href
      );
      return everyCall
        .map(({ name, call }) => `export const ${name} = ${JSON.stringify(call, sentParts)};`)
        .join('\n');
    },
  };
}

/** Nothing ripples here (see theme/controls.tsx), so the part that would is left out: 3 kB of the sign-in page. */
export function noRipple(): Plugin {
  const stub = '\0muster-no-ripple';
  return {
    name: 'muster-no-ripple',
    enforce: 'pre',
    apply: 'build',
    resolveId: (source, importer) =>
      /^\.\/TouchRipple(\.m?js)?$/.test(source) && importer?.includes('@mui/material/ButtonBase')
        ? stub
        : null,
    load: (id) => (id === stub ? 'export default function TouchRipple() { return null; }' : null),
  };
}

/** Each script and style also as .br and .gz: the server sends what the browser takes, made once and not a request. */
export function compressed(): Plugin {
  return {
    name: 'muster-compressed',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const names = await readdir(dir, { recursive: true });
      const files = names.filter((file) => /\.(js|css|svg|html)$/.test(file)).map((file) => join(dir, file));
      await Promise.all(
        files.map(async (file) => {
          const bytes = await readFile(file);
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
          await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, quality));
          await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
        }),
      );
    },
  };
}
