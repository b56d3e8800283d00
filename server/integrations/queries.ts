import { sql } from 'kysely';
import { authorizedPrefix } from '../../contract/call-address.ts';
import { Refusal } from '../../contract/errors.ts';
import type { Integration } from '../../contract/integrations.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import { type CatalogEntry, catalog, findEntry, integrationIds, playedValue } from './rules.ts';

interface Row {
  integrationId: number;
  accountName: string;
  connectedAt: Date;
  sync: NonNullable<Integration['Sync']>;
  hasGroups: boolean;
}

/** The account's connections, with their sync settings. */
async function readConnected(trx: Trx, accountId: number): Promise<Map<number, Row>> {
  const { rows } = await sql<{
    integrationId: number;
    accountName: string;
    connectedAt: Date;
    State: NonNullable<Integration['Sync']>['State'];
    ErrorMessage: string;
    GroupCount: number;
    PersonCount: number;
    LastTimestamp: Date | null;
    NextTimestamp: Date | null;
    HeldCount: number | null;
    HeldOf: number | null;
    HeldGroups: string[];
  }>`
    select i.integration_id as "integrationId", i.account_name as "accountName",
      i.connected_at as "connectedAt", i.error as "ErrorMessage",
      case when i.undo_sync_id is not null then 'undoing'
        when i.lease_until > now() then 'running'
        when s.state = 'held' then 'held'
        when i.next_sync_at <= now() then 'waiting'
        when i.error <> '' then 'failed'
        when i.is_paused then 'paused'
        else 'idle' end as "State",
      g.many as "GroupCount", p.many as "PersonCount", done.ended_at as "LastTimestamp",
      i.next_sync_at as "NextTimestamp",
      case when s.state = 'held' then s.left_count end as "HeldCount",
      case when s.state = 'held' then s.people_before end as "HeldOf",
      case when s.state = 'held' then array(select name from groups g
        where g.account_id = i.account_id and g.group_id = any(s.held_lists) order by name) else '{}' end as "HeldGroups"
    from integrations i
    cross join lateral (select count(*)::int as many from integration_groups g
      where g.account_id = i.account_id and g.integration_id = i.integration_id) g
    cross join lateral (select count(distinct person_id)::int as many from integration_people p
      where p.account_id = i.account_id and p.integration_id = i.integration_id) p
    left join lateral (select state, left_count, people_before, held_lists from integration_syncs s
      where s.account_id = i.account_id and s.integration_id = i.integration_id order by sync_id desc limit 1) s on true
    left join lateral (select ended_at from integration_syncs s
      where s.account_id = i.account_id and s.integration_id = i.integration_id and s.state = 'done'
      order by sync_id desc limit 1) done on true
    where i.account_id = ${accountId}`.execute(trx);
  return new Map(
    rows.map(({ integrationId, accountName, connectedAt, ...sync }) => [
      integrationId,
      {
        ...{ integrationId, accountName, connectedAt, hasGroups: sync.GroupCount > 0 },
        sync: {
          ...sync,
          LastTimestamp: sync.LastTimestamp?.toISOString() ?? null,
          NextTimestamp: sync.NextTimestamp?.toISOString() ?? null,
        },
      },
    ]),
  );
}

/** The catalog for an account: integrations that are available or connected. */
export async function readIntegrations(trx: Trx, config: Config, accountId: number): Promise<Integration[]> {
  const connected = await readConnected(trx, accountId);
  const { rows } = await sql<{ issuer: string }>`
    select issuer from sso_providers where account_id = ${accountId} and is_enabled`.execute(trx);
  const issuer = rows[0]?.issuer;
  return catalog.flatMap((entry) => {
    const row = connected.get(integrationIds[entry.kind]);
    if (row === undefined && !entry.isOffered(config)) return [];
    const isSso = entry.kind === 'sso';
    return [
      {
        IntegrationID: integrationIds[entry.kind],
        Connected: isSso ? issuer !== undefined : row !== undefined,
        Type: isSso ? ('SSO' as const) : ('Contact' as const),
        Description: entry.description,
        Features: { HasGroupTypes: entry.hasGroupTypes, ContactFeatures: { Searchable: !isSso } },
        LoginInstructions: instructionsOf(config, entry),
        AccountName: isSso ? (issuer ?? '') : (row?.accountName ?? ''),
        ConnectTimestamp: row?.connectedAt.toISOString() ?? null,
        Sync: row?.hasGroups ? row.sync : null,
      },
    ];
  });
}

function instructionsOf(config: Config, entry: CatalogEntry): Integration['LoginInstructions'] {
  const isSso = entry.kind === 'sso';
  return {
    Name: entry.name,
    Data: {
      Model: entry.model.map((field) => ({ ...field, Value: playedValue(config, entry.kind, field.Name) })),
      PostBackUrl: isSso ? '' : `${authorizedPrefix}/integrations/${integrationIds[entry.kind]}/login`,
      RedirectUrl: isSso ? '/settings/security' : '',
      ShowInNewWindow: entry.signsInElsewhere === 'new window',
    },
  };
}

export async function readIntegration(
  trx: Trx,
  config: Config,
  accountId: number,
  integrationId: number,
): Promise<Integration> {
  const all = await readIntegrations(trx, config, accountId);
  const found = all.find(({ IntegrationID }) => IntegrationID === integrationId);
  if (found === undefined) throw new Refusal('notFound');
  return found;
}

/** An integration that people can be read from, connected or not. */
export function requireContactEntry(config: Config, integrationId: number): CatalogEntry {
  const entry = findEntry(integrationId);
  if (entry === undefined || entry.kind === 'sso' || !entry.isOffered(config)) throw new Refusal('notFound');
  return entry;
}

/** A connection of the account; for a change, it is locked until the transaction ends. */
export async function requireConnection(
  trx: Trx,
  accountId: number,
  integrationId: number,
  use: 'read' | 'change' = 'change',
) {
  const found = await trx
    .selectFrom('integrations')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('integration_id', '=', integrationId)
    .$if(use === 'change', (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (found === undefined) throw new Refusal('notFound', 'That integration is not connected.');
  return found;
}

export interface KeptGroup {
  groupKey: string;
  listId: number;
  listName: string;
}

/** The groups that are synchronized with contacts. A group that was deleted there no longer is. */
export async function readKeptGroups(
  trx: Trx,
  accountId: number,
  integrationId: number,
): Promise<KeptGroup[]> {
  const { rows } = await sql<KeptGroup>`
    select k.group_key as "groupKey", k.list_id as "listId", g.name as "listName"
    from integration_groups k
    join groups g on g.account_id = k.account_id and g.group_id = k.list_id and g.deleted_at is null
    where k.account_id = ${accountId} and k.integration_id = ${integrationId}
    order by k.list_id, k.group_key`.execute(trx);
  return rows;
}
