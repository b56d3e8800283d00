import Box from '@mui/material/Box';
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
import { Choice } from '../ui/choices.tsx';
import { useKeys } from '../ui/keys.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { SavedTextDialog } from './saved-text-dialog.tsx';
import { TextList } from './text-list.tsx';
import { type TextView, textViewNames, textViews } from './text-view.ts';

const QuickSendDialog = lazy(async () => ({
  default: (await import('../pieces/broadcasts/quick-send-dialog.tsx')).QuickSendDialog,
}));

const toolSize = {
  flex: { xs: 1, laptop: 'none' },
  minWidth: 0,
  '& .MuiOutlinedInput-root': { height: 32, minHeight: 32 },
} as const;

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
            search: readListSearch({ q: state.q, filter: state.filter, sort: state.sort }),
          })
        }
        tools={
          <>
            <LabelFilter
              label={state.filter}
              labels={summary?.Labels ?? []}
              onChange={(filter) => change({ filter })}
            />
            <SearchField
              q={state.q}
              placeholder="Search"
              label="Search saved texts by name, shortcut, label or words"
              inputRef={searchRef}
              onSearch={(q) => change({ q }, { replace: true })}
              sx={{ width: { laptop: 240 }, ...toolSize }}
            />
          </>
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

interface LabelFilterProps {
  /** The chosen one; empty for all. */
  label: string;
  labels: readonly { Name: string; Count: number }[];
  onChange: (label: string) => void;
}

/** Only where texts have labels. One that was chosen and is gone since can still be taken off. */
function LabelFilter({ label, labels, onChange }: LabelFilterProps) {
  const names = labels.map(({ Name }) => Name);
  const chosen = names.find((name) => name.toLowerCase() === label.toLowerCase()) ?? label;
  const all = chosen === '' || names.includes(chosen) ? names : [...names, chosen];
  if (all.length === 0) return null;
  return (
    <Box sx={{ width: { laptop: 170 }, ...toolSize }}>
      <Choice
        label="Label"
        value={chosen}
        choices={[{ value: '', label: 'All labels' }, ...all.map((name) => ({ value: name, label: name }))]}
        onChange={onChange}
      />
    </Box>
  );
}
