import Box from '@mui/material/Box';
import Button from '@mui/material/Button';

interface ShowMoreProps {
  label: string;
  isDisabled?: boolean;
  onPress: () => void;
}

/** The last band of a card whose rows aren't all shown. */
export function ShowMore({ label, isDisabled = false, onPress }: ShowMoreProps) {
  return (
    <Box sx={{ p: 1.5, borderTop: '1px solid', borderColor: 'line.hair' }}>
      <Button size="small" disabled={isDisabled} onClick={onPress}>
        {label}
      </Button>
    </Box>
  );
}
