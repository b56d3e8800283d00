import Button from '@mui/material/Button';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';

/** Back: to the file's start, or to another step of the same page. */
export function BackButton({ to, onPress }: { to?: '/contacts/import'; onPress?: () => void }) {
  const navigate = useNavigate();
  return (
    <Button startIcon={<ArrowLeft />} onClick={() => (to ? void navigate({ to }) : onPress?.())}>
      Back
    </Button>
  );
}
