import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import { styled } from '@mui/material/styles';
import { createLink } from '@tanstack/react-router';
import { memo, type PointerEvent, useImperativeHandle, useRef } from 'react';
import type { Contact } from '../../../contract/contacts.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { fullName } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { nameOfContact } from '../contact/contact-name.ts';
import { TextingState } from '../contact/texting-state.tsx';
import type { ContactRowsProps } from './contacts-grid.tsx';

/** Time that a finger has to rest on a row to select it. */
const LONG_PRESS_MS = 450;
/** A finger that moves further than this scrolls. */
const STILL_PX = 10;

const RowLink = createLink(
  styled('a')({
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    minHeight: 64,
    padding: '10px 16px',
    color: 'inherit',
    textDecoration: 'none',
    userSelect: 'none',
    WebkitTouchCallout: 'none',
    '&:focus-visible': { outlineOffset: -2 },
  }),
);

/** On a phone: avatar, name, phone, state. A long press selects; after that a tap does. */
export function ContactsRows({ ref, rows, selection }: ContactRowsProps) {
  const listRef = useRef<HTMLUListElement>(null);
  useImperativeHandle(ref, () => ({
    focusRow: (personId) =>
      listRef.current?.querySelector<HTMLElement>(`[data-person="${personId}"]`)?.focus(),
    focusedId: () => {
      const id = Number(document.activeElement?.getAttribute('data-person'));
      return id > 0 ? id : undefined;
    },
  }));
  return (
    <Box
      component="ul"
      ref={listRef}
      aria-label="Contacts"
      sx={{
        flex: 1,
        minHeight: 0,
        overflowY: 'auto',
        overscrollBehavior: 'contain',
        listStyle: 'none',
        m: 0,
        p: 0,
      }}
    >
      {rows.map((contact) => (
        <ContactRow
          key={contact.PersonID}
          contact={contact}
          isTicked={selection.isSelected(contact.PersonID)}
          isTicking={selection.isAny}
          onToggle={selection.toggle}
        />
      ))}
    </Box>
  );
}

interface ContactRowProps {
  contact: Contact;
  isTicked: boolean;
  /** Something is ticked, so a tap ticks more instead of opening. */
  isTicking: boolean;
  onToggle: (personId: number) => void;
}

const ContactRow = memo(function ContactRow({ contact, isTicked, isTicking, onToggle }: ContactRowProps) {
  const { PersonID, PrimaryPhone } = contact;
  const press = useLongPress(() => onToggle(PersonID));
  const name = nameOfContact(contact);
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        bgcolor: isTicked ? 'surface.selected' : 'background.paper',
      }}
    >
      <RowLink
        to="/contacts/contact/$personId"
        params={{ personId: PersonID }}
        data-person={PersonID}
        {...press.handlers}
        onClick={(event) => {
          if (!press.wasLong() && !isTicking) return;
          event.preventDefault();
          if (!press.wasLong()) onToggle(PersonID);
        }}
        onContextMenu={(event) => {
          if (press.isTouched()) event.preventDefault();
        }}
      >
        <Box sx={{ width: 36, flex: 'none' }}>{!isTicking && <Avatar name={fullName(contact)} />}</Box>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box
            component="span"
            sx={{
              display: 'block',
              fontWeight: 520,
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
            }}
          >
            {name}
          </Box>
          <Box component="span" sx={{ display: 'block', typography: 'body2', color: 'text.secondary' }}>
            {fullName(contact) === '' ? contact.Notes : PrimaryPhone && formatPhone(PrimaryPhone)}
          </Box>
        </Box>
        <Box component="span" sx={{ typography: 'body2', flex: 'none', maxWidth: '45%' }}>
          <TextingState contact={contact} />
        </Box>
      </RowLink>
      {isTicking && (
        <Checkbox
          checked={isTicked}
          onChange={() => onToggle(PersonID)}
          slotProps={{ input: { 'aria-label': `Select ${name}` } }}
          sx={{ position: 'absolute', left: 16, top: 14, width: 36, height: 36, padding: '9px' }}
        />
      )}
    </Box>
  );
});

/** Detects a long press; the click that follows checks whether it belongs to one. */
function useLongPress(onLongPress: () => void) {
  const press = useRef<{
    timer?: ReturnType<typeof setTimeout>;
    x: number;
    y: number;
    isLong: boolean;
    isTouch: boolean;
  }>({
    x: 0,
    y: 0,
    isLong: false,
    isTouch: false,
  });
  const stop = () => clearTimeout(press.current.timer);
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      stop();
      const isTouch = event.pointerType !== 'mouse';
      press.current = { x: event.clientX, y: event.clientY, isLong: false, isTouch };
      if (!isTouch) return;
      press.current.timer = setTimeout(() => {
        press.current.isLong = true;
        onLongPress();
      }, LONG_PRESS_MS);
    },
    onPointerMove: (event: PointerEvent) => {
      const { x, y } = press.current;
      if (Math.hypot(event.clientX - x, event.clientY - y) > STILL_PX) stop();
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    onPointerLeave: stop,
  };
  return { handlers, wasLong: () => press.current.isLong, isTouched: () => press.current.isTouch };
}
