// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['home'];

export const getHome = {"method":"GET","path":"/home","allow":"useMuster"} as unknown as Calls['getHome'];
