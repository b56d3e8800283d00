/** Saved texts ("message library"), as the composer's "/" and the list of them show them. */

import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useQueryClient } from '@tanstack/react-query';
import { Image, Star } from 'lucide-react';
import { listTemplates, noteTemplateUse, updateTemplate } from '../../../contract/addresses/templates.gen.ts';
import type { Template } from '../../../contract/templates.ts';
import { callApi } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';

/** As many as one looks through without searching. */
const SHOWN = 30;

interface SavedTextsQuery {
  q: string;
  isFavorite?: boolean;
  isEnabled?: boolean;
}

/** Saved texts that the user may use, those used most first. */
export function useSavedTexts({ q, isFavorite = false, isEnabled = true }: SavedTextsQuery) {
  const query = { q, pagesize: SHOWN, sortby: 'used' as const, ...(isFavorite ? { isfavorite: true } : {}) };
  const list = useCallQuery(listTemplates, { query }, { enabled: isEnabled, keepPrevious: true });
  return { ...list, texts: list.data?.Items ?? none };
}
const none: readonly Template[] = [];

/** A picked text: a saved one, or one of a free trial's messages, which is nobody's template. */
export type ChosenText = Pick<Template, 'TemplateText' | 'Media'> & { TemplateID: number | null };

/** So that the list begins with what is used. Nobody waits for it, and nobody misses it. */
export function noteUse({ TemplateID }: ChosenText): void {
  if (TemplateID === null) return;
  callApi(noteTemplateUse, { params: { TemplateID } }).catch(() => {});
}

/** Name, shortcut, and how it begins. */
export function SavedTextWords({ text }: { text: Template }) {
  return (
    <Box component="span" sx={{ display: 'block', minWidth: 0, flex: 1, textAlign: 'left' }}>
      <Box component="span" sx={{ display: 'flex', alignItems: 'baseline', gap: 1, minWidth: 0 }}>
        <Box
          component="span"
          sx={{ fontWeight: 520, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
        >
          {text.TemplateName}
        </Box>
        {text.Shortcut !== '' && (
          <Box component="span" sx={{ typography: 'caption', color: 'ink.three', flex: 'none' }}>
            /{text.Shortcut}
          </Box>
        )}
        {text.Media.length > 0 && <Image size={13} strokeWidth={2} role="img" aria-label="With a picture" />}
      </Box>
      <Box
        component="span"
        sx={{
          display: 'block',
          typography: 'body2',
          color: 'text.secondary',
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
        }}
      >
        {text.TemplateText || 'Picture only'}
      </Box>
    </Box>
  );
}

/** The user's own star on a saved text. */
export function StarButton({ text }: { text: Template }) {
  const client = useQueryClient();
  const update = useCall(updateTemplate, {
    onSuccess: () => void client.invalidateQueries({ queryKey: [listTemplates.path] }),
    onError: () => showSnackbar('There was an error updating your saved text.'),
  });
  const label = text.IsFavorite ? `Unstar ${text.TemplateName}` : `Star ${text.TemplateName}`;
  return (
    <Tooltip title={text.IsFavorite ? 'Unstar' : 'Star'}>
      <IconButton
        size="small"
        aria-label={label}
        aria-pressed={text.IsFavorite}
        onClick={() =>
          update.mutate({ params: { TemplateID: text.TemplateID }, body: { IsFavorite: !text.IsFavorite } })
        }
        sx={{ mx: '4px', '& > svg': { fill: text.IsFavorite ? 'currentColor' : 'none' } }}
      >
        <Star />
      </IconButton>
    </Tooltip>
  );
}
