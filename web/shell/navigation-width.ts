import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo, useState } from 'react';

const storageKey = 'muster-navigation';

export interface NavigationWidth {
  isRail: boolean;
  /** Below 1200 px there is room only for the rail. */
  canChange: boolean;
  toggle: () => void;
}

/** 232 px or the 72 px rail. Remembers the user's choice; narrow windows always get the rail. */
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
