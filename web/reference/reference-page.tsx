import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { SearchX } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';
import { countOf } from '../ui/format.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { CallArticle } from './call-article.tsx';
import { type ReferenceGroup, searchReference } from './read-reference.ts';
import { ReferenceBar } from './reference-bar.tsx';
import { ReferenceNav } from './reference-nav.tsx';
import { useCallInView } from './use-call-in-view.ts';

interface ReferencePageProps {
  about: string;
  groups: ReferenceGroup[];
  /** The search in the address. */
  asked: string;
  onAsk: (query: string) => void;
}

/** Every call of the product, from its own description. Needs no session. */
export function ReferencePage({ about, groups, asked, onAsk }: ReferencePageProps) {
  usePageTitle('API reference');
  const [query, setQuery] = useState(asked);
  const searched = useDeferredValue(query);
  const found = useMemo(() => searchReference(groups, searched), [groups, searched]);
  const hasRoom = useMediaQuery((theme) => theme.breakpoints.up('laptop'), { noSsr: true });
  const [isListOpen, setListOpen] = useState(false);
  const current = useCallInView(found);
  const total = groups.reduce((sum, { calls }) => sum + calls.length, 0);
  const shown = found.reduce((sum, { calls }) => sum + calls.length, 0);

  // The page is drawn after the description has come: only now is there something to go to.
  useEffect(() => {
    const id = decodeURIComponent(globalThis.location.hash.slice(1));
    if (id) document.getElementById(id)?.scrollIntoView();
  }, []);

  const search = (next: string) => {
    setQuery(next);
    onAsk(next);
    // Results start at the top of the page, wherever the user was reading.
    globalThis.scrollTo({ top: 0 });
  };

  return (
    <Box sx={{ flex: 1, bgcolor: 'background.paper' }}>
      <ReferenceBar
        query={query}
        onQuery={search}
        {...(hasRoom ? {} : { onOpenList: () => setListOpen(true) })}
      />
      <Box sx={{ display: 'flex', alignItems: 'flex-start' }}>
        {hasRoom && (
          <Box
            sx={{
              width: 272,
              flex: 'none',
              position: 'sticky',
              top: 56,
              height: 'calc(100dvh - 56px)',
              overflow: 'auto',
              bgcolor: 'surface.nav',
              borderRight: '1px solid',
              borderColor: 'line.hair',
            }}
          >
            <ReferenceNav groups={found} current={current} />
          </Box>
        )}
        <Drawer
          open={!hasRoom && isListOpen}
          onClose={() => setListOpen(false)}
          slotProps={{ paper: { sx: { width: 300, maxWidth: '85vw' } } }}
        >
          <ReferenceNav groups={found} current={current} onGo={() => setListOpen(false)} />
        </Drawer>
        <Box
          component="main"
          id="content"
          sx={{ flex: 1, minWidth: 0, px: { xs: 2, sm: 3, laptop: 5 }, py: 4, maxWidth: 1160 }}
        >
          <Typography variant="h1">API reference</Typography>
          <Typography sx={{ mt: 1, mb: 1, maxWidth: 680, color: 'text.secondary' }}>{about}</Typography>
          <Typography variant="body2" role="status" sx={{ color: 'ink.three' }}>
            {searched.trim() === ''
              ? countOf(total, 'call', 'calls')
              : `${shown} of ${countOf(total, 'call', 'calls')}`}
          </Typography>
          {found.length === 0 && (
            <EmptyState icon={SearchX} title="No matching calls">
              Try part of a path, a field name, or a word from the description.
            </EmptyState>
          )}
          {found.map(({ name, label, calls }) => (
            <Box component="section" key={name} aria-labelledby={`group-${name}`} sx={{ mt: 4 }}>
              <Typography variant="h2" id={`group-${name}`} sx={{ fontSize: 18, mb: 2 }}>
                {label}
              </Typography>
              {calls.map((call) => (
                <CallArticle key={call.id} call={call} />
              ))}
            </Box>
          ))}
        </Box>
      </Box>
    </Box>
  );
}
