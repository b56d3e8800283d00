import { request } from 'undici';
import type { Config } from '../config.ts';
import { isRecord, parseObject } from './carrier-line.ts';

/** A service's result for a picture; `unknown` if it can't tell and never will. */
type PictureVerdict = 'clean' | 'explicit' | 'unknown';

/** A service that checks whether a picture is explicit, in our terms. Each query costs money. */
export interface PictureCheck {
  /** Throws if the service is unavailable at the moment. */
  judge(picture: Buffer): Promise<PictureVerdict>;
}

const wholeMs = 15_000;

/**
 * Google Cloud Vision's SafeSearch (`POST /v1/images:annotate`); undefined without a key for it, and then
 * only users classify pictures.
 */
export function createPictureCheck({
  VISION_API_KEY: key,
  VISION_BASE_URL: baseUrl,
}: Pick<Config, 'VISION_API_KEY' | 'VISION_BASE_URL'>): PictureCheck | undefined {
  if (key === undefined) return undefined;
  const url = `${baseUrl.replace(/\/+$/, '')}/v1/images:annotate`;
  return {
    async judge(picture) {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        // In a header and not in the URL, which others may log.
        headers: { 'content-type': 'application/json', 'x-goog-api-key': key },
        body: JSON.stringify({
          requests: [
            { image: { content: picture.toString('base64') }, features: [{ type: 'SAFE_SEARCH_DETECTION' }] },
          ],
        }),
        signal: AbortSignal.timeout(wholeMs),
      });
      const text = await body.text();
      // 400: this request is invalid and stays so. Everything else may be temporary: quota, a key that is
      // renewed, an outage.
      if (statusCode === 400) return 'unknown';
      if (statusCode !== 200)
        throw new Error(`The picture could not be judged: the answer was ${statusCode}.`);
      return readVerdict(text);
    },
  };
}

function readVerdict(text: string): PictureVerdict {
  const responses = parseObject(text)?.responses;
  const first: unknown = Array.isArray(responses) ? responses[0] : undefined;
  const found = isRecord(first) ? first.safeSearchAnnotation : undefined;
  if (!isRecord(found)) return 'unknown';
  const { adult, racy } = found;
  if (adult === 'LIKELY' || adult === 'VERY_LIKELY' || racy === 'VERY_LIKELY') return 'explicit';
  return adult === 'VERY_UNLIKELY' || adult === 'UNLIKELY' || adult === 'POSSIBLE' ? 'clean' : 'unknown';
}
