import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { AudioLines, SearchX } from 'lucide-react';
import { useState } from 'react';
import { listAudio } from '../../../contract/addresses/audio.gen.ts';
import type { Audio } from '../../../contract/audio.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { DialogHead } from '../../ui/dialog-parts.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Pager } from '../../ui/pager.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { PlayButton } from './audio-player.tsx';
import { audioTypeNames, formatLength } from './audio-words.ts';
import { usePlayer, useStopOnLeave } from './player.ts';

const PAGE_SIZE = 10;

interface AudioPickerProps {
  isOpen: boolean;
  onClose: () => void;
  onPick: (audio: Audio) => void;
}

/** The audio library as a dialog from which one message is chosen. */
export function AudioPicker({ isOpen, onClose, onPick }: AudioPickerProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={640} isFullOnPhone>
      <DialogHead title="Choose a recording" onClose={onClose} />
      <PickerBody onPick={onPick} />
    </FormDialog>
  );
}

function PickerBody({ onPick }: Pick<AudioPickerProps, 'onPick'>) {
  useStopOnLeave();
  const [q, setQ] = useState('');
  const [page, setPage] = useState(1);
  const { data, isError, refetch } = useCallQuery(
    listAudio,
    { query: { q, page, pagesize: PAGE_SIZE, sort: 'used' } },
    { keepPrevious: true },
  );
  return (
    <>
      <Box sx={{ px: { xs: 2, sm: 4 }, py: 2 }}>
        <SearchField
          q={q}
          onSearch={(next) => {
            setQ(next);
            setPage(1);
          }}
          placeholder="Search recordings"
        />
      </Box>
      <Box sx={{ minHeight: 320, maxHeight: { sm: '60dvh' }, overflowY: 'auto', flex: 1 }}>
        {isError && !data && (
          <Box sx={{ p: 2.5 }}>
            <RetryNotice onRetry={() => void refetch()}>
              There was an error getting your recordings.
            </RetryNotice>
          </Box>
        )}
        {!data && !isError && <SkeletonRows rows={5} rowHeight={56} label="Loading recordings" />}
        {data?.Items.length === 0 &&
          (q === '' ? (
            <EmptyState icon={AudioLines} title="No recordings yet">
              Recordings you make or upload are saved here.
            </EmptyState>
          ) : (
            <EmptyState icon={SearchX} title="No matches" />
          ))}
        <Box component="ul" aria-label="Recordings" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {data?.Items.map((audio) => (
            <PickerRow key={audio.AudioID} audio={audio} onPick={() => onPick(audio)} />
          ))}
        </Box>
      </Box>
      {data && <Pager page={page} pageSize={PAGE_SIZE} size={data.Size} onPage={setPage} />}
    </>
  );
}

function PickerRow({ audio, onPick }: { audio: Audio; onPick: () => void }) {
  const player = usePlayer(`audio-${audio.AudioID}`, audio.PlayUri);
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        minHeight: 56,
        px: { xs: 2, sm: 4 },
        borderTop: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <PlayButton name={audio.Name} isPlaying={player.isPlaying} onToggle={player.toggle} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 520, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
          {audio.Name}
        </Box>
        <Box sx={{ typography: 'body2', color: audio.Problem ? 'warning.main' : 'text.secondary' }}>
          {formatLength(audio.Length)} · {audio.Problem ? 'Over 2 minutes' : audioTypeNames[audio.AudioType]}
        </Box>
      </Box>
      {audio.Shared && <Chip label="Shared" sx={{ flex: 'none' }} />}
      <Button
        size="small"
        aria-label={`Use ${audio.Name}`}
        disabled={audio.Problem !== null}
        title={audio.Problem ?? ''}
        onClick={onPick}
      >
        Use
      </Button>
    </Box>
  );
}
