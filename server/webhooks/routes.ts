import * as calls from '../../contract/webhooks.ts';
import { getSecret } from '../auth/queries.ts';
import type { Trx } from '../db.ts';
import { type App, serve } from '../serve.ts';
import {
  createEndpoint,
  deleteEndpoint,
  rotateSecret,
  showSecret,
  updateEndpoint,
} from './create-endpoint.ts';
import { countDeliveries, readDeliveries, readDelivery, readWebhooks, requireEndpoint } from './queries.ts';
import { replayDelivery, replayRange, sendTest } from './replay-deliveries.ts';

export function webhookRoutes(app: App): void {
  const allowedHosts = app.config.OUTSIDE_ALLOWED_HOSTS;
  const tools = async () => ({ installation: await getSecret(app.database), allowedHosts });

  async function readOne(trx: Trx, accountId: number, endpointId: number) {
    const [found] = await readWebhooks(trx, { accountId, endpointId, ...(await tools()) });
    if (found === undefined) throw new Error('a webhook that was written is there');
    return found;
  }

  serve(app, calls.listWebhooks, async (trx, { accountId }) => {
    const Items = await readWebhooks(trx, { accountId, ...(await tools()) });
    return { Items, Size: Items.length };
  });
  serve(app, calls.addWebhook, async (trx, actor, { body }) => {
    const { endpointId, secret } = await createEndpoint(trx, actor, await tools(), {
      ...{ url: body.Url, description: body.Description, eventTypes: body.EventTypes, madeBy: 'page' },
    });
    return { ...(await readOne(trx, actor.accountId, endpointId)), Secret: secret };
  });
  serve(app, calls.updateWebhook, async (trx, actor, input) => {
    await updateEndpoint(trx, actor, { allowedHosts }, input);
    return readOne(trx, actor.accountId, input.params.WebhookID);
  });
  serve(app, calls.deleteWebhook, async (trx, actor, { params }) => {
    await deleteEndpoint(trx, actor, params.WebhookID);
    return {};
  });
  serve(app, calls.showWebhookSecret, async (trx, actor, { params }) => ({
    Secret: await showSecret(trx, actor, await tools(), params.WebhookID),
  }));
  serve(app, calls.rotateWebhookSecret, async (trx, actor, { params }) =>
    rotateSecret(trx, actor, await tools(), params.WebhookID),
  );
  serve(app, calls.testWebhook, (trx, actor, { params, body }) =>
    sendTest(trx, actor, { endpointId: params.WebhookID, type: body.EventType }),
  );
  serve(app, calls.listWebhookDeliveries, async (trx, { accountId }, { params, query }) => {
    const endpointId = params.WebhookID;
    await requireEndpoint(trx, accountId, endpointId, 'read');
    const before = query.next === undefined ? undefined : Number(query.next);
    const page = { accountId, endpointId, state: query.state, before, size: query.pagesize };
    const list = await readDeliveries(trx, page);
    return before === undefined
      ? { ...list, Counts: await countDeliveries(trx, accountId, endpointId) }
      : list;
  });
  serve(app, calls.getWebhookDelivery, async (trx, { accountId }, { params }) => {
    await requireEndpoint(trx, accountId, params.WebhookID, 'read');
    return readDelivery(trx, { accountId, endpointId: params.WebhookID, deliveryId: params.DeliveryID });
  });
  serve(app, calls.replayWebhookDelivery, (trx, actor, { params }) =>
    replayDelivery(trx, actor, { endpointId: params.WebhookID, deliveryId: params.DeliveryID }),
  );
  serve(app, calls.replayWebhook, replayRange);
}
