import type { CSSProperties } from 'react';
import { initialsOf, tintOf } from '../../ui/avatar-color.ts';

/** As Avatar draws it, for rows. */
export function RowFace({ name, isSmall = false }: { name: string; isSmall?: boolean }) {
  const [hue, saturation] = tintOf(name);
  const initials = initialsOf(name);
  return (
    <span
      aria-hidden
      className={isSmall ? 'face is-small' : 'face'}
      style={{ '--hue': hue, '--saturation': saturation } as CSSProperties}
    >
      {isSmall ? initials.slice(0, 1) : initials}
    </span>
  );
}
