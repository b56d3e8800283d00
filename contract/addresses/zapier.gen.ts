// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['zapier'];

export const subscribeHook = {"method":"POST","path":"/zapier/hooks","allow":"manageWebhooks","takesIdempotencyKey":true} as unknown as Calls['subscribeHook'];
export const unsubscribeHook = {"method":"DELETE","path":"/zapier/hooks/:WebhookID","allow":"manageWebhooks"} as unknown as Calls['unsubscribeHook'];
export const listHookSamples = {"method":"GET","path":"/zapier/samples/:Event","allow":"manageWebhooks"} as unknown as Calls['listHookSamples'];
