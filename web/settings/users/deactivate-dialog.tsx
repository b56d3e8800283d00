import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { listScheduledOfUsers } from '../../../contract/addresses/accounts.gen.ts';
import type { SelectionOfIds } from '../../../contract/selection.ts';
import { callApi } from '../../api.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { countOf, formatAbsolute } from '../../ui/format.ts';
import { said } from '../../ui/said.ts';
import type { userQuery } from './user-view.ts';

export interface Leaving {
  selection: SelectionOfIds;
  count: number;
  /** The name, if it is one person. */
  name?: string;
}

interface DeactivateDialogProps {
  leaving: Leaving;
  query: ReturnType<typeof userQuery>;
  isBusy: boolean;
  onDo: () => void;
  onClose: () => void;
}

/** Number of lines that fit before the rest is only counted. */
const SHOWN = 5;

/** Asks before somebody is deactivated, and shows what they had scheduled. */
export function DeactivateDialog({ leaving, query, isBusy, onDo, onClose }: DeactivateDialogProps) {
  const zone = useTimeZone();
  const { data, isPending, isError } = useQuery({
    queryKey: [listScheduledOfUsers.path, leaving.selection, query],
    queryFn: ({ signal }) =>
      callApi(
        listScheduledOfUsers,
        { query, body: { Selection: leaving.selection } },
        { signal, missing: 'refuse' },
      ),
  });
  const isOne = leaving.count === 1;
  const who = leaving.name ?? countOf(leaving.count, 'user', 'users');
  const stopped = data?.Items.filter(({ StillSends }) => !StillSends) ?? [];
  const going = data?.Items.filter(({ StillSends }) => StillSends) ?? [];
  const groups = [
    { title: 'These won’t go out any more:', items: stopped },
    { title: 'These still go out, unless you cancel them:', items: going },
  ].filter(({ items }) => items.length > 0);
  return (
    <AskDialog
      title={`Deactivate ${who}?`}
      action="Deactivate"
      keep={isOne ? 'Keep active' : 'Keep them active'}
      isBusy={isBusy || isPending}
      onDo={onDo}
      onClose={onClose}
    >
      <p style={{ marginTop: 0 }}>
        They are signed out at once and can’t sign in until you activate them again. Their conversations,
        broadcasts and contacts stay.
      </p>
      {groups.map(({ title, items }) => (
        <Box key={title}>
          <Box component="strong" sx={{ color: 'text.primary', fontWeight: 550 }}>
            {title}
          </Box>
          <Box component="ul" sx={{ pl: 2.5, mt: 0.5, mb: 1.5 }}>
            {items.slice(0, SHOWN).map((item) => (
              <li key={`${item.UserID} ${item.Kind} ${item.Title} ${item.StartTimestamp}`}>
                {said(item.Kind)}: {item.Title}
                {item.StartTimestamp && `, ${formatAbsolute(item.StartTimestamp, zone)}`}
                {!isOne && ` (${item.Name})`}
              </li>
            ))}
            {items.length > SHOWN && <li>and {items.length - SHOWN} more</li>}
          </Box>
        </Box>
      ))}
      {isError && (
        <p style={{ marginBottom: 0 }}>
          We couldn’t load what is scheduled in their name. Look at the scheduled texts and broadcasts
          afterwards.
        </p>
      )}
      {data && groups.length === 0 && <p style={{ marginBottom: 0 }}>Nothing is scheduled in their name.</p>}
    </AskDialog>
  );
}
