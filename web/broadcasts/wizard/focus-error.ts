/** Who wants to go on and can't is led to the first thing that is wrong, once the page shows it. */
export function focusFirstError(): void {
  requestAnimationFrame(() => {
    const wrong = document.querySelector<HTMLElement>(
      'main [aria-invalid="true"]:not([type="hidden"]), main [data-step-error]',
    );
    wrong?.focus();
    wrong?.scrollIntoView({ block: 'center' });
  });
}
