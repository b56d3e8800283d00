/** Where a picture is fetched from: by browsers and by carriers, without signing in. */
export function mediaAddress(publicKey: string, size?: 'preview'): string {
  return `/media/${publicKey}${size === 'preview' ? '?size=preview' : ''}`;
}
