import Box from '@mui/material/Box';
import { initialsOf, tintOf } from './avatar-color.ts';

export interface AvatarProps {
  /** A person's name; empty if only the number is known. */
  name: string;
  size?: 18 | 26 | 30 | 32 | 36 | 64;
  /** Grays out done conversations. */
  isDone?: boolean;
  /** A picture instead of the initials. */
  src?: string | null | undefined;
}

/** A person's initials on a color of their own. Hidden from screen readers, because the name is next to it. */
export function Avatar({ name, size = 36, isDone = false, src }: AvatarProps) {
  const [hue, saturation] = tintOf(name);
  const initials = initialsOf(name);
  if (src) {
    return (
      <Box
        component="img"
        src={src}
        alt=""
        width={size}
        height={size}
        sx={{ flex: 'none', borderRadius: '50%', objectFit: 'cover', bgcolor: 'tint.neutral' }}
      />
    );
  }
  return (
    <Box
      aria-hidden
      sx={[
        {
          width: size,
          height: size,
          flex: 'none',
          borderRadius: '50%',
          display: 'grid',
          placeItems: 'center',
          fontSize: size < 24 ? 10 : Math.round(size * 0.36 * 10) / 10,
          lineHeight: 1,
          fontWeight: 580,
          letterSpacing: 0,
          userSelect: 'none',
        },
        isDone
          ? { bgcolor: 'tint.neutral', color: 'ink.two' }
          : (theme) => ({
              backgroundColor: `hsl(${hue} ${saturation}% 91%)`,
              color: `hsl(${hue} ${saturation + 8}% 26%)`,
              ...theme.applyStyles('dark', {
                backgroundColor: `hsl(${hue} ${saturation - 4}% 19%)`,
                color: `hsl(${hue} ${saturation}% 78%)`,
              }),
            }),
      ]}
    >
      {size < 24 ? initials.slice(0, 1) : initials}
    </Box>
  );
}
