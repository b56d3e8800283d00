import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Switch from '@mui/material/Switch';
import { useId } from 'react';

interface SwitchRowProps {
  label: string;
  help?: string;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (isOn: boolean) => void;
}

/** A switch with its label at the left; the whole row toggles it. */
export function SwitchRow({ label, help, isOn, isDisabled = false, onChange }: SwitchRowProps) {
  const helpId = useId();
  return (
    <div>
      <FormControlLabel
        labelPlacement="start"
        control={
          <Switch
            checked={isOn}
            disabled={isDisabled}
            onChange={(_, checked) => onChange(checked)}
            slotProps={{ input: { 'aria-describedby': help ? helpId : undefined } }}
          />
        }
        label={label}
        sx={{
          m: 0,
          gap: 2,
          minHeight: 24,
          width: '100%',
          justifyContent: 'space-between',
          '& .MuiFormControlLabel-label': { fontWeight: 550 },
        }}
      />
      {help && (
        <FormHelperText id={helpId} sx={{ mt: '2px', mr: 7 }}>
          {help}
        </FormHelperText>
      )}
    </div>
  );
}
