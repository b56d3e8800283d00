import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';

const pitch = 19;
const columns = 62;
const rows = 26;

/** A fixed scatter: the same picture every time, without random numbers. */
function noise(x: number, y: number): number {
  const wave = Math.sin(x * 127.1 + y * 311.7) * 43758.5453;
  return wave - Math.floor(wave);
}

/**
 * One dot per person: bright if the message arrived, amber for the few it didn't reach. Dots that look the same share
 * one path, because one element each would be most of the page.
 */
const shapes = drawDots();

function drawDots(): ReadonlyMap<string, { fill: string; opacity: number; path: string }> {
  const drawn = new Map<string, { fill: string; opacity: number; path: string }>();
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const distance = Math.hypot((column - 14) / 13, (row - 11) / 9.5);
      const glow = Math.exp(-distance * distance) * (0.72 + 0.4 * noise(column, row));
      const fadeOut = Math.max(0, 1 - Math.max(0, row - 15) / 11);
      const isMissed = noise(column + 91, row + 17) > 0.988;
      const exact = (isMissed ? 0.85 : Math.min(1, 0.15 + 1.05 * glow)) * fadeOut;
      const opacity = Math.round(exact * 25) / 25;
      if (opacity === 0) continue;
      const radius = isMissed ? 2.8 : 1.4 + 1.9 * glow;
      const fill = isMissed ? '#E0A23C' : '#4FD8C4';
      const key = `${fill} ${opacity}`;
      const path = `${drawn.get(key)?.path ?? ''}${circle(column * pitch + 9, row * pitch + 3, radius)}`;
      drawn.set(key, { fill, opacity, path });
    }
  }
  return drawn;
}

function circle(x: number, y: number, radius: number): string {
  const r = radius.toFixed(2);
  const across = (2 * radius).toFixed(2);
  return `M${(x - radius).toFixed(2)} ${y}a${r} ${r} 0 1 0 ${across} 0a${r} ${r} 0 1 0 -${across} 0`;
}

const story = [
  {
    at: '5:58 AM',
    what: 'Two-hour delay goes out to 3,847 phones',
    more: 'One text each, with the student’s name in it',
  },
  { at: '6:07 AM', what: '3,799 delivered', more: '41 were not, and each one shows why' },
  {
    at: '6:12 AM',
    what: '163 parents have written back',
    more: 'Every reply lands in one inbox the whole office shares',
  },
] as const;

/** The dark half of the sign-in page. It looks the same in light and dark mode, and is hidden below 960 px. */
export function SignInArt() {
  return (
    <Box
      component="aside"
      aria-label="About Muster"
      sx={{
        display: { xs: 'none', md: 'flex' },
        flex: 1,
        minWidth: 0,
        position: 'relative',
        overflow: 'hidden',
        flexDirection: 'column',
        justifyContent: 'flex-end',
        px: { md: 6, lg: 9 },
        pb: 8,
        pt: 20,
        color: '#F1F5F4',
        background: 'linear-gradient(160deg, #0B3733, #082522 55%, #061A18)',
      }}
    >
      <svg
        aria-hidden="true"
        width={columns * pitch}
        height={rows * pitch}
        style={{ position: 'absolute', top: 0, left: 0 }}
      >
        {[...shapes].map(([key, { fill, opacity, path }]) => (
          <path key={key} d={path} fill={fill} opacity={opacity} />
        ))}
      </svg>
      <Box sx={{ position: 'relative', maxWidth: 520 }}>
        <Typography
          component="p"
          sx={{ fontSize: 34, lineHeight: '40px', fontWeight: 620, letterSpacing: '-0.02em', mb: 4 }}
        >
          Everyone reached
          <br />
          before the first bell.
        </Typography>
        <Box component="ol" sx={{ listStyle: 'none', p: 0, m: 0 }}>
          {story.map(({ at, what, more }, index) => (
            <Box
              component="li"
              key={at}
              sx={{
                display: 'grid',
                gridTemplateColumns: '62px 26px 1fr',
                columnGap: '10px',
                pb: index < 2 ? '18px' : 0,
                position: 'relative',
              }}
            >
              <Typography
                variant="body2"
                component="span"
                sx={{
                  textAlign: 'right',
                  fontVariantNumeric: 'tabular-nums',
                  color: '#9DB5B0',
                  lineHeight: '22px',
                }}
              >
                {at}
              </Typography>
              <Box component="span" aria-hidden sx={{ position: 'relative' }}>
                <Box
                  sx={{
                    position: 'absolute',
                    left: '8px',
                    top: '6px',
                    width: 9,
                    height: 9,
                    borderRadius: '50%',
                    border: '1px solid #2DD4BF',
                    bgcolor: index === 2 ? '#2DD4BF' : '#14544C',
                  }}
                />
                {index < 2 && (
                  <Box
                    sx={{
                      position: 'absolute',
                      left: '12px',
                      top: '19px',
                      bottom: '-20px',
                      width: '1px',
                      bgcolor: '#1E5049',
                    }}
                  />
                )}
              </Box>
              <Box>
                <Typography sx={{ fontSize: 15, lineHeight: '22px', fontWeight: 550 }}>{what}</Typography>
                <Typography variant="body2" sx={{ color: '#A9BFBA', mt: '2px' }}>
                  {more}
                </Typography>
              </Box>
            </Box>
          ))}
        </Box>
      </Box>
    </Box>
  );
}
