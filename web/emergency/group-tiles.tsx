import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { Emergency } from '../../contract/emergencies.ts';
import { countOf } from '../ui/format.ts';
import { Tile, Tiles } from './tile.tsx';

interface GroupTilesProps {
  lists: Emergency['Lists'];
  listIds: readonly number[];
  onChange: (listIds: number[]) => void;
}

/** Who should know: the prepared groups, the first of them chosen already. */
export function GroupTiles({ lists, listIds, onChange }: GroupTilesProps) {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id} sx={{ display: 'grid', gap: 1.25 }}>
      <Typography variant="h2" id={id}>
        Who should know?
      </Typography>
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
