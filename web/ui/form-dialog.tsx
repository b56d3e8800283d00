import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, useCallback } from 'react';
import { Notice } from './notice.tsx';

/** The width of the sunken side, if any. */
export const SIDE_WIDTH = 328;

interface FormDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** In pixels, if the screen is wide enough. */
  width: number;
  /** From 960 px, the side is next to the form. */
  hasSide?: boolean;
  isFullOnPhone?: boolean;
  /** For long forms: a click outside must not lose the input. */
  isKeptOnClickBeside?: boolean;
  children: ReactNode;
}

/**
 * The paper of a form dialog. Its content mounts on open and unmounts on close, so that no old input remains. The
 * DialogTitle inside names it.
 */
export function FormDialog(props: FormDialogProps) {
  const { isOpen, onClose, width, hasSide = false, children } = props;
  const { isFullOnPhone = false, isKeptOnClickBeside = false } = props;
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'));
  return (
    <Dialog
      open={isOpen}
      onClose={(_, reason) => {
        if (!isKeptOnClickBeside || reason !== 'backdropClick') onClose();
      }}
      fullScreen={isFullOnPhone && isPhone}
      maxWidth={false}
      slotProps={{
        paper: {
          sx: {
            width: {
              xs: isFullOnPhone ? '100%' : width,
              sm: width,
              ...(hasSide ? { md: width + SIDE_WIDTH } : {}),
            },
          },
        },
      }}
    >
      <FirstField />
      {children}
    </Dialog>
  );
}

/** A field that takes input. MUI hides its own helper inputs from assistive technology. */
const fields =
  ':is(input:not([type=hidden], [type=file]), textarea, [role=combobox]):not([aria-hidden=true], [disabled], [aria-disabled=true])';

/**
 * Focuses the dialog's first field, unless another took the focus. If content is still loading, waits for its fields
 * until the user does something.
 */
function FirstField() {
  const ref = useCallback((mark: HTMLElement | null) => {
    const paper = mark?.closest<HTMLElement>('[role=dialog]');
    if (!paper) return;
    const focus = (): boolean => {
      const inside = document.activeElement;
      if (inside !== paper && paper.contains(inside)) return true;
      const all = [...paper.querySelectorAll<HTMLInputElement>(fields)];
      // The checked radio button is where the Tab key enters.
      const [first] = all;
      const chosen =
        first?.type === 'radio' ? all.find(({ type, checked }) => type === 'radio' && checked) : undefined;
      (chosen ?? first)?.focus();
      return first !== undefined;
    };
    const observer = new MutationObserver(() => {
      if (focus()) observer.disconnect();
    });
    const stop = () => observer.disconnect();
    // After the dialog itself has taken the focus.
    const timer = setTimeout(() => {
      if (!focus()) observer.observe(paper, { childList: true, subtree: true });
    });
    for (const type of ['keydown', 'pointerdown']) paper.addEventListener(type, stop);
    return () => {
      clearTimeout(timer);
      stop();
      for (const type of ['keydown', 'pointerdown']) paper.removeEventListener(type, stop);
    };
  }, []);
  return <span ref={ref} hidden />;
}

export interface DialogButtonsProps {
  /** The label of the main button. */
  action: string;
  icon?: ReactNode;
  isDisabled?: boolean;
  /** Without it, the main button submits the form around it. */
  onAction?: () => void;
  /** The label of the other button, in a dialog that cancels something. */
  keep?: string | undefined;
  onClose: () => void;
}

export function DialogButtons({
  action,
  icon,
  isDisabled = false,
  onAction,
  keep,
  onClose,
}: DialogButtonsProps) {
  return (
    <>
      <Button variant="text" onClick={onClose}>
        {keep ?? 'Cancel'}
      </Button>
      <Button
        type={onAction ? 'button' : 'submit'}
        variant="contained"
        color="primary"
        disabled={isDisabled}
        startIcon={icon}
        onClick={onAction}
      >
        {action}
      </Button>
    </>
  );
}

export interface DialogWordsProps {
  /** A sentence about the purpose. */
  intro?: string | undefined;
  /** The error, if saving failed. */
  problem?: string | undefined;
}

/** Shown above the fields. */
export function DialogWords({ intro, problem }: DialogWordsProps) {
  return (
    <>
      {intro && <Typography sx={{ color: 'text.secondary' }}>{intro}</Typography>}
      {problem && <Notice kind="error">{problem}</Notice>}
    </>
  );
}

type DialogFormProps = DialogWordsProps &
  Omit<DialogButtonsProps, 'onAction'> & {
    title: string;
    /** The gap between fields, in steps of 8 px. */
    gap?: number;
    onSubmit: () => void;
    children: ReactNode;
  };

/** The content of a small dialog: title, fields, Cancel and the main button. */
export function DialogForm(props: DialogFormProps) {
  const { title, gap = 2.5, intro, problem, onSubmit, children, ...buttons } = props;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      sx={{ display: 'flex', flexDirection: 'column', minHeight: 0, flex: 1 }}
    >
      <DialogTitle>{title}</DialogTitle>
      <DialogContent
        sx={{
          display: 'grid',
          gap,
          alignContent: 'start',
          // A sentence moves closer to the title; a field doesn't.
          '.MuiDialogTitle-root + &&': { pt: intro ? 0 : 1.5 },
        }}
      >
        <DialogWords intro={intro} problem={problem} />
        {children}
      </DialogContent>
      <DialogActions>
        <DialogButtons {...buttons} />
      </DialogActions>
    </Box>
  );
}
