export const noFileProvided = 'No file provided.';
/** "Default upload failure". */
export const fileNotProcessed = 'The file could not be processed.';
export const confirmConsent = 'Please confirm you have collected proper consent.';

/** The ending of a file name in small letters without the dot; empty without one. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 1 || dot < name.length - 6 ? '' : name.slice(dot + 1).toLowerCase();
}

export function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return bytes.length >= magic.length && magic.every((byte, index) => bytes[index] === byte);
}
