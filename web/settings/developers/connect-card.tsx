import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { BookOpenText, Bot, type LucideIcon, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';

/** Ways to use a key. */
export function ConnectCard() {
  const address = `${globalThis.location.origin}/mcp`;
  return (
    <Card title="Use a key">
      <Box component="ul" sx={{ listStyle: 'none', p: 0 }}>
        <Row icon={BookOpenText} title="Your own program">
          Every call with its fields, with examples in curl and TypeScript to try out:{' '}
          <Link href="/api/docs">API reference</Link>.
        </Row>
        <Row icon={Zap} title="Zapier">
          Connect Muster with other apps without programming: <Link href="/zapier">Set up Zapier</Link>.
        </Row>
        <Row icon={Bot} title="AI assistants">
          An assistant that speaks MCP can find contacts, read results and prepare broadcasts. It never sends:
          it gives you a link to the draft. Its address is{' '}
          <Box
            component="code"
            sx={{ fontFamily: 'ui-monospace, monospace', fontSize: 13, overflowWrap: 'anywhere' }}
          >
            {address}
          </Box>
          , with a key as the bearer token.
        </Row>
      </Box>
    </Card>
  );
}

function Row({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        gap: 1.5,
        px: 2.5,
        py: 1.5,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box
        component={Icon}
        size={18}
        strokeWidth={1.75}
        aria-hidden
        sx={{ mt: '2px', color: 'ink.two', flex: 'none' }}
      />
      <Box sx={{ minWidth: 0 }}>
        <Typography sx={{ fontWeight: 550 }}>{title}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary', maxWidth: 720 }}>
          {children}
        </Typography>
      </Box>
    </Box>
  );
}
