import { z } from 'zod';
import { webhookEvents, webhookSample, webhookShapes, webhookTypes } from '../webhook-events.ts';

/** docs/webhooks.md: how to receive webhooks, and every event with its fields and a sample. */
export function webhooksPage(): string {
  const byArea = Map.groupBy(webhookTypes, (type) => webhookEvents[type].area);
  const events = [...byArea].map(([area, types]) => {
    const rows = types.map(
      (type) =>
        `| \`${type}\` | ${webhookEvents[type].about} | [${webhookEvents[type].shape}](#${webhookEvents[type].shape}) |`,
    );
    return [`### ${area}`, ['| event | when | data |', '|---|---|---|', ...rows].join('\n')].join('\n\n');
  });
  return `${[introduction, ...events, '## Data', dataAbout, ...shapes()].join('\n\n')}\n`;
}

function shapes(): string[] {
  return Object.entries(webhookShapes).map(([name, shape]) => {
    const first = webhookTypes.find((type) => webhookEvents[type].shape === name);
    const rows = Object.entries(shape.shape).map(
      ([field, schema]) => `| \`${field}\` | ${kindOf(schema)} | ${schema.description ?? ''} |`,
    );
    const sample = JSON.stringify(first === undefined ? {} : webhookSample(first), null, 2);
    return [
      `### ${name}`,
      ['| field | type | |', '|---|---|---|', ...rows].join('\n'),
      `\`\`\`json\n${sample}\n\`\`\``,
    ].join('\n\n');
  });
}

function kindOf(schema: z.ZodType): string {
  const described = z.toJSONSchema(schema) as {
    type?: string | string[];
    format?: string;
    anyOf?: { type?: string | string[]; format?: string }[];
  };
  const parts = described.anyOf ?? [described];
  return parts.flatMap(({ type, format }) => (format === 'date-time' ? 'moment' : (type ?? []))).join(' or ');
}

const dataAbout = `What \`data\` holds, by the name in the tables above. Names are those of the API. Phones are digits with the country
code; moments are ISO 8601 in UTC. Fields may be added; none is renamed or removed.`;

const introduction = `# Webhooks

Muster posts what happens in an account to addresses of yours. Owners and admins of accounts with API access set them up
under **Settings → Webhooks**. Written from \`contract/webhook-events.ts\`; change that and run \`npm run generate\`.

## Receiving

Every webhook is a \`POST\` with JSON:

\`\`\`json
{ "type": "message.received", "timestamp": "2026-03-10T14:46:08.000Z", "data": { "TextMessageID": 88120 } }
\`\`\`

It is signed as [Standard Webhooks](https://www.standardwebhooks.com) says. Use one of its libraries, or check it
yourself: take the part of your secret after \`whsec_\`, decode it from base64, and compute the HMAC-SHA256 of
\`webhook-id\`, \`webhook-timestamp\` and the raw body with dots between them. Compare it, in base64, with each part of
\`webhook-signature\` (\`v1,…\`, with spaces between several), and refuse timestamps more than five minutes off.

\`\`\`ts
import { Webhook } from 'standardwebhooks';

const event = new Webhook(process.env.MUSTER_WEBHOOK_SECRET).verify(rawBody, request.headers);
\`\`\`

- **Answer with any 2xx status within 15 seconds**, and do the work afterwards. Redirects are not followed.
- **A webhook may come twice, and not in order.** \`webhook-id\` is the same at every try, after a replay and
  after whoever runs Muster has restored a backup: remember those you have seen.
- **What fails is tried again** after about 5 seconds, 1, 5 and 30 minutes, 2, 5, 10, 14, 20 and 20 hours, for three
  days in all. Then it is marked as failed, and can be replayed from the page for 30 days.
- **An endpoint that fails for a week is switched off**, and so is one that answers 410. Owners and admins get an email.
  While it is off, nothing is kept for it.
- **A new secret** signs beside the old one for 24 hours, so that you can change it without losing anything.
- Only public addresses by https get webhooks. Whoever runs Muster can allow others with \`OUTSIDE_ALLOWED_HOSTS\`.

The page shows each delivery with its body, every try and what was answered; it sends tests, and replays one delivery
or a span of time.

## Events`;
