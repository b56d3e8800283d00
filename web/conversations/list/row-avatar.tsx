import type { CSSProperties } from 'react';
import { initialsOf, tintOf } from '../../ui/avatar-color.ts';

/** The Avatar for rows, as plain elements. */
export function RowAvatar({ name, isSmall = false }: { name: string; isSmall?: boolean }) {
  const [hue, saturation] = tintOf(name);
  const initials = initialsOf(name);
  return (
    <span
      aria-hidden
      className={isSmall ? 'avatar is-small' : 'avatar'}
      style={{ '--hue': hue, '--saturation': saturation } as CSSProperties}
    >
      {isSmall ? initials.slice(0, 1) : initials}
    </span>
  );
}
