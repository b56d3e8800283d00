/**
 * Words that come from the server, in the language of the page. The server speaks English, so here is nothing to do;
 * pages in another language are built with languages/said.ts in place of this file.
 */
export function said(words: string): string {
  return words;
}

/** A reply of the server, with the sentences in it in the language of the page. */
export async function saidReply(reply: unknown): Promise<unknown> {
  return reply;
}
