import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { messageFlow } from '../../contract/reference/consent-types.ts';
import type { Database } from '../db.ts';
import type { RequestRow } from './queries.ts';

/**
 * Pages for the registry’s reviewers: the terms of an organization’s texts, and a picture of how people
 * agree. Their URL contains the registration’s reference, which nobody can guess, and they show nothing that
 * isn’t in the registration.
 */
export function hostPages(http: FastifyInstance, database: Database): void {
  http.get('/registration/:reference/terms', async (request, reply) => {
    const found = await findByReference(database, (request.params as { reference: string }).reference);
    if (found === undefined) return reply.code(404).type('text/plain').send('There is no such page.');
    return reply.type('text/html; charset=utf-8').send(termsPage(found));
  });
  http.get('/registration/:reference/opt-in.png', async (request, reply) => {
    const found = await findByReference(database, (request.params as { reference: string }).reference);
    if (found === undefined) return reply.code(404).type('text/plain').send('There is no such picture.');
    const picture = await sharp(Buffer.from(optInPicture(found)))
      .png()
      .toBuffer();
    return reply.type('image/png').send(picture);
  });
}

type Found = Pick<RequestRow, 'brand' | 'campaign'>;

async function findByReference(database: Database, reference: string): Promise<Found | undefined> {
  if (!/^muster-[0-9a-f]{24}$/.test(reference)) return undefined;
  const row = await database.system
    .selectFrom('registration_requests')
    .select(['brand', 'campaign'])
    .where('reference', '=', reference)
    .orderBy('request_id', 'desc')
    .executeTakeFirst();
  return row as Found | undefined;
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function termsPage({ brand, campaign }: Found): string {
  const name = escapeText(brand.DisplayName);
  const flow = escapeText(campaign.MessageFlow || messageFlow(campaign.ConsentType));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Text message terms of ${name}</title></head>
<body style="font-family:system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;line-height:1.5">
<h1>Text message terms of ${name}</h1>
<p>${escapeText(campaign.Description)}</p>
<h2>How people sign up</h2><p>${flow}</p>
<h2>How to stop</h2><p>Reply STOP to any text to opt out, or HELP for help. Message frequency varies. Message and data rates may apply.</p>
<h2>Contact</h2><p>${escapeText(brand.Email)}</p>
</body></html>`;
}

/** Words on paper: carriers want to see what people see when they agree. */
function optInPicture({ brand, campaign }: Found): string {
  const words = (campaign.MessageFlow || messageFlow(campaign.ConsentType)).split(/\s+/);
  const lines: string[] = [''];
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    if (`${last} ${word}`.length > 68) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  const rows = lines
    .slice(0, 14)
    .map((line, at) => `<text x="48" y="${150 + at * 30}" font-size="20">${escapeText(line)}</text>`)
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" font-family="sans-serif" fill="#13201d">
<rect width="800" height="600" fill="#ffffff"/><rect x="24" y="24" width="752" height="552" rx="12" fill="none" stroke="#c9d3d0" stroke-width="2"/>
<text x="48" y="90" font-size="30" font-weight="bold">${escapeText(brand.DisplayName.slice(0, 40))}: sign up for texts</text>${rows}</svg>`;
}
