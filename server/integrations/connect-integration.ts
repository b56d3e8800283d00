import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { integrationLoginForm } from '../../contract/forms/integration-login.ts';
import type {
  disconnectIntegration as disconnectDefinition,
  finishIntegrationLogin as finishDefinition,
  Integration,
  loginIntegration as loginDefinition,
} from '../../contract/integrations.ts';
import { createToken, takeToken } from '../auth/create-token.ts';
import type { Config } from '../config.ts';
import { asAccount, type Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import { newCodeVerifier } from '../outside/source-oauth.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { refuseSource, type Sources, seal } from './open-source.ts';
import { readIntegration, requireConnection, requireContactEntry } from './queries.ts';
import { type CatalogEntry, type Credentials, findEntry, integrationIds } from './rules.ts';

function callbackUrl(config: Config): string {
  return `${config.PUBLIC_URL}/automation/callback`;
}

/** Connects by a form, or returns where the user signs in. */
export async function loginIntegration(
  { database, config }: App,
  sources: Sources,
  actor: Actor,
  { params, body }: Input<typeof loginDefinition>,
): Promise<Integration> {
  const { accountId, userId } = actor;
  const entry = requireContactEntry(config, params.IntegrationID);
  const client = sources.clientOf(entry);
  if (client !== undefined) {
    // Proves that the returning user is the one who left: the token is good once, for this user.
    const codeVerifier = newCodeVerifier();
    const data = { integrationId: params.IntegrationID, codeVerifier };
    const state = await createToken(database, 'integration', { accountId, userId, data });
    const url = await sources.oauth.begin(client, { redirectUri: callbackUrl(config), state, codeVerifier });
    const shown = await asAccount(database, accountId, (trx) =>
      readIntegration(trx, config, accountId, params.IntegrationID),
    );
    const { LoginInstructions } = shown;
    return {
      ...shown,
      LoginInstructions: { ...LoginInstructions, Data: { ...LoginInstructions.Data, RedirectUrl: url } },
    };
  }
  const form = integrationLoginForm(entry.model);
  const [wrong] = Object.entries(fieldErrors(form, body));
  if (wrong !== undefined) throw refuseField(wrong[0], wrong[1]);
  const fields = form.parse(body) as Record<string, string>;
  return keepConnection({ database, config, sources }, actor, entry, { fields });
}

/** The company's page has sent the user back with a code that can be exchanged for tokens. */
export async function finishLogin(
  { database, config }: App,
  sources: Sources,
  actor: Actor,
  { body }: Input<typeof finishDefinition>,
): Promise<Integration> {
  const query = new URLSearchParams(body.Query);
  const state = query.get('state') ?? '';
  const begun = await takeToken(database, 'integration', state);
  const entry = begun === undefined ? undefined : findEntry(Number(begun.data.integrationId));
  const client = entry === undefined ? undefined : sources.clientOf(entry);
  const isOwn = begun?.accountId === actor.accountId && begun.userId === actor.userId;
  if (begun === undefined || entry === undefined || client === undefined || !isOwn)
    throw new Refusal('refused', 'This sign-in is over. Connect the integration again.');
  const tokens = await sources.oauth
    .finish(client, {
      ...{ url: new URL(`${callbackUrl(config)}?${query}`), state },
      codeVerifier: String(begun.data.codeVerifier),
    })
    .catch(refuseSource(entry.name));
  return keepConnection({ database, config, sources }, actor, entry, { tokens });
}

/** Saves credentials that have been tested. Connecting again replaces them and keeps the groups. */
async function keepConnection(
  { database, config, sources }: Pick<App, 'database' | 'config'> & { sources: Sources },
  actor: Actor,
  entry: CatalogEntry,
  credentials: Credentials,
): Promise<Integration> {
  const { accountId } = actor;
  const integrationId = integrationIds[entry.kind];
  const source = await sources.try(entry, credentials, accountId);
  const accountName = (await source.check().catch(refuseSource(entry.name))).slice(0, 300);
  const secret = await seal(database, { accountId, integrationId }, credentials);
  return asAccount(database, accountId, async (trx) => {
    await sql`
      insert into integrations as i (account_id, integration_id, user_id, account_name, secret)
      values (${accountId}, ${integrationId}, ${actor.userId}, ${accountName}, ${secret})
      on conflict (account_id, integration_id) do update
      set user_id = excluded.user_id, account_name = excluded.account_name, secret = excluded.secret,
        connected_at = now(), mark = null, error = '', is_locked_out = false,
        next_sync_at = case when not i.is_paused and exists (
          select from integration_groups g where g.account_id = i.account_id and g.integration_id = i.integration_id)
          then now() else i.next_sync_at end`.execute(trx);
    await enqueue(trx, 'sync_integrations', {});
    const changes = { Name: entry.name, AccountName: accountName };
    await recordEvents(trx, actor, [{ kind: 'integration.connected', id: integrationId, changes }]);
    await notify(trx, accountId, [{ type: 'integrations.changed' }]);
    return readIntegration(trx, config, accountId, integrationId);
  });
}

/** Deletes the credentials and the links between people and contacts. Contacts and groups stay unchanged. */
export async function disconnectIntegration(
  trx: Trx,
  actor: Actor,
  { params }: Input<typeof disconnectDefinition>,
): Promise<Record<string, never>> {
  const { accountId } = actor;
  const entry = findEntry(params.IntegrationID);
  if (entry?.kind === 'sso')
    throw new Refusal('refused', 'Single sign-on is turned off in the security settings.');
  await requireConnection(trx, accountId, params.IntegrationID);
  for (const table of ['integration_people', 'integration_members', 'integration_groups'] as const) {
    await trx
      .deleteFrom(table)
      .where('account_id', '=', accountId)
      .where('integration_id', '=', params.IntegrationID)
      .execute();
  }
  await sql`
    delete from integration_changes c using integration_syncs s
    where c.account_id = ${accountId} and s.account_id = c.account_id and s.sync_id = c.sync_id
      and s.integration_id = ${params.IntegrationID}`.execute(trx);
  for (const table of ['integration_syncs', 'integrations'] as const) {
    await trx
      .deleteFrom(table)
      .where('account_id', '=', accountId)
      .where('integration_id', '=', params.IntegrationID)
      .execute();
  }
  const changes = { Name: entry?.name ?? '' };
  await recordEvents(trx, actor, [{ kind: 'integration.disconnected', id: params.IntegrationID, changes }]);
  await notify(trx, accountId, [{ type: 'integrations.changed' }]);
  return {};
}
