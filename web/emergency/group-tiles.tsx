import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { Emergency } from '../../contract/emergencies.ts';
import { useCan } from '../queries/current-user.ts';
import { countOf } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Tile, Tiles } from './tile.tsx';

interface GroupTilesProps {
  lists: Emergency['Lists'];
  /** Number of prepared groups that are gone. */
  deleted: number;
  listIds: readonly number[];
  onChange: (listIds: number[]) => void;
}

/** Chooses among the prepared groups; the first is chosen already unless it was deleted. */
export function GroupTiles({ lists, deleted, listIds, onChange }: GroupTilesProps) {
  const id = useId();
  const canPrepare = useCan('editAccountSettings');
  return (
    <Box component="section" aria-labelledby={id} sx={{ display: 'grid', gap: 1.25 }}>
      <Typography variant="h2" id={id}>
        Who should know?
      </Typography>
      {deleted > 0 && (
        <Notice kind="warning">
          {countOf(deleted, 'prepared group was', 'prepared groups were')} deleted. Check who should know.{' '}
          {canPrepare
            ? 'Prepare the groups again afterwards.'
            : 'Ask an owner or admin to prepare the groups again.'}
        </Notice>
      )}
      <Tiles role="group" aria-labelledby={id}>
        {lists.map(({ ListID, ListName, Count }) => {
          const isChosen = listIds.includes(ListID);
          return (
            <Tile
              key={ListID}
              role="checkbox"
              title={ListName}
              note={countOf(Count, 'person', 'people')}
              isChosen={isChosen}
              onPress={() =>
                onChange(isChosen ? listIds.filter((one) => one !== ListID) : [...listIds, ListID])
              }
            />
          );
        })}
      </Tiles>
    </Box>
  );
}
