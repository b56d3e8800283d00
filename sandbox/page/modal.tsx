import { type ReactNode, useEffect, useId, useRef } from 'react';

/** The browser's own dialog: it traps focus and closes on Escape. */
export function Modal({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const before = document.activeElement;
    if (!dialog.current?.open) dialog.current?.showModal();
    // React removes the open dialog, so the browser can't restore the focus itself.
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <h2 className="modal-title" id={titleId}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}
