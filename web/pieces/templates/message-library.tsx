/** The message library as a dialog: saved texts to write, change, share, star and delete. */

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Chip from '@mui/material/Chip';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Tooltip from '@mui/material/Tooltip';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { BookText, Pencil, Plus, Trash2, Zap } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import {
  addTemplate,
  deleteTemplate,
  listTemplates,
  undoTemplates,
  updateTemplate,
} from '../../../contract/addresses/templates.gen.ts';
import { type Template, templateTextLength } from '../../../contract/templates.ts';
import { counterLabel } from '../../../contract/text/text-length.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { useCan } from '../../queries/current-user.ts';
import { DialogHead } from '../../ui/dialog-parts.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { SavedTextWords, StarButton } from './saved-texts.tsx';

const QuickSendDialog = lazy(async () => ({
  default: (await import('../broadcasts/quick-send-dialog.tsx')).QuickSendDialog,
}));

const STEP = 30;
/** The most that the list gives at once. */
const MOST = 100;

const tabs = {
  all: { label: 'All Messages', query: {} },
  starred: { label: 'Starred', query: { isfavorite: true } },
  shared: { label: 'Shared', query: { isshared: true } },
} as const;
type TabName = keyof typeof tabs;

function freshen(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: [listTemplates.path] });
}

