import { calls } from '../calls.ts';

/** The parts of a call that the browser needs: it sends, and the server validates. */
const sentParts = ['method', 'path', 'allow', 'takesIdempotencyKey', 'uploadBytes'];

/** contract/addresses/: the calls of each domain as they travel, in files that import nothing at run time. */
export function addressFiles(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(calls).map(([domain, ofDomain]) => {
      const lines = Object.entries(ofDomain).map(
        ([name, call]) =>
          `export const ${name} = ${JSON.stringify(call, sentParts)} as unknown as Calls['${name}'];`,
      );
      const head = [
        '// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.',
        "import type { calls } from '../calls.ts';",
        '',
        `type Calls = (typeof calls)['${domain}'];`,
        '',
      ];
      return [`contract/addresses/${domain}.gen.ts`, `${[...head, ...lines].join('\n')}\n`];
    }),
  );
}
