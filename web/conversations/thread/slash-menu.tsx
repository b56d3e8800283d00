import Box from '@mui/material/Box';
import Popper from '@mui/material/Popper';
import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import type { Template } from '../../../contract/templates.ts';
import { noteUse, SavedTextWords, useSavedTexts } from '../../pieces/templates/saved-texts.tsx';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { byShortcut, type SlashWord, slashWord } from './slash-word.ts';

/** As many as people can pick from without typing more. */
const SHOWN = 6;
const listId = 'saved-replies';
const optionId = (id: number) => `saved-reply-${id}`;

/** Saved texts for a "/" typed in a field: the matches, key handling and screen reader text. */
export function useSlashMenu(onChoose: (text: Template, word: SlashWord) => void) {
  const [word, setWord] = useState<SlashWord>();
  const [aimed, setAimed] = useState(0);
  const found = useSavedTexts({ q: word?.q ?? '', isEnabled: word !== undefined });
  const texts = word ? byShortcut(found.texts, word.q).slice(0, SHOWN) : [];
  const isOpen = word !== undefined && texts.length > 0;
  const at = Math.min(aimed, texts.length - 1);

  const close = () => setWord(undefined);
  const choose = (text: Template) => {
    if (word) onChoose(text, word);
    noteUse(text);
    close();
  };
  /** Call after every change of the text or the caret. */
  const look = (text: string, caret: number | null) => {
    const next = slashWord(text, caret ?? text.length);
    if (next?.q !== word?.q) setAimed(0);
    setWord(next);
  };
  /** Returns whether the menu handled the key. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.nativeEvent.isComposing) return false;
    const chosen = texts[at];
    if (event.key === 'ArrowDown') setAimed((at + 1) % texts.length);
    else if (event.key === 'ArrowUp') setAimed((at + texts.length - 1) % texts.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && chosen) choose(chosen);
    else if (event.key === 'Escape') close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const aria = isOpen
    ? {
        'aria-autocomplete': 'list' as const,
        'aria-controls': listId,
        'aria-activedescendant': optionId(texts[at]?.TemplateID ?? 0),
      }
    : {};
  return { isOpen, texts, at, choose, look, close, onKeyDown, aria };
}

interface SlashMenuProps {
  menu: ReturnType<typeof useSlashMenu>;
  anchor: HTMLElement | null;
}

/** A menu above the composer. Focus stays in the text; arrows and Enter choose. */
export function SlashMenu({ menu, anchor }: SlashMenuProps) {
  const { isOpen, texts, at, choose } = menu;
  return (
    <>
      <Box role="status" style={visuallyHidden}>
        {isOpen ? `${texts.length} saved texts. Use the arrows and Enter.` : ''}
      </Box>
      <Popper open={isOpen} anchorEl={anchor} placement="top-start" sx={{ zIndex: 'modal' }}>
        <Box
          id={listId}
          role="listbox"
          aria-label="Saved texts"
          sx={{
            width: Math.min(anchor?.clientWidth ?? 400, 440),
            mb: '6px',
            p: '4px',
            borderRadius: '10px',
            bgcolor: 'surface.raised',
            border: '1px solid',
            borderColor: 'line.hair',
            boxShadow: 2,
          }}
        >
          {texts.map((text, index) => (
            <Box
              key={text.TemplateID}
              id={optionId(text.TemplateID)}
              role="option"
              aria-selected={index === at}
              // On mousedown, before the field loses focus.
              onMouseDown={(event) => {
                event.preventDefault();
                choose(text);
              }}
              sx={{
                px: 1.25,
                py: '6px',
                borderRadius: '8px',
                cursor: 'pointer',
                bgcolor: index === at ? 'surface.selected' : undefined,
                '&:hover': { bgcolor: index === at ? 'surface.selected' : 'surface.hover' },
              }}
            >
              <SavedTextWords text={text} />
            </Box>
          ))}
        </Box>
      </Popper>
    </>
  );
}
