import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import type { ReactNode } from 'react';
import { getAudioSummary } from '../../../contract/addresses/audio.gen.ts';
import { getTemplateSummary } from '../../../contract/addresses/templates.gen.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { LinkTabs } from '../../ui/link-tabs.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { say } from '../../ui/say.ts';
import { TabWords } from '../../ui/tab-words.tsx';

interface LibraryFrameProps<View extends string> {
  kind: 'audio' | 'text';
  sentence: string;
  /** At the right of the head, the primary action last. */
  actions: ReactNode;
  /** The name of its rows: "Recordings". */
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
        tabTitle={kind === 'audio' ? 'Audio · Message library' : 'Text · Message library'}
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

function Halves({ kind }: { kind: 'audio' | 'text' }) {
  const { data: audio } = useCallQuery(getAudioSummary, {});
  const { data: texts } = useCallQuery(getTemplateSummary, {});
  return (
    <LinkTabs
      label="Message library"
      tabs={[
        {
          to: '/message-library/audio/{-$view}',
          label: 'Audio',
          count: audio?.All,
          isCurrent: kind === 'audio',
        },
        {
          to: '/message-library/text/{-$view}',
          label: say('Text', 'several'),
          count: texts?.All,
          isCurrent: kind === 'text',
        },
      ]}
    />
  );
}
