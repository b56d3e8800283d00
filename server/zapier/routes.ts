import { Refusal } from '../../contract/errors.ts';
import { webhookSample } from '../../contract/webhook-events.ts';
import {
  type HookEvent,
  hookScopes,
  listHookSamples,
  subscribeHook,
  unsubscribeHook,
} from '../../contract/zapier.ts';
import { refuseUnlessInScope } from '../access/refuse-unless.ts';
import { getSecret } from '../auth/queries.ts';
import { type Actor, type App, serve } from '../serve.ts';
import { createEndpoint, deleteEndpoint } from '../webhooks/create-endpoint.ts';
import { requireEndpoint } from '../webhooks/queries.ts';

/** REST hooks: a program subscribes an address by itself. It creates ordinary webhooks. */
export function zapierRoutes(app: App): void {
  serve(app, subscribeHook, async (trx, actor, { body }) => {
    refuseUnlessReads(actor, body.Event);
    const tools = {
      installation: await getSecret(app.database),
      allowedHosts: app.config.OUTSIDE_ALLOWED_HOSTS,
    };
    const { endpointId } = await createEndpoint(trx, actor, tools, {
      url: body.TargetUrl,
      description: 'Zapier',
      eventTypes: [body.Event],
      madeBy: 'zapier',
    });
    return { HookID: endpointId };
  });
  serve(app, unsubscribeHook, async (trx, actor, { params }) => {
    const endpoint = await requireEndpoint(trx, actor.accountId, params.WebhookID);
    // A program can end only what a program created; people's webhooks are theirs.
    if (endpoint.made_by !== 'zapier') throw new Refusal('notFound');
    await deleteEndpoint(trx, actor, params.WebhookID);
    return {};
  });
  serve(app, listHookSamples, async (_trx, actor, { params }) => {
    refuseUnlessReads(actor, params.Event);
    return { Items: [webhookSample(params.Event)] };
  });
}

/** A hook gets nothing that its key may not read. */
function refuseUnlessReads(actor: Actor, event: HookEvent): void {
  refuseUnlessInScope(actor, hookScopes[event]);
}
