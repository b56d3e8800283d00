import Button from '@mui/material/Button';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { getTemplateSummary } from '../../contract/addresses/templates.gen.ts';
import type { Template } from '../../contract/templates.ts';
import { LibraryFrame } from '../pieces/library/library-frame.tsx';
import { useCallQuery } from '../queries/calls.ts';
import { readListSearch } from '../queries/list-search.ts';
import { useListState } from '../queries/list-state.ts';
import { useKeys } from '../ui/keys.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { SavedTextDialog } from './saved-text-dialog.tsx';
import { TextList } from './text-list.tsx';
import { type TextView, textViewNames, textViews } from './text-view.ts';

const QuickSendDialog = lazy(async () => ({
  default: (await import('../pieces/broadcasts/quick-send-dialog.tsx')).QuickSendDialog,
}));

/** The text library: saved texts, for broadcasts, conversations and automatic replies. */
export function TextLibraryPage({ view }: { view: TextView }) {
  const navigate = useNavigate();
  const { state, change } = useListState({ defaults: { pagesize: 25 }, remember: 'texts' });
  const { data: summary } = useCallQuery(getTemplateSummary, {});
  const searchRef = useRef<HTMLInputElement>(null);
  const [edited, setEdited] = useState<Template | 'new'>();
  const [sent, setSent] = useState<Template>();
  useKeys({ '/': () => searchRef.current?.focus() });
  const counts: Record<TextView, number | undefined> = {
    all: summary?.All,
    starred: summary?.Favorited,
    shared: summary?.Shared,
    'never-used': summary?.Unused,
  };
  return (
    <>
      <LibraryFrame
        kind="text"
        sentence="Texts you send often. Insert one by typing / in a message, or send it right away with quick send."
        actions={
          <Button
            variant="contained"
            color="primary"
            startIcon={<Plus aria-hidden />}
            onClick={() => setEdited('new')}
          >
            New text
          </Button>
        }
        rowsName="Saved texts"
        rowsId="text-rows"
        views={textViewNames.map((name) => ({ name, label: textViews[name].label, count: counts[name] }))}
        view={view}
        onView={(next) =>
          void navigate({
            to: '/message-library/text/{-$view}',
            params: { view: next === 'all' ? undefined : next },
            search: readListSearch({ q: state.q, sort: state.sort }),
          })
        }
        tools={
          <SearchField
            q={state.q}
            placeholder="Search"
            label="Search saved texts by name, shortcut, label or words"
            inputRef={searchRef}
            onSearch={(q) => change({ q }, { replace: true })}
            sx={{
              width: { laptop: 240 },
              flex: { xs: 1, laptop: 'none' },
              '& .MuiOutlinedInput-root': { height: 32, minHeight: 32 },
            }}
          />
        }
      >
        <TextList view={view} state={state} onChange={change} onEdit={setEdited} onQuickSend={setSent} />
      </LibraryFrame>
      <SavedTextDialog edited={edited} onClose={() => setEdited(undefined)} />
      <Suspense>
        {sent && (
          <QuickSendDialog
            isOpen
            template={sent}
            onClose={() => setSent(undefined)}
            onSent={() => setSent(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}
