import type { CSSProperties } from 'react';
import { initialsOf, tintOf } from '../../ui/avatar-color.ts';

interface RowAvatarProps {
  name: string;
  isSmall?: boolean;
  /** A picture instead of the initials. */
  src?: string | null | undefined;
}

/** The Avatar for rows, as plain elements. */
export function RowAvatar({ name, isSmall = false, src }: RowAvatarProps) {
  if (src) return <img className={isSmall ? 'avatar is-small' : 'avatar'} src={src} alt="" />;
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
