import { type LucideIcon, Moon, Sun, SunMoon } from 'lucide-react';

/** The appearance: system, light or dark. */
export const modes = [
  { mode: 'system', label: 'System', icon: SunMoon },
  { mode: 'light', label: 'Light', icon: Sun },
  { mode: 'dark', label: 'Dark', icon: Moon },
] as const satisfies readonly { mode: string; label: string; icon: LucideIcon }[];
