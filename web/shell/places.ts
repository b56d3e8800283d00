import {
  BookMarked,
  ChartNoAxesColumn,
  House,
  Inbox,
  type LucideIcon,
  Megaphone,
  Settings2,
  Users,
} from 'lucide-react';

export interface Place {
  to:
    | '/home'
    | '/broadcasts'
    | '/inbox'
    | '/contacts'
    | '/message-library'
    | '/reports/opt-out-report'
    | '/settings/profile';
  /** The address and everything under it belong to this place. */
  under: string;
  /** What belongs to it under another name. */
  also?: string;
  label: string;
  icon: LucideIcon;
}

/** The navigation, in its order: only what exists. */
export const places: readonly Place[] = [
  { to: '/home', under: '/home', label: 'Home', icon: House },
  {
    to: '/broadcasts',
    under: '/broadcasts',
    also: '/broadcast-details',
    label: 'Broadcasts',
    icon: Megaphone,
  },
  { to: '/inbox', under: '/inbox', label: 'Inbox', icon: Inbox },
  { to: '/contacts', under: '/contacts', label: 'Contacts', icon: Users },
  { to: '/message-library', under: '/message-library', label: 'Message library', icon: BookMarked },
  { to: '/reports/opt-out-report', under: '/reports', label: 'Reports', icon: ChartNoAxesColumn },
  { to: '/settings/profile', under: '/settings', label: 'Settings', icon: Settings2 },
];

export function isUnder(pathname: string, { under, also }: Place): boolean {
  const isAt = (address: string) => pathname === address || pathname.startsWith(`${address}/`);
  return isAt(under) || (also !== undefined && isAt(also));
}

/** A badge says at most 99. */
export function badgeText(count: number): string {
  return count > 99 ? '99+' : String(count);
}
