import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Whoever types a name and presses Enter needn't wait until it is found: what Enter means is done once the choices are
 * there, or not at all when something else was typed meanwhile.
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
