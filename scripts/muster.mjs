#!/usr/bin/env node
// `npx muster …`: the operator's commands, on whatever Node the machine has.
process.argv.splice(2, 0, 'operator');
await import('./bootstrap.mjs');
