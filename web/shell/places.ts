import {
  BookMarked,
  ChartNoAxesColumn,
  House,
  Inbox,
  ListTree,
  type LucideIcon,
  Megaphone,
  Settings2,
  Siren,
  Users,
} from 'lucide-react';

import type { CapabilityName } from '../../contract/permissions.ts';
import { useCan, useUser } from '../queries/current-user.ts';

export interface Place {
  to:
    | '/home'
    | '/broadcasts'
    | '/inbox'
    | '/contacts'
    | '/drip-campaigns'
    | '/message-library'
    | '/reports/usage-summary'
    | '/settings/profile'
    | '/emergency';
  /** The address; everything below it belongs to this place. */
  under: string;
  /** Other addresses that belong to it. */
  also?: readonly string[];
  label: string;
  icon: LucideIcon;
  /** Users without this capability don't see the place. */
  capability: CapabilityName;
}

/** The navigation, in order. */
const places: readonly Place[] = [
  { to: '/home', under: '/home', label: 'Home', icon: House, capability: 'useMuster' },
  {
    to: '/broadcasts',
    under: '/broadcasts',
    also: ['/broadcast-details'],
    label: 'Broadcasts',
    icon: Megaphone,
    capability: 'seeBroadcasts',
  },
  { to: '/inbox', under: '/inbox', label: 'Inbox', icon: Inbox, capability: 'seeTextNumbers' },
  { to: '/contacts', under: '/contacts', label: 'Contacts', icon: Users, capability: 'manageOwnContacts' },
  {
    to: '/drip-campaigns',
    under: '/drip-campaigns',
    label: 'Drip campaigns',
    icon: ListTree,
    capability: 'openDripCampaigns',
  },
  {
    to: '/message-library',
    under: '/message-library',
    label: 'Message library',
    icon: BookMarked,
    capability: 'useMessageLibrary',
  },
  {
    to: '/reports/usage-summary',
    under: '/reports',
    label: 'Reports',
    icon: ChartNoAxesColumn,
    capability: 'seeUsageSummary',
  },
  {
    to: '/settings/profile',
    under: '/settings',
    also: ['/text-setup', '/get-registered-number', '/local-number-registration', '/automation'],
    label: 'Settings',
    icon: Settings2,
    capability: 'editOwnProfile',
  },
];

/** Reachable from everywhere in one click, apart from the others. */
const emergencyPlace: Place = {
  to: '/emergency',
  under: '/emergency',
  label: 'Emergency',
  icon: Siren,
  capability: 'startEmergency',
};

/** Undefined for users who may not start one. */
export function useEmergencyPlace(): Place | undefined {
  return useCan(emergencyPlace.capability) ? emergencyPlace : undefined;
}

/** The places the user may open. The inbox shows even without a text number, and says whom to ask for one. */
export function usePlaces(): readonly Place[] {
  const denied = useUser()?.Denied ?? {};
  return places.filter(({ capability }) => denied[capability] === undefined);
}

export function isUnder(pathname: string, { under, also }: Place): boolean {
  const isAt = (address: string) => pathname === address || pathname.startsWith(`${address}/`);
  return isAt(under) || also?.some(isAt) === true;
}

/** A badge shows at most 99. */
export function badgeText(count: number): string {
  return count > 99 ? '99+' : String(count);
}
