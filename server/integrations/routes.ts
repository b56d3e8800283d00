import * as calls from '../../contract/integrations.ts';
import { type App, serve, serveOutside } from '../serve.ts';
import { contactsToDraft, groupsToDraft } from './add-people-to-draft.ts';
import { listContacts, listGroups, listGroupTypes } from './browse-source.ts';
import { disconnectIntegration, finishLogin, loginIntegration } from './connect-integration.ts';
import { askForSync, beginUndo, decideSync, keepGroups } from './keep-groups.ts';
import { listChanges, listSyncs } from './list-syncs.ts';
import { createSources } from './open-source.ts';
import { readIntegrations } from './queries.ts';

export function integrationRoutes(app: App): void {
  const { config } = app;
  const sources = createSources(app);
  app.http.addHook('onClose', () => sources.close());

  serve(app, calls.listIntegrations, async (trx, { accountId }, { query }) => {
    const all = await readIntegrations(trx, config, accountId);
    const found = all.filter(
      ({ Connected, Type }) =>
        (query.connected === undefined || Connected === query.connected) &&
        (query.type === undefined || Type === query.type),
    );
    const first = (query.page - 1) * query.pagesize;
    return { Items: found.slice(first, first + query.pagesize), Size: found.length };
  });
  serveOutside(app, calls.loginIntegration, (_app, actor, input) =>
    loginIntegration(app, sources, actor, input),
  );
  serveOutside(app, calls.finishIntegrationLogin, (_app, actor, input) =>
    finishLogin(app, sources, actor, input),
  );
  serve(app, calls.disconnectIntegration, disconnectIntegration);
  serveOutside(app, calls.listIntegrationGroupTypes, (_app, actor, input) =>
    listGroupTypes(app, sources, actor, input),
  );
  serveOutside(app, calls.listIntegrationGroups, (_app, actor, input) =>
    listGroups(app, sources, actor, input),
  );
  serveOutside(app, calls.listIntegrationContacts, (_app, actor, input) =>
    listContacts(app, sources, actor, input),
  );
  serveOutside(app, calls.integrationGroupsToDraft, (_app, actor, input) =>
    groupsToDraft(app, sources, actor, input),
  );
  serveOutside(app, calls.integrationContactsToDraft, (_app, actor, input) =>
    contactsToDraft(app, sources, actor, input),
  );
  serveOutside(app, calls.keepIntegrationGroups, (_app, actor, input) =>
    keepGroups(app, sources, actor, input),
  );
  serve(app, calls.syncIntegration, (trx, actor, input) => askForSync(trx, config, actor, input));
  serve(app, calls.decideIntegrationSync, (trx, actor, input) => decideSync(trx, config, actor, input));
  serve(app, calls.listIntegrationSyncs, listSyncs);
  serve(app, calls.listSyncChanges, listChanges);
  serve(app, calls.undoSync, (trx, actor, input) => beginUndo(trx, config, actor, input));
}
