// Google Cloud Vision's images:annotate, the part that Muster speaks: SAFE_SEARCH_DETECTION.
import type { IncomingMessage, ServerResponse } from 'node:http';
import sharp from 'sharp';
import { isRecord, readBody, sendJson } from './http.ts';

type Likelihood = 'UNKNOWN' | 'VERY_UNLIKELY' | 'VERY_LIKELY';

const mostRequests = 16;

export async function serveVision(
  apiKey: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const key =
    request.headers['x-goog-api-key'] ?? new URL(request.url ?? '', 'http://sandbox').searchParams.get('key');
  if (request.method !== 'POST') return refuse(response, 404, 'NOT_FOUND', 'Not found.');
  if (key !== apiKey) return refuse(response, 403, 'PERMISSION_DENIED', 'The API key is not valid.');
  const requests = readRequests(await readBody(request));
  if (requests === undefined)
    return refuse(response, 400, 'INVALID_ARGUMENT', 'Request must be JSON with requests.');
  sendJson(response, 200, { responses: await Promise.all(requests.map(annotate)) });
}

function refuse(response: ServerResponse, code: number, status: string, message: string): void {
  sendJson(response, code, { error: { code, message, status } });
}

function readRequests(body: Buffer): unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (!isRecord(parsed) || !Array.isArray(parsed.requests)) return undefined;
    return parsed.requests.length <= mostRequests ? parsed.requests : undefined;
  } catch {
    return undefined;
  }
}

async function annotate(request: unknown) {
  const { image, features } = isRecord(request) ? request : {};
  const content = isRecord(image) && typeof image.content === 'string' ? image.content : '';
  const wants =
    Array.isArray(features) &&
    features.some((feature) => isRecord(feature) && feature.type === 'SAFE_SEARCH_DETECTION');
  if (!wants) return {};
  try {
    return { safeSearchAnnotation: await judge(Buffer.from(content, 'base64')) };
  } catch {
    return { error: { code: 3, message: 'Bad image data.' } };
  }
}

/** The pictures are made so small that a look at each of their pixels costs nothing. */
const side = 32;

/** By the color of more than half of it: red is explicit, blue can't be told, everything else is clean. */
async function judge(picture: Buffer) {
  const { data } = await sharp(picture, { limitInputPixels: 50_000_000 })
    .resize(side, side, { fit: 'fill' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let red = 0;
  let blue = 0;
  for (let at = 0; at + 2 < data.length; at += 3) {
    const [r = 0, g = 0, b = 0] = [data[at], data[at + 1], data[at + 2]];
    if (r >= 120 && r > 3 * g && r > 3 * b) red += 1;
    if (b >= 120 && b > 3 * r && b > 3 * g) blue += 1;
  }
  const half = (side * side) / 2;
  const adult: Likelihood = red > half ? 'VERY_LIKELY' : blue > half ? 'UNKNOWN' : 'VERY_UNLIKELY';
  const other: Likelihood = 'VERY_UNLIKELY';
  return { adult, spoof: other, medical: other, violence: other, racy: other };
}
