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

/** Of the sunken part at the right, where a dialog has one. */
export const SIDE_WIDTH = 328;

interface FormDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** In pixels, where the screen has them. */
  width: number;
  /** From 960 on a side stands beside the form. */
  hasSide?: boolean;
  isFullOnPhone?: boolean;
  /** For long forms: a click beside the dialog must not lose what was typed. */
  isKeptOnClickBeside?: boolean;
  children: ReactNode;
}

/**
 * The paper of a form. What stands in it is made when it opens and gone when it is closed, so that nothing that was
 * typed before is found in it. It takes its name from the DialogTitle inside.
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

/** A field that one can type or choose in. MUI hides helpers of its own from assistive technology. */
const fields =
  ':is(input:not([type=hidden], [type=file]), textarea, [role=combobox]):not([aria-hidden=true], [disabled], [aria-disabled=true])';

/**
 * Puts the focus into the first field of the dialog around it, unless one of them took it by itself. What is fetched
 * when the dialog opens has its fields a moment later: they are waited for until somebody does something.
 */
function FirstField() {
  const ref = useCallback((mark: HTMLElement | null) => {
    const paper = mark?.closest<HTMLElement>('[role=dialog]');
    if (!paper) return;
    const focus = (): boolean => {
      const inside = document.activeElement;
      if (inside !== paper && paper.contains(inside)) return true;
      const all = [...paper.querySelectorAll<HTMLInputElement>(fields)];
      // Of radio buttons the chosen one is where the Tab key enters.
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
  /** What the main button says. */
  action: string;
  icon?: ReactNode;
  isDisabled?: boolean;
  /** Without it the main button sends the form around it. */
  onAction?: () => void;
  onClose: () => void;
}

export function DialogButtons({ action, icon, isDisabled = false, onAction, onClose }: DialogButtonsProps) {
  return (
    <>
      <Button variant="text" onClick={onClose}>
        Cancel
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
  /** What this is about, in a sentence. */
  intro?: string | undefined;
  /** Why it could not be done. */
  problem?: string | undefined;
}

/** What stands above the fields. */
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
    /** Between the fields, in steps of 8 px. */
    gap?: number;
    onSubmit: () => void;
    children: ReactNode;
  };

/** The inside of a small dialog: title, fields, Cancel and the main button. */
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
          // A sentence belongs to the title, a field doesn't.
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
