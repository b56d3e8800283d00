import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useNavigate } from '@tanstack/react-router';
import { Mic, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { getAudioSummary } from '../../contract/addresses/audio.gen.ts';
import { type AudioType, audioTypes } from '../../contract/audio.ts';
import { audioTypeNames } from '../pieces/audio/audio-words.ts';
import { useStopOnLeave } from '../pieces/audio/player.ts';
import { LibraryFrame } from '../pieces/library/library-frame.tsx';
import { useCallQuery } from '../queries/calls.ts';
import { readListSearch } from '../queries/list-search.ts';
import { useListState } from '../queries/list-state.ts';
import { Choice } from '../ui/choices.tsx';
import { useKeys } from '../ui/keys.tsx';
import { say } from '../ui/say.ts';
import { SearchField } from '../ui/search-field.tsx';
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
    <>
      <LibraryFrame
        kind="audio"
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
        rowsName={say('Recordings')}
        rowsId="audio-rows"
        views={viewNames.map((name) => ({ name, label: audioViews[name].label, count: counts[name] }))}
        view={view}
        onView={(next) =>
          void navigate({
            to: '/message-library/audio/{-$view}',
            params: { view: next === 'all' ? undefined : next },
            search: readListSearch({ q: state.q, filter: state.filter, sort: state.sort }),
          })
        }
        tools={
          <>
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
          </>
        }
      >
        <AudioList view={view} state={state} onChange={change} onRecord={() => setOpened('record')} />
      </LibraryFrame>
      <UploadDialog isOpen={opened === 'upload'} onClose={close} />
      <NewRecordingDialog isOpen={opened === 'record'} onClose={close} onUpload={() => setOpened('upload')} />
    </>
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
