// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['keys'];

export const listApiKeys = {"method":"GET","path":"/apikeys","allow":"manageApiKeys"} as unknown as Calls['listApiKeys'];
export const createApiKey = {"method":"POST","path":"/apikeys","allow":"manageApiKeys"} as unknown as Calls['createApiKey'];
export const updateApiKey = {"method":"PUT","path":"/apikeys/:ApiKeyID","allow":"manageApiKeys"} as unknown as Calls['updateApiKey'];
export const rotateApiKey = {"method":"POST","path":"/apikeys/:ApiKeyID/rotate","allow":"manageApiKeys"} as unknown as Calls['rotateApiKey'];
export const revokeApiKey = {"method":"DELETE","path":"/apikeys/:ApiKeyID","allow":"manageApiKeys"} as unknown as Calls['revokeApiKey'];
