import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import LinearProgress from '@mui/material/LinearProgress';
import { useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { getWork, listWork, undoContacts } from '../../../contract/addresses/contacts.gen.ts';
import { isNotFound } from '../../api.ts';
import { useTimeLeft } from '../../pieces/work/use-time-left.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useUndo } from '../../queries/undo.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { freshenContacts } from './contacts-queries.ts';

/** The socket reports the progress; this polling only covers a lost notice. */
const LOOK_EVERY_MS = 5_000;

/** Changes of many rows in progress: those started here, and those found on coming back to the page. */
export function WorkStrip() {
  const underWay = useCallQuery(listWork, {});
  const [watched, setWatched] = useState<readonly number[]>([]);
  const found = (underWay.data?.Items ?? [])
    .filter(({ Kind }) => !/^(conversations|draft)\b/.test(Kind))
    .map(({ WorkID }) => WorkID);
  const unseen = found.filter((id) => !watched.includes(id));
  if (unseen.length > 0) setWatched([...watched, ...unseen]);
  const forget = (id: number) => setWatched((before) => before.filter((one) => one !== id));
  return (
    <Box role="region" aria-label="Work in progress" sx={{ display: watched.length > 0 ? 'block' : 'none' }}>
      {watched.map((id) => (
        <WorkLine key={id} workId={id} onEnd={() => forget(id)} />
      ))}
    </Box>
  );
}

function WorkLine({ workId, onEnd }: { workId: number; onEnd: () => void }) {
  const client = useQueryClient();
  const offerUndo = useUndo();
  const { data: work, error } = useCallQuery(
    getWork,
    { params: { WorkID: workId } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const left = useTimeLeft(work);
  const id = useId();
  const ended = useRef(false);
  const isGone = isNotFound(error);
  useEffect(() => {
    if (ended.current || !(isGone || work?.Status === 'Complete')) return;
    ended.current = true;
    freshenContacts(client);
    if (work)
      offerUndo({
        message: `${countOf(work.Done, 'person was', 'people were')} updated.`,
        undo: undoContacts,
        undoId: work.UndoID,
        thing: 'contacts',
        onUndone: freshenContacts,
      });
    onEnd();
  }, [work, isGone, client, offerUndo, onEnd]);
  if (!work || work.Status === 'Complete') return null;
  if (work.Status === 'Error') {
    return (
      <Notice
        kind="error"
        isBand
        actions={
          <IconButton size="small" aria-label="Close" onClick={onEnd}>
            <X />
          </IconButton>
        }
      >
        {work.ErrorMessage || 'There was an error updating your contacts.'}
      </Notice>
    );
  }
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        minHeight: 40,
        px: 2,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        typography: 'body2',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      <Box id={id} sx={{ flex: 'none' }}>
        {formatCount(work.Done)} of {countOf(work.Total, 'person', 'people')}
      </Box>
      <LinearProgress
        variant="determinate"
        aria-labelledby={id}
        value={work.Total > 0 ? Math.min(100, (100 * work.Done) / work.Total) : 0}
        sx={{ flex: 1, height: 6 }}
      />
      <Box sx={{ flex: 'none', color: 'text.secondary' }}>{left}</Box>
    </Box>
  );
}
