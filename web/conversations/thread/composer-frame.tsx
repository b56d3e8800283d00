import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import InputBase from '@mui/material/InputBase';
import Tooltip from '@mui/material/Tooltip';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { LucideIcon } from 'lucide-react';
import type { ClipboardEvent, KeyboardEvent, ReactNode, Ref } from 'react';

interface ComposerFrameProps {
  /** Names the form and the field. */
  name: string;
  label: string;
  placeholder: string;
  value: string;
  onChange: (text: string, caret: number | null) => void;
  onSubmit: () => void;
  /** Ctrl+Enter or Command+Enter. */
  onSubmitDone?: () => void;
  /** Gets every key first; returns true if it handled the key. */
  onKeyDown?: (event: KeyboardEvent) => boolean;
  onPaste?: (event: ClipboardEvent) => void;
  onBlur?: () => void;
  inputRef: Ref<HTMLTextAreaElement>;
  frameRef?: Ref<HTMLDivElement>;
  aria?: Record<string, string | undefined>;
  error: string | undefined;
  /** For notes to the team, in another color. */
  isPrivate?: boolean;
  isNarrow: boolean;
  isBusy: boolean;
  submit: { label: string; icon: LucideIcon; tip?: string };
  /** Over the text, with its letters. */
  marks?: ReactNode;
  /** Attached pictures, above the text. */
  above?: ReactNode;
  /** The preview, between the text and the toolbar. */
  below?: ReactNode;
  tools: ReactNode;
  count: ReactNode;
  /** Below the frame: sender and cost. */
  note: ReactNode;
  cost?: ReactNode;
}

/** The text box: grows from two to eight lines. Enter sends, Shift+Enter starts a new line. */
export function ComposerFrame(props: ComposerFrameProps) {
  const { value, onChange, onSubmit, error, isPrivate = false, isNarrow } = props;
  // Phones have no Shift+Enter, so Enter starts a new line there and the button sends.
  const isTouch = useMediaQuery('(hover: none) and (pointer: coarse)');
  const isTiny = useMediaQuery((theme) => theme.breakpoints.down('phone'), { noSsr: true });
  const onKeyDown = (event: KeyboardEvent) => {
    if (props.onKeyDown?.(event)) return;
    const isComposing = event.nativeEvent.isComposing;
    if (event.key === 'Escape' && !isComposing && event.target instanceof HTMLElement) event.target.blur();
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || isComposing || isTouch) return;
    event.preventDefault();
    if ((event.ctrlKey || event.metaKey) && props.onSubmitDone) props.onSubmitDone();
    else onSubmit();
  };
  const count = (
    <Box
      id="composer-count"
      component="span"
      sx={{
        mr: { xs: 0, phone: 1 },
        typography: 'caption',
        fontVariantNumeric: 'tabular-nums',
        color: 'text.secondary',
      }}
    >
      {props.count}
    </Box>
  );
  const edge = error ? 'error.main' : isPrivate ? 'warning.main' : undefined;
  return (
    <Box
      component="form"
      aria-label={props.name}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      sx={{
        px: { xs: '10px', tablet: '20px' },
        pb: { xs: 'calc(10px + env(safe-area-inset-bottom))', tablet: 1.5 },
      }}
    >
      <Box
        ref={props.frameRef}
        sx={(theme) => ({
          borderRadius: '12px',
          border: isPrivate ? '1px dashed' : '1px solid',
          borderColor: edge ?? 'line.input',
          bgcolor: isPrivate ? 'tint.warning' : 'surface.raised',
          '&:focus-within': {
            borderColor: edge ?? 'primary.main',
            boxShadow: `0 0 0 3px color-mix(in srgb, ${theme.vars.palette[error ? 'error' : isPrivate ? 'warning' : 'primary'].main} 18%, transparent)`,
          },
        })}
      >
        {props.above}
        <InputBase
          multiline
          fullWidth
          minRows={2}
          maxRows={8}
          value={value}
          placeholder={props.placeholder}
          inputRef={props.inputRef}
          endAdornment={props.marks}
          onChange={({ target }) => onChange(target.value, target.selectionStart)}
          onKeyDown={onKeyDown}
          onPaste={props.onPaste}
          onBlur={props.onBlur}
          slotProps={{
            input: {
              'aria-label': props.label,
              'aria-invalid': error !== undefined,
              'aria-describedby': 'composer-note composer-count',
              ...props.aria,
            },
          }}
          sx={{
            padding: '12px 14px 4px',
            '@media (max-width: 639.95px), (hover: none) and (pointer: coarse)': { lineHeight: '22px' },
            '& textarea:focus-visible': { outline: 'none' },
          }}
        />
        {props.below}
        <Box sx={{ display: 'flex', alignItems: 'center', gap: '2px', px: 1, pb: 1, pt: '2px' }}>
          {/* On the narrowest phones they scroll sideways, so that Send stays where the thumb is. */}
          <Box
            sx={{
              flex: 1,
              minWidth: 0,
              display: 'flex',
              gap: '2px',
              overflowX: 'auto',
              scrollbarWidth: 'none',
            }}
          >
            {props.tools}
          </Box>
          {!isTiny && count}
          <SubmitButton {...props.submit} isBusy={props.isBusy} isNarrow={isNarrow} />
        </Box>
      </Box>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          justifyContent: 'space-between',
          columnGap: 2,
          minHeight: 16,
          mt: 1,
          px: '4px',
          typography: 'caption',
          color: 'text.secondary',
        }}
      >
        <Box
          id="composer-note"
          component="span"
          role={error ? 'alert' : undefined}
          sx={{ color: error ? 'error.main' : 'inherit' }}
        >
          {error ?? props.note}
        </Box>
        <Box component="span" sx={{ display: 'flex', gap: 1.5, fontVariantNumeric: 'tabular-nums' }}>
          {isTiny && count}
          {props.cost}
        </Box>
      </Box>
    </Box>
  );
}

interface SubmitButtonProps {
  label: string;
  icon: LucideIcon;
  tip?: string;
  isBusy: boolean;
  isNarrow: boolean;
}

function SubmitButton({ label, icon: Icon, tip, isBusy, isNarrow }: SubmitButtonProps) {
  if (!isNarrow) {
    const button = (
      <Button
        type="submit"
        variant="contained"
        color="primary"
        disabled={isBusy}
        startIcon={<Icon aria-hidden />}
        sx={{ height: 32 }}
      >
        {label}
      </Button>
    );
    if (tip === undefined || isBusy) return button;
    return (
      <Tooltip describeChild title={tip}>
        {button}
      </Tooltip>
    );
  }
  return (
    <IconButton
      type="submit"
      aria-label={label}
      disabled={isBusy}
      sx={{
        bgcolor: 'primary.main',
        color: 'primary.contrastText',
        width: 44,
        height: 44,
        '&:hover': { bgcolor: 'primary.dark' },
      }}
    >
      <Icon />
    </IconButton>
  );
}
