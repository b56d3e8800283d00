import { useEffect, useState } from 'react';

/** The value as it was when it last stood still for so many milliseconds: waits for a pause in typing. */
export function useLater<Value>(value: Value, ms: number): Value {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return later;
}
