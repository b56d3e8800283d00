import * as calls from '../../contract/api-keys.ts';
import { type App, serve } from '../serve.ts';
import { createApiKey, revokeApiKey, rotateApiKey, updateApiKey } from './change-api-key.ts';
import { listKeys } from './queries.ts';

export function keyRoutes(app: App): void {
  const { config } = app;
  serve(app, calls.listApiKeys, listKeys);
  serve(app, calls.createApiKey, (trx, actor, input) => createApiKey(trx, config, actor, input));
  serve(app, calls.updateApiKey, (trx, actor, input) => updateApiKey(trx, app.config, actor, input));
  serve(app, calls.rotateApiKey, (trx, actor, input) => rotateApiKey(trx, config, actor, input));
  serve(app, calls.revokeApiKey, (trx, actor, input) => revokeApiKey(trx, config, actor, input));
}
