// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['webhooks'];

export const listWebhooks = {"method":"GET","path":"/webhooks","allow":"manageWebhooks"} as unknown as Calls['listWebhooks'];
export const addWebhook = {"method":"POST","path":"/webhooks","allow":"manageWebhooks","takesIdempotencyKey":true} as unknown as Calls['addWebhook'];
export const updateWebhook = {"method":"POST","path":"/webhooks/:WebhookID","allow":"manageWebhooks"} as unknown as Calls['updateWebhook'];
export const deleteWebhook = {"method":"DELETE","path":"/webhooks/:WebhookID","allow":"manageWebhooks"} as unknown as Calls['deleteWebhook'];
export const showWebhookSecret = {"method":"POST","path":"/webhooks/:WebhookID/secret/show","allow":"manageWebhooks"} as unknown as Calls['showWebhookSecret'];
export const rotateWebhookSecret = {"method":"POST","path":"/webhooks/:WebhookID/secret/rotate","allow":"manageWebhooks"} as unknown as Calls['rotateWebhookSecret'];
export const testWebhook = {"method":"POST","path":"/webhooks/:WebhookID/test","allow":"manageWebhooks"} as unknown as Calls['testWebhook'];
export const listWebhookDeliveries = {"method":"GET","path":"/webhooks/:WebhookID/deliveries","allow":"manageWebhooks"} as unknown as Calls['listWebhookDeliveries'];
export const getWebhookDelivery = {"method":"GET","path":"/webhooks/:WebhookID/deliveries/:DeliveryID","allow":"manageWebhooks"} as unknown as Calls['getWebhookDelivery'];
export const replayWebhookDelivery = {"method":"POST","path":"/webhooks/:WebhookID/deliveries/:DeliveryID/replay","allow":"manageWebhooks"} as unknown as Calls['replayWebhookDelivery'];
export const replayWebhook = {"method":"POST","path":"/webhooks/:WebhookID/replay","allow":"manageWebhooks"} as unknown as Calls['replayWebhook'];
