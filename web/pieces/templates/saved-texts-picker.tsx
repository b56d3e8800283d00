import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Popover from '@mui/material/Popover';
import Skeleton from '@mui/material/Skeleton';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { BookmarkPlus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { getPlatformFreeTrial } from '../../../contract/addresses/onboarding.gen.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useAccount } from '../../queries/current-user.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { say } from '../../ui/say.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { type ChosenText, noteUse, SavedTextWords, StarButton, useSavedTexts } from './saved-texts.tsx';

interface SavedTextsPickerProps {
  /** The anchor; closed while there is none. */
  anchor: HTMLElement | null;
  onChoose: (text: ChosenText) => void;
  /** Set where the current text can be saved from here. */
  onSave?: (() => void) | undefined;
  onClose: () => void;
  /** Opens below its button and not above it, where the button is at the top of the page. */
  isBelow?: boolean;
}

/** All saved texts and the user's favorites, with a search and stars. */
export function SavedTextsPicker(props: SavedTextsPickerProps) {
  const { anchor, onChoose, onSave, onClose, isBelow = false } = props;
  const titleId = useId();
  return (
    <Popover
      open={anchor !== null}
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: isBelow ? 'bottom' : 'top', horizontal: isBelow ? 'right' : 'left' }}
      transformOrigin={{ vertical: isBelow ? 'top' : 'bottom', horizontal: isBelow ? 'right' : 'left' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-labelledby': titleId,
          sx: { width: 400, maxWidth: 'calc(100vw - 32px)', display: 'flex', flexDirection: 'column' },
        },
      }}
    >
      <Typography variant="h3" component="h2" id={titleId} sx={{ px: 2, pt: 2, pb: 1 }}>
        Saved texts
      </Typography>
      <PickerBody
        onChoose={(text) => {
          noteUse(text);
          onChoose(text);
          onClose();
        }}
      />
      {onSave && (
        <Box sx={{ p: 1, borderTop: '1px solid', borderColor: 'line.hair' }}>
          <Button
            variant="text"
            size="small"
            startIcon={<BookmarkPlus aria-hidden />}
            onClick={() => {
              onClose();
              onSave();
            }}
          >
            Save this text
          </Button>
        </Box>
      )}
    </Popover>
  );
}

function PickerBody({ onChoose }: { onChoose: (text: ChosenText) => void }) {
  const isTrial = useAccount()?.IsFreeTrial === true;
  const [q, setQ] = useState('');
  const [tab, setTab] = useState<'all' | 'favorites' | 'samples'>(isTrial ? 'samples' : 'all');
  const { texts, isPending, isError, refetch } = useSavedTexts({ q, isFavorite: tab === 'favorites' });
  return (
    <>
      <SearchField q={q} onSearch={setQ} placeholder="Search saved texts" sx={{ px: 2 }} />
      <Tabs
        value={tab}
        onChange={(_, next) => setTab(next)}
        aria-label="Filter saved texts"
        sx={{ px: 2, borderBottom: '1px solid', borderColor: 'line.hair' }}
      >
        {isTrial && <Tab value="samples" label="Samples" />}
        <Tab value="all" label={say('All', 'texts')} />
        <Tab value="favorites" label="Starred" />
      </Tabs>
      <Box
        component="ul"
        aria-label="Saved texts"
        onKeyDown={moveByArrows}
        sx={{
          m: 0,
          p: '4px',
          listStyle: 'none',
          overflowY: 'auto',
          minHeight: 96,
          maxHeight: 'min(320px, 50dvh)',
        }}
      >
        {tab === 'samples' ? (
          <Samples q={q} onChoose={onChoose} />
        ) : isError ? (
          <Box component="li" sx={{ p: 1.5 }}>
            <RetryNotice onRetry={() => void refetch()}>
              There was an error getting your saved texts.
            </RetryNotice>
          </Box>
        ) : isPending ? (
          [0, 1, 2, 3].map((row) => (
            <Box component="li" key={row} sx={{ px: 1.5, py: 1 }}>
              <Skeleton width="40%" />
              <Skeleton width="85%" />
            </Box>
          ))
        ) : texts.length === 0 ? (
          <Box component="li" sx={{ px: 1.5, py: 2, color: 'text.secondary' }}>
            {emptyWords(q, tab === 'favorites')}
          </Box>
        ) : (
          texts.map((text) => (
            <Box component="li" key={text.TemplateID} sx={{ display: 'flex', alignItems: 'center' }}>
              <Row onChoose={() => onChoose(text)}>
                <SavedTextWords text={text} />
              </Row>
              <StarButton text={text} />
            </Box>
          ))
        )}
      </Box>
    </>
  );
}

function Row({ onChoose, children }: { onChoose: () => void; children: ReactNode }) {
  return (
    <ButtonBase
      data-saved-text
      onClick={onChoose}
      sx={{
        flex: 1,
        minWidth: 0,
        px: 1.5,
        py: 1,
        borderRadius: '8px',
        typography: 'body1',
        '&:hover': { bgcolor: 'surface.hover' },
      }}
    >
      {children}
    </ButtonBase>
  );
}

/** Messages to try the free trial with. */
function Samples({ q, onChoose }: { q: string; onChoose: (text: ChosenText) => void }) {
  const { data: trial } = useCallQuery(getPlatformFreeTrial, {});
  const words = q.trim().toLowerCase();
  const found = trial?.cannedPftMessages.filter((text) => text.toLowerCase().includes(words));
  if (found?.length === 0)
    return (
      <Box component="li" sx={{ px: 1.5, py: 2, color: 'text.secondary' }}>
        No samples found.
      </Box>
    );
  return found?.map((TemplateText) => (
    <Box component="li" key={TemplateText} sx={{ display: 'flex' }}>
      <Row onChoose={() => onChoose({ TemplateID: null, TemplateText, Media: [] })}>
        <Box component="span" sx={{ flex: 1, minWidth: 0, textAlign: 'left' }}>
          {TemplateText}
        </Box>
      </Row>
    </Box>
  ));
}

function emptyWords(q: string, isFavorites: boolean): string {
  if (q !== '') return 'No saved texts found.';
  return isFavorites
    ? 'Star the texts you use most to find them here.'
    : 'No saved texts yet. Write a text and save it from the composer.';
}

/** Up and down go from row to row. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-saved-text]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
