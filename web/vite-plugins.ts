import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * Tells the bundler what contract/ promises: its modules only say things, loading one does nothing. Each
 * top-level value is wrapped in a call marked pure, so that a page carries the rules it uses and no others.
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
          edits.push({ start, end, text: `/*#__PURE__*/ (() => (${code.slice(start, end)}))()` });
        }
      }
      return edits
        .sort((one, other) => other.start - one.start)
        .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), code);
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

/** React no longer reads prop types. One library still declares them: without this, every page would load what checks them. */
export function noPropTypes(): Plugin {
  const stub = '\0muster-no-prop-types';
  return {
    name: 'muster-no-prop-types',
    enforce: 'pre',
    apply: 'build',
    resolveId: (source) => (source === 'prop-types' ? stub : null),
    load: (id) => (id === stub ? 'export default /* @__PURE__ */ new Proxy({}, { get: () => ({}) });' : null),
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
