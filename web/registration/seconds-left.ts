import { useEffect, useState } from 'react';

/** Whole seconds until a moment; 0 once it has passed. */
export function useSecondsLeft(at: string): number {
  const left = () => Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `left` reads `at` and the clock
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}
