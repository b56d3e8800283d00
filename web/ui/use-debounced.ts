import { useEffect, useState } from 'react';

/** The pause in typing before the server is asked. */
const RESTS_MS = 350;

/** The value once it has stopped changing. */
export function useDebounced<Value>(value: Value, restsMs = RESTS_MS): Value {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), restsMs);
    return () => clearTimeout(timer);
  }, [value, restsMs]);
  return later;
}
