const { documentElement: root } = document;

/** Removes the shape of the page that index.html shows while the application loads. */
export function removeFirstPaint(): void {
  root.removeAttribute('data-first');
  root.removeAttribute('data-first-rows');
}

/** However a page fails, the shape doesn't stay over it. */
const LONGEST_MS = 8_000;

/**
 * The frame has been drawn, or a page without it. Rows that public/first-replies.js has drawn stay until their page has them
 * too: between them would be a skeleton.
 */
export function frameIsDrawn(): void {
  const isHere = location.pathname.startsWith(`/${root.getAttribute('data-first')}`);
  if (isHere && root.hasAttribute('data-first-rows')) setTimeout(removeFirstPaint, LONGEST_MS);
  else removeFirstPaint();
}
