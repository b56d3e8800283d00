import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { useRef } from 'react';
import { formatCount } from '../../ui/format.ts';
import { RouterLink } from '../../ui/router-link.tsx';
import type { InboxSearch } from '../inbox-address.ts';
import type { useDoneToday } from '../inbox-queries.ts';
import { searchOfView } from '../inbox-view.ts';
import { useUnsent } from '../thread/stores.ts';
import { ConversationRow } from './conversation-row.tsx';
import { useRowLinks } from './row-link.ts';
import { ROW_HEIGHT, RowList } from './row-styles.ts';

export const BAND_HEIGHT = { xs: 44, sm: 34 };
/** The server stops counting here. */
const MOST_COUNTED = 1000;

interface DoneTodayProps {
  done: NonNullable<ReturnType<typeof useDoneToday>>;
  search: InboxSearch;
  openId: number | undefined;
}

/** Conversations the team finished today, below the open ones. The header stays visible and scrolls down to them. */
export function DoneToday({ done: { Items, Size }, search, openId }: DoneTodayProps) {
  const { hrefOf, handlers } = useRowLinks(search);
  const unsent = useUnsent();
  const rowsRef = useRef<HTMLUListElement>(null);
  const show = () => {
    const first = rowsRef.current?.querySelector<HTMLElement>('[data-conversation]');
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: 'center' });
  };
  return (
    <>
      <ButtonBase
        onClick={show}
        sx={{
          position: 'sticky',
          // Overlaps the border of the shortcut hints.
          bottom: '-1px',
          zIndex: 1,
          width: '100%',
          height: BAND_HEIGHT,
          px: 2,
          display: 'flex',
          justifyContent: 'space-between',
          typography: 'body2',
          fontWeight: 550,
          color: 'text.secondary',
          bgcolor: 'surface.sunken',
          borderTop: '1px solid',
          borderBottom: '1px solid',
          borderColor: 'line.hair',
          // Overlaps the last row's border.
          mt: '-1px',
          '&:hover': { bgcolor: 'surface.hover' },
          '&.Mui-focusVisible': { outlineOffset: -2 },
        }}
      >
        <span>Done today</span>
        <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {Size < MOST_COUNTED ? formatCount(Size) : `${formatCount(MOST_COUNTED - 1)}+`}
        </Box>
      </ButtonBase>
      <RowList ref={rowsRef} aria-label="Done today" style={{ height: Items.length * ROW_HEIGHT }}>
        {Items.map((conversation, index) => (
          <li key={conversation.ConversationID} style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}>
            <ConversationRow
              conversation={conversation}
              href={hrefOf(conversation)}
              q={undefined}
              draft={undefined}
              unsent={unsent.get(conversation.ConversationID)}
              isOpen={conversation.ConversationID === openId}
              isTicked={false}
              handlers={handlers}
            />
          </li>
        ))}
      </RowList>
      {Size > Items.length && (
        <Box sx={{ p: 2, textAlign: 'center', typography: 'body2' }}>
          <RouterLink to="/inbox" search={searchOfView('done', search)}>
            All done conversations
          </RouterLink>
        </Box>
      )}
    </>
  );
}
