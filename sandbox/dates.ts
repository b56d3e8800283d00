// Both carriers' ways to write a moment. Reports come in heaps with the same millisecond: the last one
// written is remembered.

let lastMs = -1;
let lastText = '';

/** 2026-11-20T15:00:00.000+0000 */
export function formatInfobipDate(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = `${new Date(ms).toISOString().slice(0, -1)}+0000`;
  }
  return lastText;
}

/** Fri, 20 Nov 2026 15:00:00 +0000 */
export function formatTwilioDate(ms: number): string {
  return new Date(ms).toUTCString().replace('GMT', '+0000');
}
