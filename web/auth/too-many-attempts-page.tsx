import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { countOf } from '../ui/format.ts';
import { RouterButton } from '../ui/router-button.tsx';
import { retryAt } from './sign-in-attempt.ts';
import { SignInFrame } from './sign-in-frame.tsx';

function secondsLeft(): number {
  return Math.max(0, Math.ceil((retryAt() - Date.now()) / 1000));
}

/** "4:05", "0:09": minutes and seconds. */
function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The lockout notice, with a countdown. */
export function TooManyAttemptsPage() {
  const [left, setLeft] = useState(secondsLeft);
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setLeft(secondsLeft()), 500);
    return () => clearInterval(timer);
  }, [isOver]);
  return (
    <SignInFrame
      title="Too many attempts"
      sentence="For your security, sign-in pauses after several wrong passwords. Each pause is longer than the last."
    >
      <Stack spacing={2.5}>
        {!isOver && (
          <div>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              You can try again in
            </Typography>
            {/* The countdown is visual only; screen readers are told when it ends. */}
            <Typography variant="h4" aria-hidden>
              {formatCountdown(left)}
            </Typography>
          </div>
        )}
        <Typography
          role="status"
          sx={
            isOver
              ? {}
              : {
                  position: 'absolute',
                  width: '1px',
                  height: '1px',
                  overflow: 'hidden',
                  clipPath: 'inset(50%)',
                }
          }
        >
          {isOver
            ? 'You can try again now.'
            : `Wait about ${countOf(Math.ceil(left / 60), 'minute', 'minutes')} before you try again.`}
        </Typography>
        <RouterButton
          to="/login"
          size="large"
          {...(isOver ? { variant: 'contained', color: 'primary' } : {})}
        >
          Back to sign in
        </RouterButton>
      </Stack>
    </SignInFrame>
  );
}
