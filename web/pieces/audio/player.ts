import { useCallback, useEffect, useSyncExternalStore } from 'react';

/** One message plays at a time, wherever on the page it is started. */
interface Playing {
  key: string | undefined;
  isPlaying: boolean;
  seconds: number;
  /** The file could not be fetched or played. */
  isFailed: boolean;
}

const nothing: Playing = { key: undefined, isPlaying: false, seconds: 0, isFailed: false };
let state = nothing;
let element: HTMLAudioElement | undefined;
const listeners = new Set<() => void>();

function set(change: Partial<Playing>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

/** The browser says where it is four times a second: too seldom for a line that moves. */
function follow(): void {
  if (!element || !state.isPlaying) return;
  set({ seconds: element.currentTime });
  requestAnimationFrame(follow);
}

function player(): HTMLAudioElement {
  if (element) return element;
  element = new Audio();
  element.addEventListener('playing', () => {
    set({ isPlaying: true });
    follow();
  });
  element.addEventListener('pause', () => set({ isPlaying: false, seconds: element?.currentTime ?? 0 }));
  element.addEventListener('ended', () => set({ isPlaying: false, seconds: 0 }));
  element.addEventListener('error', () => {
    // Taking the source away is an error too, and nobody's.
    if (element?.getAttribute('src')) set({ isPlaying: false, isFailed: true });
  });
  return element;
}

function start(key: string, source: string, at: number): void {
  const audio = player();
  if (state.key !== key) {
    set({ ...nothing, key });
    audio.src = source;
  }
  if (at > 0 || audio.ended) audio.currentTime = at;
  audio.play().catch((error: unknown) => {
    // A second press before it had begun; anything else is shown.
    if (!(error instanceof DOMException && error.name === 'AbortError'))
      set({ isPlaying: false, isFailed: true });
  });
}

/** Silence: a page is left, a dialog closed, a recording begun. */
export function stopPlaying(): void {
  if (!element || state.key === undefined) return;
  element.pause();
  element.removeAttribute('src');
  element.load();
  set(nothing);
}

export function useStopOnLeave(): void {
  useEffect(() => stopPlaying, []);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** This message's playback. The progress of other messages doesn't render it again. */
export function usePlayer(key: string, source: string) {
  const own = useSyncExternalStore(subscribe, () => (state.key === key ? state : nothing));
  const toggle = useCallback(() => {
    if (own.isPlaying) element?.pause();
    else start(key, source, own.key === key ? own.seconds : 0);
  }, [own, key, source]);
  const seek = useCallback(
    (seconds: number) => {
      if (state.key !== key) {
        set({ ...nothing, key });
        player().src = source;
      }
      player().currentTime = seconds;
      set({ seconds });
    },
    [key, source],
  );
  return { ...own, isCurrent: own.key === key, toggle, seek };
}
