import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { Braces, Ellipsis, Pencil, Trash2, Users, Zap } from 'lucide-react';
import type { Template } from '../../contract/templates.ts';
import { usedWords } from '../pieces/library/used-words.ts';
import { SavedTextWords, StarButton } from '../pieces/templates/saved-texts.tsx';
import { useCan, useTimeZone } from '../queries/current-user.ts';
import type { SelectionState } from '../queries/selection.ts';
import { Avatar } from '../ui/avatar.tsx';
import { useNow } from '../ui/now.ts';
import { useMenu } from '../ui/use-menu.ts';
import type { TextActions } from './text-actions.ts';

interface TextRowProps {
  text: Template;
  selection: SelectionState<number>;
  actions: TextActions;
  onEdit: (text: Template) => void;
  onQuickSend: (text: Template) => void;
}

const oneLine = { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/** A row of the table. */
export function TextRow({ text, selection, actions, onEdit, onQuickSend }: TextRowProps) {
  const now = useNow();
  const zone = useTimeZone();
  const isTicked = selection.isSelected(text.TemplateID);
  const cell = { px: '10px', borderBottom: '1px solid', borderColor: 'line.hair', ...oneLine } as const;
  return (
    <Box
      component="tr"
      aria-selected={isTicked}
      sx={{
        height: 60,
        color: 'text.secondary',
        bgcolor: isTicked ? 'surface.selected' : 'transparent',
        '&:hover': { bgcolor: isTicked ? 'surface.selected' : 'surface.sunken' },
      }}
    >
      <Box component="td" sx={{ ...cell, p: 0, pl: '8px', textAlign: 'center' }}>
        <Tick text={text} selection={selection} />
      </Box>
      <Box component="td" sx={cell}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: '6px', minWidth: 0, color: 'text.primary' }}>
          <StarButton text={text} />
          <SavedTextWords text={text} />
          <Marks text={text} />
        </Box>
      </Box>
      <Box component="td" sx={{ ...cell, display: { xs: 'none', md: 'table-cell' } }}>
        {usedWords(text, now, zone)}
      </Box>
      <Box component="td" sx={{ ...cell, display: { xs: 'none', laptop: 'table-cell' } }}>
        <Tooltip describeChild title={text.AddedBy}>
          <Box
            component="span"
            sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, maxWidth: '100%' }}
          >
            <Avatar name={text.AddedBy} size={18} />
            <Box component="span" sx={oneLine}>
              {text.AddedBy.split(' ')[0]}
            </Box>
          </Box>
        </Tooltip>
      </Box>
      <Box component="td" sx={{ ...cell, px: '8px', textAlign: 'right' }}>
        <QuickSendButton text={text} onQuickSend={onQuickSend} />
        <RowMenu text={text} actions={actions} onEdit={onEdit} />
      </Box>
    </Box>
  );
}

/** The row on a phone. */
export function TextCard({ text, selection, actions, onEdit, onQuickSend }: TextRowProps) {
  const isTicked = selection.isSelected(text.TemplateID);
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: '4px',
        minHeight: 64,
        px: 1,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        bgcolor: isTicked ? 'surface.selected' : 'transparent',
      }}
    >
      <Tick text={text} selection={selection} />
      <SavedTextWords text={text} />
      {text.IsShared && <Users size={13} strokeWidth={2} role="img" aria-label="Shared" />}
      <StarButton text={text} />
      <QuickSendButton text={text} onQuickSend={onQuickSend} />
      <RowMenu text={text} actions={actions} onEdit={onEdit} />
    </Box>
  );
}

function Tick({ text, selection }: Pick<TextRowProps, 'text' | 'selection'>) {
  return (
    <Checkbox
      checked={selection.isSelected(text.TemplateID)}
      onChange={() => selection.toggle(text.TemplateID)}
      slotProps={{ input: { 'aria-label': `Select ${text.TemplateName}` } }}
    />
  );
}

function Marks({ text }: { text: Template }) {
  return (
    <>
      {text.Labels.map((label) => (
        <Chip
          key={label}
          label={label}
          variant="outlined"
          sx={{ flex: 'none', display: { xs: 'none', laptop: 'inline-flex' } }}
        />
      ))}
      {/\{\{/.test(text.TemplateText) && (
        <Chip
          icon={<Braces size={13} strokeWidth={2} aria-hidden />}
          label="Personalized"
          sx={{ flex: 'none', display: { xs: 'none', laptop: 'inline-flex' } }}
        />
      )}
      {text.IsShared && (
        <Chip icon={<Users size={13} strokeWidth={2} aria-hidden />} label="Shared" sx={{ flex: 'none' }} />
      )}
      {text.ReadOnly && (
        <Tooltip describeChild title="It belongs to someone else. You can use it but not change it.">
          <Chip label="Read-only" variant="outlined" sx={{ flex: 'none' }} />
        </Tooltip>
      )}
    </>
  );
}

function QuickSendButton({ text, onQuickSend }: Pick<TextRowProps, 'text' | 'onQuickSend'>) {
  const mayBroadcast = useCan('createTextBroadcast');
  if (!mayBroadcast) return null;
  return (
    <Tooltip title="Quick send">
      <IconButton aria-label={`Quick send ${text.TemplateName}`} onClick={() => onQuickSend(text)}>
        <Zap />
      </IconButton>
    </Tooltip>
  );
}

function RowMenu({ text, actions, onEdit }: Pick<TextRowProps, 'text' | 'actions' | 'onEdit'>) {
  const menu = useMenu();
  const only = { Type: 'Selected' as const, Items: [text.TemplateID] };
  // Nothing in it for those who may not change it.
  if (text.ReadOnly) return <Box component="span" sx={{ display: 'inline-block', width: 36 }} />;
  return (
    <>
      <IconButton aria-label={`More actions for ${text.TemplateName}`} {...menu.buttonProps}>
        <Ellipsis />
      </IconButton>
      <Menu {...menu.menuProps}>
        <MenuItem onClick={menu.choose(() => onEdit(text))}>
          <Pencil aria-hidden />
          Edit
        </MenuItem>
        <MenuItem onClick={menu.choose(() => void actions.share(only, !text.IsShared))}>
          <Users aria-hidden />
          {text.IsShared ? 'Stop sharing' : 'Share with your team'}
        </MenuItem>
        <MenuItem
          onClick={menu.choose(() => void actions.delete(only, text.TemplateName))}
          sx={{ color: 'error.main', '& svg': { color: 'inherit' } }}
        >
          <Trash2 aria-hidden />
          Delete
        </MenuItem>
      </Menu>
    </>
  );
}
