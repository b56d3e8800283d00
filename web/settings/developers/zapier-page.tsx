import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { type Scope, scopeChoice } from '../../../contract/scopes.ts';
import { Example } from '../../reference/example.tsx';
import { Card } from '../../ui/card.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { RouterButton } from '../../ui/router-button.tsx';

const PAGE_WIDTH = 880;

interface Part {
  name: string;
  about: string;
  needs: readonly Scope[];
}

const hook = 'webhooks:write' as const;

const triggers: readonly Part[] = [
  { name: 'New text', about: 'Somebody texts you.', needs: [hook, 'conversations:read'] },
  { name: 'Text failed', about: 'A text couldn’t be delivered.', needs: [hook, 'conversations:read'] },
  { name: 'New contact', about: 'A contact is added.', needs: [hook, 'contacts:read'] },
  { name: 'New contact in a group', about: 'Checked every few minutes.', needs: ['contacts:read'] },
  { name: 'New opt-out', about: 'A phone opts out of texts or calls.', needs: [hook, 'consent:read'] },
  { name: 'New broadcast', about: 'Checked every few minutes.', needs: ['broadcasts:read'] },
  { name: 'Broadcast finished', about: 'A broadcast is finished.', needs: [hook, 'broadcasts:read'] },
  {
    name: 'Link opened',
    about: 'Somebody opens a link for the first time.',
    needs: [hook, 'broadcasts:read'],
  },
];

const actions: readonly Part[] = [
  {
    name: 'Send a text',
    about: 'To one phone, as a conversation.',
    needs: ['conversations:send', 'numbers:read'],
  },
  {
    name: 'Start a broadcast from a saved text',
    about: 'To everybody in a group who can be texted.',
    needs: ['broadcasts:send', 'contacts:read', 'library:read', 'numbers:read'],
  },
  { name: 'Add a contact', about: 'To your contacts and a group.', needs: ['contacts:write'] },
  { name: 'Add a contact to a group', about: 'Somebody whom you have found.', needs: ['contacts:write'] },
  { name: 'Find a contact', about: 'By name, phone or custom field.', needs: ['contacts:read'] },
];

/** Connection of Muster with Zapier, and what a Zap can do with it. */
export function ZapierPage() {
  return (
    <>
      <PageHead
        title="Zapier"
        maxWidth={PAGE_WIDTH}
        crumb={<Link href="/settings/developers">Developers</Link>}
        sentence="Connect Muster with thousands of other apps, without programming."
        actions={
          <RouterButton to="/settings/developers" variant="contained" color="primary">
            Create a key
          </RouterButton>
        }
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2.5, maxWidth: PAGE_WIDTH }}>
        <Card title="Set it up">
          <Box component="ol" sx={{ m: 0, pl: 5, pr: 2.5, py: 2, display: 'grid', gap: 1.5 }}>
            <Step>
              Create an API key under <Link href="/settings/developers">Developers</Link>, with what your Zaps
              need from the lists below.
            </Step>
            <Step>
              Upload Muster’s app to your Zapier account. It comes with Muster’s source, in the folder{' '}
              <Box component="code" sx={{ fontFamily: 'ui-monospace, monospace', fontSize: 13 }}>
                docs/zapier
              </Box>
              , with instructions. Whoever runs your installation can do this.
            </Step>
            <Step>
              Connect it with your key and this address. Zapier has to be able to reach it over the internet.
              <Box sx={{ mt: 1, maxWidth: 420 }}>
                <Example label="Address of your Muster" text={globalThis.location.origin} />
              </Box>
            </Step>
          </Box>
        </Card>
        <Parts title="A Zap can start with" parts={triggers} />
        <Parts title="A Zap can do" parts={actions} />
      </Box>
    </>
  );
}

function Step({ children }: { children: ReactNode }) {
  return <li>{children}</li>;
}

function Parts({ title, parts }: { title: string; parts: readonly Part[] }) {
  return (
    <Card title={title}>
      <Box component="ul" sx={{ listStyle: 'none', p: 0 }}>
        {parts.map(({ name, about, needs }) => (
          <Box
            component="li"
            key={name}
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              columnGap: 2,
              rowGap: 0.75,
              px: 2.5,
              py: 1.25,
              borderTop: '1px solid',
              borderColor: 'line.hair',
              '&:first-of-type': { borderTop: 0 },
            }}
          >
            <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
              <Typography sx={{ fontWeight: 550 }}>{name}</Typography>
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {about}
              </Typography>
            </Box>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '6px' }}>
              {needs.map((scope) => (
                <Chip key={scope} label={scopeChoice(scope)} />
              ))}
            </Box>
          </Box>
        ))}
      </Box>
    </Card>
  );
}
