/** The shape of the page that index.html shows while the application loads. */
export function removeFirstPaint(): void {
  document.documentElement.removeAttribute('data-first');
}
