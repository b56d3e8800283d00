import Button from '@mui/material/Button';
import { Notice } from './notice.tsx';

/** Says what could not be got, and offers to try again. */
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
