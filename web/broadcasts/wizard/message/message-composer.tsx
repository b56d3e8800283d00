import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiCard from '@mui/material/Card';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { ImagePlus, Plus } from 'lucide-react';
import type { ClipboardEvent, RefObject } from 'react';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { plainChange } from '../../../pieces/texts/plain-change.ts';
import { Notice } from '../../../ui/notice.tsx';
import { useMenu } from '../../../ui/use-menu.ts';
import { EmojiButton } from './message-emoji.tsx';
import { MessageField } from './message-field.tsx';
import { MessageMeter } from './message-meter.tsx';
import { type InsertField, insertFields } from './message-pieces.ts';
import { plainAdvice } from './message-plain.ts';
import type { MessageFacts } from './message-state.ts';
import { MessageWarnings } from './message-warnings.tsx';

interface MessageComposerProps {
  draft: DraftBroadcast;
  facts: MessageFacts;
  error: string | undefined;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  onText: (text: string) => void;
  /** Sets whether it goes out as it is written, or in plain characters. */
  onKeep: (isKept: boolean) => void;
  /** Inserts at the caret, or replaces the selection. */
  onInsert: (piece: string) => void;
  onChoosePicture: () => void;
  onPaste: (event: ClipboardEvent) => void;
}

/** The card to write in: the insert tools, the text, the credits it takes, and warnings. */
export function MessageComposer(props: MessageComposerProps) {
  const { draft, facts, error, fieldRef, onText, onKeep, onInsert, onChoosePicture, onPaste } = props;
  return (
    <MuiCard
      component="section"
      aria-label="Text"
      sx={{ '&:has(textarea:focus)': { borderColor: 'primary.main' } }}
    >
      <Box
        sx={{
          display: 'flex',
          alignItems: 'flex-start',
          gap: 1,
          px: '12px',
          py: '10px',
          bgcolor: 'surface.sunken',
          borderBottom: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        <InsertChips fields={insertFields(draft.CustomData)} onInsert={onInsert} />
        <Tooltip title="Add a picture">
          <IconButton size="small" aria-label="Add a picture" onClick={onChoosePicture}>
            <ImagePlus />
          </IconButton>
        </Tooltip>
        <EmojiButton onInsert={onInsert} />
      </Box>
      <MessageField
        value={draft.TextMessage}
        customFields={draft.CustomData}
        error={error}
        fieldRef={fieldRef}
        onChange={onText}
        onPaste={onPaste}
      />
      <MessageMeter facts={facts} people={draft.TextNumberCount} />
      <PlainNotice draft={draft} signature={facts.signature} onKeep={onKeep} />
      <MessageWarnings text={draft.TextMessage} customFields={draft.CustomData} />
    </MuiCard>
  );
}

/** This many are in the row; the rest are behind More. */
const SHOWN_FIELDS = 4;
/** Everybody knows these two, so they come first, then the organization's own fields. */
const firstFields = ['FirstName', 'LastName'];

export function InsertChips({
  fields,
  onInsert,
}: {
  fields: InsertField[];
  onInsert: (piece: string) => void;
}) {
  const { choose, buttonProps, menuProps } = useMenu();
  const contactsOwn = ['FullName', 'Notes', 'PhoneNumber'];
  const ordered = [
    ...fields.filter(({ token }) => firstFields.includes(token)),
    ...fields.filter(({ token }) => !firstFields.includes(token) && !contactsOwn.includes(token)),
    ...fields.filter(({ token }) => contactsOwn.includes(token)),
  ];
  const shown = ordered.slice(0, SHOWN_FIELDS);
  const rest = ordered.slice(SHOWN_FIELDS);
  const insert = ({ token }: InsertField) => onInsert(`{{${token}}}`);
  return (
    <Box sx={{ flex: 1, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '6px', minHeight: 28 }}>
      <Typography variant="body2" sx={{ color: 'text.secondary', mr: '4px' }} id="personalize">
        Personalize
      </Typography>
      {shown.map((field) => (
        <InsertChip key={field.token} label={field.label} onPress={() => insert(field)} />
      ))}
      {rest.length > 0 && (
        <Button size="small" variant="text" sx={{ minHeight: 26, height: 26, px: 1 }} {...buttonProps}>
          More
        </Button>
      )}
      <Menu {...menuProps}>
        {rest.map((field) => (
          <MenuItem key={field.token} onClick={choose(() => insert(field))}>
            {field.label}
          </MenuItem>
        ))}
      </Menu>
    </Box>
  );
}

function InsertChip({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button
      size="small"
      variant="outlined"
      aria-label={`Insert ${label}`}
      startIcon={<Plus aria-hidden />}
      onClick={onPress}
      sx={{
        minHeight: 26,
        height: 26,
        px: '8px',
        borderRadius: '6px',
        fontSize: 13,
        gap: '4px',
        '& .MuiButton-startIcon': { m: 0, color: 'primary.main' },
        '& .MuiButton-startIcon > svg': { width: 13, height: 13 },
      }}
    >
      {label}
    </Button>
  );
}

interface PlainNoticeProps {
  draft: DraftBroadcast;
  signature: string | undefined;
  onKeep: (isKept: boolean) => void;
}

/** The characters that are replaced by plain ones and the savings, or the cost of keeping them. */
function PlainNotice({ draft: { TextMessage, KeepCharacters }, signature, onKeep }: PlainNoticeProps) {
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'));
  const change = plainChange(TextMessage, signature);
  if (!change) return null;
  const advice = KeepCharacters ? plainAdvice(TextMessage, signature) : undefined;
  const button = (
    <Box sx={{ alignSelf: 'center', ...(isPhone ? { mt: 1 } : { my: '5px' }) }}>
      <Button size="small" variant="outlined" onClick={() => onKeep(!KeepCharacters)}>
        {KeepCharacters ? 'Use plain characters' : 'Keep as written'}
      </Button>
    </Box>
  );
  return (
    <Notice
      isBand
      kind={advice ? 'warning' : 'info'}
      title={advice?.title ?? (KeepCharacters ? 'Sent as written' : 'Sent in plain characters')}
      actions={!isPhone && button}
    >
      <Typography variant="body2" component="span">
        {KeepCharacters
          ? (advice?.sentence ?? 'Plain characters wouldn’t change the cost.')
          : `${change.changes}${change.saved === '' ? '.' : `: ${change.saved}.`}`}
      </Typography>
      {isPhone && button}
    </Notice>
  );
}
