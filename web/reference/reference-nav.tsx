import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { MethodPill } from './method-pill.tsx';
import type { ReferenceGroup } from './read-reference.ts';

/** Every call by domain; the one being read is marked. */
export function ReferenceNav({
  groups,
  current,
  onGo,
}: {
  groups: ReferenceGroup[];
  current: string;
  onGo?: () => void;
}) {
  return (
    <Box component="nav" aria-label="Calls" sx={{ px: 1.5, py: 2 }}>
      {groups.map(({ name, label, calls }) => (
        <Box key={name} sx={{ mb: 2 }}>
          <Typography
            variant="caption"
            component="p"
            sx={{ px: 1, mb: 0.5, fontWeight: 500, color: 'ink.three' }}
          >
            {label}
          </Typography>
          <Box component="ul" sx={{ listStyle: 'none', p: 0 }}>
            {calls.map((call) => (
              <li key={call.id}>
                <Box
                  component="a"
                  href={`#${call.id}`}
                  aria-current={current === call.id ? 'location' : undefined}
                  title={call.path}
                  onClick={onGo}
                  sx={{
                    display: 'flex',
                    alignItems: 'center',
                    gap: 1,
                    minHeight: 30,
                    px: 1,
                    borderRadius: '8px',
                    typography: 'body2',
                    textDecoration: 'none',
                    color: 'text.secondary',
                    '&:hover': { bgcolor: 'surface.hover' },
                    '&[aria-current]': { bgcolor: 'surface.press', color: 'text.primary', fontWeight: 550 },
                    '&:focus-visible': { outlineOffset: '-2px' },
                  }}
                >
                  <MethodPill method={call.method} isSmall />
                  <Box
                    component="span"
                    sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
                  >
                    {wordsOf(call.id)}
                  </Box>
                </Box>
              </li>
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

/** "listTextMessages" → "List text messages". */
function wordsOf(id: string): string {
  const words = id.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
