import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo, useState } from 'react';

const storageKey = 'muster-navigation';

export interface NavigationWidth {
  isRail: boolean;
  /** Below 1200 the rail is all there is room for. */
  canChange: boolean;
  toggle: () => void;
}

/** 232 px or the 72 px rail: the user's choice is remembered, and narrow windows get the rail anyway. */
export function useNavigationWidth(): NavigationWidth {
  const hasRoom = useMediaQuery((theme) => theme.breakpoints.up('lg'), { noSsr: true });
  const [choice, setChoice] = useState(() => localStorage.getItem(storageKey));
  return useMemo(
    () => ({
      isRail: !hasRoom || choice === 'rail',
      canChange: hasRoom,
      toggle: () => {
        const next = choice === 'rail' ? 'wide' : 'rail';
        localStorage.setItem(storageKey, next);
        setChoice(next);
      },
    }),
    [hasRoom, choice],
  );
}
