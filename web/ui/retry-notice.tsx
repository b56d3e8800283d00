import Button from '@mui/material/Button';
import { Notice } from './notice.tsx';

/** An error notice with a "Try again" button. */
export function RetryNotice({ onRetry, children }: { onRetry: () => void; children: string }) {
  return (
    <Notice
      kind="error"
      actions={
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
