import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Lets people type a name and press Enter before the options have loaded. Enter runs once they are there, or not at all
 * if the text changed meanwhile.
 */
export function useEarlyEnter(areThere: boolean, takeFirst: () => void): { enter(): void; forget(): void } {
  const [isEntered, setIsEntered] = useState(false);
  const take = useEffectEvent(takeFirst);
  useEffect(() => {
    if (!isEntered || !areThere) return;
    setIsEntered(false);
    take();
  }, [isEntered, areThere]);
  return { enter: () => setIsEntered(true), forget: () => setIsEntered(false) };
}
