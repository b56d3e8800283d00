import { type LucideIcon, Moon, Sun, SunMoon } from 'lucide-react';

/** How Muster looks: as the computer does, or always one way. */
export const modes = [
  { mode: 'system', label: 'System', icon: SunMoon },
  { mode: 'light', label: 'Light', icon: Sun },
  { mode: 'dark', label: 'Dark', icon: Moon },
] as const satisfies readonly { mode: string; label: string; icon: LucideIcon }[];
