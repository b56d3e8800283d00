import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import { type ReactNode, type Ref, useId } from 'react';

export interface FieldProps {
  label: string;
  /** Below the box; an error replaces it. */
  help?: ReactNode;
  error?: string | undefined;
  /** To the right of the label. */
  aside?: ReactNode;
  /** Gets the IDs that connect the control to its label and help. */
  children: (ids: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }) => ReactNode;
}

/** Label above, box, help or error below; never a floating label. */
export function Field({ label, help, error, aside, children }: FieldProps) {
  const id = useId();
  const note = error ?? help;
  const noteId = note ? `${id}-note` : undefined;
  return (
    <FormControl error={error !== undefined} fullWidth>
      <Box
        sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'baseline', gap: 1, mb: '6px' }}
      >
        <FormLabel htmlFor={id}>{label}</FormLabel>
        {aside}
      </Box>
      {children({ id, 'aria-describedby': noteId, 'aria-invalid': error !== undefined })}
      {note && <FormHelperText id={noteId ?? ''}>{note}</FormHelperText>}
    </FormControl>
  );
}

export type TextFieldProps = Omit<OutlinedInputProps, 'error' | 'label' | 'id' | 'size' | 'ref'> &
  Pick<FieldProps, 'label' | 'help' | 'error' | 'aside'> & {
    /** 42 px instead of 36, as on sign-in. */
    isLarge?: boolean;
    /** The input's ref, for react-hook-form. */
    ref?: Ref<HTMLInputElement>;
  };

/** A text field with one line, or several with `multiline`. Takes react-hook-form's register(). */
export function TextField({ label, help, error, aside, isLarge = false, sx, ref, ...input }: TextFieldProps) {
  return (
    <Field label={label} help={help} error={error} aside={aside}>
      {({ id, ...aria }) => (
        <OutlinedInput
          {...input}
          id={id}
          inputRef={ref}
          slotProps={{ ...input.slotProps, input: { ...input.slotProps?.input, ...aria } }}
          sx={[isLarge && { minHeight: 42 }, ...(Array.isArray(sx) ? sx : [sx])]}
        />
      )}
    </Field>
  );
}
