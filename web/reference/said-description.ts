import type { OpenApi } from './openapi.ts';

/**
 * The description of the API in the language of the page. It is English, so here is nothing to do; pages in another
 * language are built with languages/said-description.ts in place of this file.
 */
export async function saidDescription(description: OpenApi): Promise<OpenApi> {
  return description;
}
