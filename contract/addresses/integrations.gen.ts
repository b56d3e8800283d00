// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['integrations'];

export const listIntegrations = {"method":"GET","path":"/integrations","allow":"manageOwnContacts"} as unknown as Calls['listIntegrations'];
export const loginIntegration = {"method":"POST","path":"/integrations/:IntegrationID/login","allow":"manageIntegrations"} as unknown as Calls['loginIntegration'];
export const finishIntegrationLogin = {"method":"POST","path":"/integrations/login/finish","allow":"manageIntegrations"} as unknown as Calls['finishIntegrationLogin'];
export const disconnectIntegration = {"method":"DELETE","path":"/integrations/:IntegrationID","allow":"manageIntegrations"} as unknown as Calls['disconnectIntegration'];
export const listIntegrationGroupTypes = {"method":"GET","path":"/integrations/:IntegrationID/grouptypes","allow":"seeAllContacts"} as unknown as Calls['listIntegrationGroupTypes'];
export const listIntegrationGroups = {"method":"GET","path":"/integrations/:IntegrationID/groups","allow":"seeAllContacts"} as unknown as Calls['listIntegrationGroups'];
export const listIntegrationContacts = {"method":"GET","path":"/integrations/:IntegrationID/groups/:Group/contacts","allow":"seeAllContacts"} as unknown as Calls['listIntegrationContacts'];
export const integrationGroupsToDraft = {"method":"POST","path":"/integrations/:IntegrationID/groups/todraftbroadcast/:DraftBroadcastID","allow":"manageBroadcasts","takesIdempotencyKey":true} as unknown as Calls['integrationGroupsToDraft'];
export const integrationContactsToDraft = {"method":"POST","path":"/integrations/:IntegrationID/groups/:Group/contacts/todraftbroadcast/:DraftBroadcastID","allow":"manageBroadcasts","takesIdempotencyKey":true} as unknown as Calls['integrationContactsToDraft'];
export const keepIntegrationGroups = {"method":"PUT","path":"/integrations/:IntegrationID/groups","allow":"manageIntegrations"} as unknown as Calls['keepIntegrationGroups'];
export const syncIntegration = {"method":"POST","path":"/integrations/:IntegrationID/sync","allow":"manageIntegrations"} as unknown as Calls['syncIntegration'];
export const decideIntegrationSync = {"method":"POST","path":"/integrations/:IntegrationID/sync/decision","allow":"manageIntegrations"} as unknown as Calls['decideIntegrationSync'];
export const listIntegrationSyncs = {"method":"GET","path":"/integrations/:IntegrationID/syncs","allow":"manageIntegrations"} as unknown as Calls['listIntegrationSyncs'];
export const listSyncChanges = {"method":"GET","path":"/integrations/:IntegrationID/syncs/:SyncID/changes","allow":"manageIntegrations"} as unknown as Calls['listSyncChanges'];
export const undoSync = {"method":"POST","path":"/integrations/:IntegrationID/syncs/:SyncID/undo","allow":"manageIntegrations"} as unknown as Calls['undoSync'];
