import { useEffect, useState } from 'react';

/** Typing rests this long before the server is asked. */
const RESTS_MS = 350;

/** The value as it was when it last stood still. */
export function useDebounced<Value>(value: Value, restsMs = RESTS_MS): Value {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), restsMs);
    return () => clearTimeout(timer);
  }, [value, restsMs]);
  return later;
}
