// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['search'];

export const searchEverything = {"method":"GET","path":"/search","allow":"useMuster"} as unknown as Calls['searchEverything'];
