import { createHash, timingSafeEqual } from 'node:crypto';

/** In a time that reveals neither where two secrets differ nor how long the right one is. */
export function equalSecrets(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
