import { BookUser, Contact, KeyRound, type LucideIcon, Mail, Network, Sheet } from 'lucide-react';
import type { Integration } from '../../contract/integrations.ts';
import { countOf } from '../ui/format.ts';

/** By IntegrationID. */
const icons: Record<number, LucideIcon> = {
  1: BookUser,
  2: Network,
  3: Sheet,
  4: Contact,
  5: Mail,
  6: KeyRound,
};

export function iconOf({ IntegrationID }: Pick<Integration, 'IntegrationID'>): LucideIcon {
  return icons[IntegrationID] ?? Contact;
}

export interface SyncWords {
  label: string;
  color: 'success' | 'warning' | 'error' | 'default';
}

const states: Record<NonNullable<Integration['Sync']>['State'], SyncWords> = {
  idle: { label: 'In step', color: 'success' },
  waiting: { label: 'Syncing', color: 'default' },
  running: { label: 'Syncing', color: 'default' },
  undoing: { label: 'Undoing', color: 'default' },
  held: { label: 'Needs an answer', color: 'warning' },
  failed: { label: 'Not in step', color: 'error' },
  paused: { label: 'Paused', color: 'warning' },
};

export function stateOf({ Connected, Sync }: Integration): SyncWords {
  if (Sync !== null) return states[Sync.State];
  return Connected ? { label: 'Connected', color: 'success' } : { label: 'Not connected', color: 'default' };
}

/** "2 groups, 24 people kept in contacts". */
export function keptWords({ Sync }: Integration): string {
  if (Sync === null) return 'No group is kept in contacts';
  return `${countOf(Sync.GroupCount, 'group', 'groups')} with ${countOf(Sync.PersonCount, 'person', 'people')} kept in contacts`;
}
