/** Elements at the bottom of the window that must stay reachable: a bar, a composer, a wizard's buttons. */
const feet = new Set<HTMLElement>();

/** Sets `--foot`, the room that floating elements leave at the bottom. */
function measure(): void {
  const heights = [...feet].map((foot) => window.innerHeight - foot.getBoundingClientRect().top);
  const { style } = document.documentElement;
  if (feet.size === 0) style.removeProperty('--foot');
  else style.setProperty('--foot', `${Math.max(0, ...heights)}px`);
}

/** A ref for a full-screen element that is read from the bottom: the snackbar shows below the page's head instead. */
export function snackbarAtTop(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  document.documentElement.dataset.snackbar = 'top';
  return () => {
    delete document.documentElement.dataset.snackbar;
  };
}

/** A ref for such an element. The snackbar shows above it. */
export function footRef(foot: HTMLElement | null): (() => void) | undefined {
  if (!foot) return undefined;
  feet.add(foot);
  const observer = new ResizeObserver(measure);
  observer.observe(foot);
  window.addEventListener('resize', measure);
  return () => {
    feet.delete(foot);
    observer.disconnect();
    window.removeEventListener('resize', measure);
    measure();
  };
}