export function MessageLibrary({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [isEditing, setEditing] = useState(false);
  const [edited, setEdited] = useState<Template>();
  const [sent, setSent] = useState<Template>();
  const [isSending, setSending] = useState(false);
  const edit = (text: Template | undefined) => {
    setEdited(text);
    setEditing(true);
  };
  return (
    <>
      <FormDialog isOpen={isOpen} onClose={onClose} width={640} isFullOnPhone>
        <DialogHead title="Message library" onClose={onClose} />
        <LibraryBody
          onEdit={edit}
          onQuickSend={(text) => {
            setSent(text);
            setSending(true);
          }}
        />
      </FormDialog>
      <FormDialog
        isOpen={isOpen && isEditing}
        onClose={() => setEditing(false)}
        width={520}
        isFullOnPhone
        isKeptOnClickBeside
      >
        <SavedTextForm text={edited} onClose={() => setEditing(false)} />
      </FormDialog>
      <Suspense>
        {sent && (
          <QuickSendDialog
            isOpen={isOpen && isSending}
            template={sent}
            onClose={() => setSending(false)}
            onSent={onClose}
          />
        )}
      </Suspense>
    </>
  );
}

interface LibraryBodyProps {
  onEdit: (text: Template | undefined) => void;
  onQuickSend: (text: Template) => void;
}

function LibraryBody({ onEdit, onQuickSend }: LibraryBodyProps) {
  const mayBroadcast = useCan('createTextBroadcast');
  const [q, setQ] = useState('');
  const [tab, setTab] = useState<TabName>('all');
  const [shown, setShown] = useState(STEP);
  const [deleted, setDeleted] = useState<Deleted>();
  const query = { q, pagesize: shown, sortby: 'name' as const, ...tabs[tab].query };
  const { data, isError, refetch } = useCallQuery(listTemplates, { query }, { keepPrevious: true });
  return (
    <>
      <Box sx={{ display: 'flex', gap: 1, px: { xs: 2, sm: 4 }, pt: 2 }}>
        <SearchField q={q} onSearch={setQ} placeholder="Search saved texts" sx={{ flex: 1 }} />
        <Button
          variant="contained"
          color="primary"
          startIcon={<Plus aria-hidden />}
          onClick={() => onEdit(undefined)}
        >
          New text
        </Button>
      </Box>
      <Tabs
        value={tab}
        onChange={(_, next: TabName) => setTab(next)}
        aria-label="Filter saved texts"
        sx={{
          flex: 'none',
          mt: 1,
          px: { xs: 1, sm: 3 },
          borderBottom: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        {Object.entries(tabs).map(([name, { label }]) => (
          <Tab key={name} value={name} label={label} />
        ))}
      </Tabs>
      <Box sx={{ minHeight: 320, maxHeight: { sm: '56dvh' }, overflowY: 'auto', flex: 1 }}>
        {isError && !data && (
          <Box sx={{ p: 2.5 }}>
            <RetryNotice onRetry={() => void refetch()}>
              There was an error getting your saved texts.
            </RetryNotice>
          </Box>
        )}
        {!data && !isError && (
          <SkeletonRows rows={4} rowHeight={60} isTwoLine label="Loading your saved texts" />
        )}
        {data?.Items.length === 0 && (
          <EmptyState
            icon={BookText}
            title={q === '' ? emptyTitles[tab] : 'No saved texts found'}
            action={q === '' && tab === 'all' && <Button onClick={() => onEdit(undefined)}>New text</Button>}
          >
            {q === '' && emptyWords[tab]}
          </EmptyState>
        )}
        <Box component="ul" aria-label="Saved texts" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {data?.Items.map((text) => (
            <LibraryRow
              key={text.TemplateID}
              text={text}
              onEdit={() => onEdit(text)}
              onQuickSend={mayBroadcast ? () => onQuickSend(text) : undefined}
              onDeleted={(undoId) => setDeleted({ name: text.TemplateName, undoId })}
            />
          ))}
        </Box>
        {data && data.Size > data.Items.length && (
          <Box sx={{ p: 2, textAlign: 'center', color: 'text.secondary' }}>
            {shown < MOST ? (
              <Button onClick={() => setShown(MOST)}>Show more</Button>
            ) : (
              'There are more saved texts. Search to find them.'
            )}
          </Box>
        )}
      </Box>
      {deleted && <DeletedBand deleted={deleted} onUndone={() => setDeleted(undefined)} />}
    </>
  );
}

interface Deleted {
  name: string;
  undoId: number | null;
}

/** Here and not in the snackbar, which nobody reaches with the keyboard while a dialog is open. */
function DeletedBand({ deleted, onUndone }: { deleted: Deleted; onUndone: () => void }) {
  const client = useQueryClient();
  const undo = useCall(undoTemplates, {
    onSuccess: onUndone,
    onError: () => showSnackbar('There was an error undoing the change to your saved text'),
    onSettled: () => freshen(client),
  });
  const { name, undoId } = deleted;
  return (
    <Notice
      isBand
      actions={
        undoId !== null && (
          <Button
            size="small"
            disabled={undo.isPending}
            onClick={() => undo.mutate({ params: { UndoID: undoId } })}
          >
            Undo
          </Button>
        )
      }
    >
      {name} was deleted.
    </Notice>
  );
}

const emptyTitles: Record<TabName, string> = {
  all: 'No saved texts yet',
  starred: 'No starred texts yet',
  shared: 'No shared texts yet',
};

const emptyWords: Record<TabName, string> = {
  all: 'Save texts you send often. Type / in a message to insert one, or send one right away with quick send.',
  starred: 'Star the texts you use most.',
  shared: 'Texts that everyone in your organization can use are listed here.',
};

interface LibraryRowProps {
  text: Template;
  onEdit: () => void;
  onQuickSend: (() => void) | undefined;
  onDeleted: (undoId: number | null) => void;
}

function LibraryRow({ text, onEdit, onQuickSend, onDeleted }: LibraryRowProps) {
  const client = useQueryClient();
  const remove = useCall(deleteTemplate, {
    onSuccess: ({ UndoID }) => onDeleted(UndoID),
    onError: (error) => {
      if (!isNotFound(error))
        showSnackbar(shownMessage(error, 'There was an error deleting your saved text.'));
    },
    onSettled: () => freshen(client),
  });
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: '4px',
        px: { xs: 2, sm: 4 },
        py: 1.25,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <SavedTextWords text={text} />
      {text.IsShared && <Chip label="Shared" sx={{ flex: 'none' }} />}
      {onQuickSend && (
        <Tooltip title="Quick send">
          <IconButton size="small" aria-label={`Quick send ${text.TemplateName}`} onClick={onQuickSend}>
            <Zap />
          </IconButton>
        </Tooltip>
      )}
      <StarButton text={text} />
      {!text.ReadOnly && (
        <>
          <Tooltip title="Edit">
            <IconButton size="small" aria-label={`Edit ${text.TemplateName}`} onClick={onEdit}>
              <Pencil />
            </IconButton>
          </Tooltip>
          <Tooltip title="Delete">
            <IconButton
              size="small"
              aria-label={`Delete ${text.TemplateName}`}
              disabled={remove.isPending}
              onClick={() => remove.mutate({ params: { TemplateID: text.TemplateID } })}
            >
              <Trash2 />
            </IconButton>
          </Tooltip>
        </>
      )}
    </Box>
  );
}

function SavedTextForm({ text, onClose }: { text: Template | undefined; onClose: () => void }) {
  const client = useQueryClient();
  const add = useCall(addTemplate);
  const update = useCall(updateTemplate);
  const [draft, setDraft] = useState({
    TemplateName: text?.TemplateName ?? '',
    TemplateText: text?.TemplateText ?? '',
    Shortcut: text?.Shortcut ?? '',
    IsShared: text?.IsShared ?? false,
  });
  const { errors, submit } = useFormErrors();
  const change = (changed: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...changed }));
  const save = async () => {
    const body = { ...draft, Shortcut: draft.Shortcut.replace(/^\//, '') };
    if (text) await update.mutateAsync({ params: { TemplateID: text.TemplateID }, body });
    else await add.mutateAsync({ body });
    freshen(client);
    showSnackbar(`${draft.TemplateName.trim()} was saved.`);
    onClose();
  };
  const hasWords = draft.TemplateText.trim() !== '' || (text?.Media.length ?? 0) > 0;
  return (
    <DialogForm
      title={text ? 'Edit saved text' : 'New saved text'}
      problem={errors.form}
      action="Save"
      isDisabled={add.isPending || update.isPending}
      onSubmit={() =>
        void submit({
          problems: hasWords ? {} : { TemplateText: 'Enter a Text Message.' },
          save,
          failed: `There was an error ${text ? 'updating' : 'adding'} your saved text.`,
        })
      }
      onClose={onClose}
    >
      <TextField
        autoFocus
        label="Name"
        autoComplete="off"
        value={draft.TemplateName}
        error={errors.TemplateName}
        onChange={(event) => change({ TemplateName: event.target.value })}
      />
      <TextField
        label="Text"
        multiline
        minRows={4}
        maxRows={10}
        value={draft.TemplateText}
        error={errors.TemplateText}
        help={counterLabel(draft.TemplateText, templateTextLength)}
        onChange={(event) => change({ TemplateText: event.target.value })}
      />
      <TextField
        label="Shortcut"
        autoComplete="off"
        help="Optional. Type / and these letters in a text to insert it."
        value={draft.Shortcut}
        error={errors.Shortcut}
        onChange={(event) => change({ Shortcut: event.target.value })}
      />
      <FormControlLabel
        control={<Checkbox checked={draft.IsShared} onChange={(_, IsShared) => change({ IsShared })} />}
        label="Everyone in the organization can use it"
        sx={{ m: 0, gap: '6px' }}
      />
    </DialogForm>
  );
}
