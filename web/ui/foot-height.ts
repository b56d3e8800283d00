/** What stands at the bottom of the window and must stay in reach: a bar, a composer, the buttons of a wizard. */
const feet = new Set<HTMLElement>();

/** Tells what floats at the bottom how much room to leave: `--foot`. */
function measure(): void {
  const heights = [...feet].map((foot) => window.innerHeight - foot.getBoundingClientRect().top);
  const { style } = document.documentElement;
  if (feet.size === 0) style.removeProperty('--foot');
  else style.setProperty('--foot', `${Math.max(0, ...heights)}px`);
}

/** A ref for what is alone on the screen and is read from the bottom: the snackbar shows under the page's head. */
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
