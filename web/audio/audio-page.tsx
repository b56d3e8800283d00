import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useNavigate } from '@tanstack/react-router';
import { Mic, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { getAudioSummary } from '../../contract/addresses/audio.gen.ts';
import { type AudioType, audioTypes } from '../../contract/audio.ts';
import { audioTypeNames } from '../pieces/audio/audio-words.ts';
import { useStopOnLeave } from '../pieces/audio/player.ts';
import { useCallQuery } from '../queries/calls.ts';
import { readListSearch } from '../queries/list-search.ts';
import { useListState } from '../queries/list-state.ts';
import { Choice } from '../ui/choices.tsx';
import { useKeys } from '../ui/keys.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { TabWords } from '../ui/tab-words.tsx';
import { AudioList } from './audio-list.tsx';
import { type AudioView, audioViews, readType, viewNames } from './audio-view.ts';
import { NewRecordingDialog } from './new-recording-dialog.tsx';
import { UploadDialog } from './upload-dialog.tsx';

type Opened = 'upload' | 'record' | undefined;

/** The audio library: messages for voice calls. */
export function AudioPage({ view }: { view: AudioView }) {
  useStopOnLeave();
  const navigate = useNavigate();
  const { state, change } = useListState({ defaults: { pagesize: 25 }, remember: 'audio' });
  const { data: summary } = useCallQuery(getAudioSummary, {});
  const searchRef = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<Opened>();
  useKeys({ '/': () => searchRef.current?.focus() });
  const counts: Record<AudioView, number | undefined> = {
    all: summary?.All,
    starred: summary?.Favorited,
    shared: summary?.Shared,
    'never-used': summary?.Unused,
  };
  const type = readType(state.filter);
  const close = () => setOpened(undefined);
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
      <PageHead
        title="Message library"
        tabTitle="Audio · Message library"
        sentence="Messages for voice calls. Record one, upload a file, or type it and have a voice read it."
        actions={
          <>
            <Button startIcon={<Upload aria-hidden />} onClick={() => setOpened('upload')}>
              Upload
            </Button>
            <Button
              variant="contained"
              color="primary"
              startIcon={<Mic aria-hidden />}
              onClick={() => setOpened('record')}
            >
              New recording
            </Button>
          </>
        }
      />
      <Box
        component="section"
        aria-label="Recordings"
        sx={{
          flex: 1,
          minHeight: 0,
          display: 'flex',
          flexDirection: 'column',
          mx: { xs: 0, sm: 3, laptop: 4 },
          mb: { xs: 0, sm: 3, laptop: 4 },
          bgcolor: 'background.paper',
          border: { xs: 0, sm: '1px solid' },
          borderTop: '1px solid',
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
            onChange={(_, next: AudioView) =>
              void navigate({
                to: '/message-library/audio/{-$view}',
                params: { view: next === 'all' ? undefined : next },
                search: readListSearch({ q: state.q, filter: state.filter, sort: state.sort }),
              })
            }
            aria-label="Which recordings"
            sx={{
              flex: '1 1 auto',
              minWidth: 0,
              maxWidth: '100%',
              minHeight: 48,
              px: '10px',
              '& .MuiTab-root': { minHeight: 48 },
            }}
          >
            {viewNames.map((name) => (
              <Tab
                key={name}
                value={name}
                aria-controls="audio-rows"
                label={<TabWords name={audioViews[name].label} count={counts[name]} showsNone />}
              />
            ))}
          </Tabs>
          <Box sx={{ display: 'flex', gap: 1, px: 1.5, py: 1, flex: { xs: '1 1 100%', laptop: 'none' } }}>
            <TypeFilter type={type} onChange={(filter) => change({ filter })} />
            <SearchField
              q={state.q}
              placeholder="Search"
              label="Search recordings by name"
              inputRef={searchRef}
              onSearch={(q) => change({ q }, { replace: true })}
              sx={{
                width: { laptop: 190 },
                flex: { xs: 1, laptop: 'none' },
                '& .MuiOutlinedInput-root': { height: 32, minHeight: 32 },
              }}
            />
          </Box>
        </Box>
        <AudioList view={view} state={state} onChange={change} onRecord={() => setOpened('record')} />
      </Box>
      <UploadDialog isOpen={opened === 'upload'} onClose={close} />
      <NewRecordingDialog isOpen={opened === 'record'} onClose={close} onUpload={() => setOpened('upload')} />
    </Box>
  );
}

interface TypeFilterProps {
  type: AudioType | undefined;
  onChange: (filter: string) => void;
}

function TypeFilter({ type, onChange }: TypeFilterProps) {
  return (
    <Box
      sx={{
        width: { laptop: 190 },
        flex: { xs: 1, laptop: 'none' },
        minWidth: 0,
        '& .MuiOutlinedInput-root': { height: 32, minHeight: 32 },
      }}
    >
      <Choice
        label="Type"
        value={type ?? ''}
        choices={[
          { value: '', label: 'All types' },
          ...audioTypes.map((each) => ({ value: each, label: audioTypeNames[each] })),
        ]}
        onChange={onChange}
      />
    </Box>
  );
}
