import { Ellipsis, Moon, Pencil, Phone as PhoneIcon, Power, Voicemail, X } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError, call, type Phone } from './api.ts';
import { formatNumber } from './format.ts';
import type { View } from './handset.tsx';
import { Modal } from './modal.tsx';
import { closePhone, refreshPhone } from './store.ts';

export function PhoneMenu({ phone, onView }: { phone: Phone; onView: (view: View) => void }) {
  const [open, setOpen] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const owner = phone.Name ?? formatNumber(phone.Number);
  const asleep = phone.State === 'Asleep';

  useEffect(() => {
    if (!open) return;
    box.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const closeOutside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [open]);

  const move = (event: KeyboardEvent) => {
    const items = [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      items[(to + items.length) % items.length]?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      setOpen(false);
      if (event.key === 'Escape') button.current?.focus();
    }
  };

  const choose = (action: () => void) => () => {
    setOpen(false);
    button.current?.focus();
    action();
  };
  const setState = async () => {
    await call('PATCH', `/phones/${phone.Number}`, { State: asleep ? 'Awake' : 'Asleep' });
    await refreshPhone(phone.Number);
  };

  return (
    <div className="menu-box" ref={box}>
      <button
        type="button"
        ref={button}
        className="icon-button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={`More for ${owner}`}
        title="More"
        onClick={() => setOpen(!open)}
      >
        <Ellipsis size={18} strokeWidth={1.75} aria-hidden />
      </button>
      {open && (
        <div className="menu" role="menu" tabIndex={-1} aria-label={`More for ${owner}`} onKeyDown={move}>
          <button type="button" role="menuitem" onClick={choose(() => onView('dial'))}>
            <PhoneIcon size={16} strokeWidth={1.75} aria-hidden />
            Make a call
          </button>
          <button type="button" role="menuitem" onClick={choose(() => onView('voicemail'))}>
            <Voicemail size={16} strokeWidth={1.75} aria-hidden />
            Voicemail
          </button>
          <button type="button" role="menuitem" onClick={choose(() => setRenaming(true))}>
            <Pencil size={16} strokeWidth={1.75} aria-hidden />
            Rename
          </button>
          <button type="button" role="menuitem" onClick={choose(() => void setState())}>
            {asleep ? (
              <Power size={16} strokeWidth={1.75} aria-hidden />
            ) : (
              <Moon size={16} strokeWidth={1.75} aria-hidden />
            )}
            {asleep ? 'Wake' : 'Put to sleep'}
          </button>
          <button type="button" role="menuitem" onClick={choose(() => void closePhone(phone.Number))}>
            <X size={16} strokeWidth={1.75} aria-hidden />
            Close
          </button>
        </div>
      )}
      {renaming && <RenamePhone phone={phone} onClose={() => setRenaming(false)} />}
    </div>
  );
}

function RenamePhone({ phone, onClose }: { phone: Phone; onClose: () => void }) {
  const [name, setName] = useState(phone.Name ?? '');
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const rename = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await call('PATCH', `/phones/${phone.Number}`, { Name: name.trim() });
      await refreshPhone(phone.Number);
      onClose();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'That didn’t work.');
    }
  };
  return (
    <Modal title={`Rename ${formatNumber(phone.Number)}`} onClose={onClose}>
      <form onSubmit={rename}>
        <div className="field">
          <label htmlFor={id}>Name</label>
          <input
            id={id}
            value={name}
            onChange={(event) => setName(event.target.value)}
            maxLength={100}
            autoComplete="off"
          />
          {problem && (
            <p className="help bad" role="alert">
              {problem}
            </p>
          )}
        </div>
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary">
            Rename
          </button>
        </div>
      </form>
    </Modal>
  );
}
