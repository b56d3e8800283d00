/** When somebody can't continue, moves the focus to the first error, once the page shows it. */
export function focusFirstError(): void {
  requestAnimationFrame(() => {
    const wrong = document.querySelector<HTMLElement>(
      'main [aria-invalid="true"]:not([type="hidden"]), main [data-step-error]',
    );
    wrong?.focus();
    wrong?.scrollIntoView({ block: 'center' });
  });
}
