import { useEffect, useState } from 'react';

/** The current time, updated at every full step of `everyMs`. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const arm = () => {
      timer = setTimeout(
        () => {
          setNow(new Date());
          arm();
        },
        everyMs - (Date.now() % everyMs),
      );
    };
    arm();
    return () => clearTimeout(timer);
  }, [everyMs]);
  return now;
}
