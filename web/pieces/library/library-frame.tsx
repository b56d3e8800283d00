import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { getAudioSummary } from '../../../contract/addresses/audio.gen.ts';
import { getTemplateSummary } from '../../../contract/addresses/templates.gen.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { TabWords } from '../../ui/tab-words.tsx';

interface LibraryFrameProps<View extends string> {
  kind: 'audio' | 'text';
  sentence: string;
  /** At the right of the head, the primary action last. */
  actions: ReactNode;
  /** What its rows are called: "Recordings". */
  rowsName: string;
  /** The element that the tabs control. */
  rowsId: string;
  views: readonly { name: View; label: string; count: number | undefined }[];
  view: View;
  onView: (view: View) => void;
  /** Filters and the search, beside the tabs. */
  tools: ReactNode;
  children: ReactNode;
}

/** The message library around its two halves: head, Audio and Text, views, and the rows below them. */
export function LibraryFrame<View extends string>(props: LibraryFrameProps<View>) {
  const { kind, sentence, actions, rowsName, rowsId, views, view, onView, tools, children } = props;
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
      <PageHead
        title="Message library"
        tabTitle={`${kind === 'audio' ? 'Audio' : 'Text'} · Message library`}
        sentence={sentence}
        actions={actions}
      />
      <Halves kind={kind} />
      <Box
        component="section"
        aria-label={rowsName}
        sx={{
          flex: 1,
          minHeight: 0,
          display: 'flex',
          flexDirection: 'column',
          mx: { xs: 0, sm: 3, laptop: 4 },
          mt: { xs: 0, sm: 2.5 },
          mb: { xs: 0, sm: 3, laptop: 4 },
          bgcolor: 'background.paper',
          border: { xs: 0, sm: '1px solid' },
          borderColor: { xs: 'line.hair', sm: 'line.hair' },
          borderRadius: { xs: 0, sm: '10px' },
          overflow: 'hidden',
        }}
      >
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            flex: 'none',
            borderBottom: '1px solid',
            borderColor: 'line.hair',
          }}
        >
          <Tabs
            value={view}
            onChange={(_, next: View) => onView(next)}
            aria-label={`Which ${rowsName.toLowerCase()}`}
            sx={{
              flex: '1 1 auto',
              minWidth: 0,
              maxWidth: '100%',
              minHeight: 48,
              px: '10px',
              '& .MuiTab-root': { minHeight: 48 },
            }}
          >
            {views.map(({ name, label, count }) => (
              <Tab
                key={name}
                value={name}
                aria-controls={rowsId}
                label={<TabWords name={label} count={count} showsNone />}
              />
            ))}
          </Tabs>
          <Box sx={{ display: 'flex', gap: 1, px: 1.5, py: 1, flex: { xs: '1 1 100%', laptop: 'none' } }}>
            {tools}
          </Box>
        </Box>
        {children}
      </Box>
    </Box>
  );
}

/** Links, not tabs of one page: each half has its own address. */
function Halves({ kind }: { kind: 'audio' | 'text' }) {
  const { data: audio } = useCallQuery(getAudioSummary, {});
  const { data: texts } = useCallQuery(getTemplateSummary, {});
  const halves = [
    { name: 'audio', label: 'Audio', count: audio?.All, to: '/message-library/audio/{-$view}' },
    { name: 'text', label: 'Text', count: texts?.All, to: '/message-library/text/{-$view}' },
  ] as const;
  return (
    <Box
      component="nav"
      aria-label="Message library"
      sx={{
        display: 'flex',
        gap: 1,
        flex: 'none',
        px: { xs: 1, sm: '18px', laptop: '26px' },
        borderBottom: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      {halves.map(({ name, label, count, to }) => (
        <Box
          key={name}
          component={Link}
          to={to}
          aria-current={name === kind ? 'page' : undefined}
          className={name === kind ? 'Mui-selected' : ''}
          sx={{
            display: 'inline-flex',
            alignItems: 'center',
            minHeight: 40,
            px: '10px',
            mb: '-1px',
            borderBottom: '2px solid transparent',
            textDecoration: 'none',
            color: 'text.secondary',
            fontWeight: 500,
            '&:hover': { color: 'text.primary' },
            '&.Mui-selected': { color: 'text.primary', borderColor: 'primary.main', fontWeight: 600 },
          }}
        >
          <TabWords name={label} count={count} showsNone />
        </Box>
      ))}
    </Box>
  );
}
