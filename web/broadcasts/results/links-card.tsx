import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { BroadcastLink } from '../../../contract/broadcasts.ts';
import { Card } from '../../ui/card.tsx';
import { countOf, formatCount } from '../../ui/format.ts';

/** Says who opened the links of a broadcast. */
export function LinksCard({ links }: { links: readonly BroadcastLink[] }) {
  if (links.length === 0) return null;
  return (
    <Card title="Links">
      <Box component="ul" aria-label="Links" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {links.map(({ Url, PeopleCount, ClickCount }) => (
          <Box
            component="li"
            key={Url}
            sx={{
              display: 'flex',
              gap: 2,
              alignItems: 'baseline',
              px: 2.5,
              py: 1.5,
              borderTop: '1px solid',
              borderColor: 'line.hair',
              '&:first-of-type': { borderTop: 0 },
            }}
          >
            <Typography sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{Url}</Typography>
            <Box sx={{ textAlign: 'right', fontVariantNumeric: 'tabular-nums', flex: 'none' }}>
              <Typography sx={{ fontWeight: 550 }}>
                {PeopleCount === 0
                  ? 'Nobody opened it yet'
                  : countOf(PeopleCount, 'person opened it', 'people opened it')}
              </Typography>
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {formatCount(ClickCount)} {ClickCount === 1 ? 'click' : 'clicks'}
              </Typography>
            </Box>
          </Box>
        ))}
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary', px: 2.5, pb: 2 }}>
        Automatic previews by phones and carriers aren’t counted.
      </Typography>
    </Card>
  );
}
