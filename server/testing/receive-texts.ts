import { randomUUID } from 'node:crypto';
import { applyInbound } from '../inbound/apply-inbound.ts';
import { storeInbound } from '../inbound/store-hooks.ts';
import type { TestApp } from './test-app.ts';

interface ReceivedText {
  from: string;
  body: string;
  at?: Date | undefined;
}

/** Texts to one of our numbers at Infobip, stored and applied as its webhook would, without the sandbox. */
export async function receiveTexts(app: TestApp, to: string, texts: readonly ReceivedText[]): Promise<void> {
  await storeInbound(
    app.database,
    5,
    texts.map(({ from, body, at = new Date() }) => ({
      inboundKey: `test:${randomUUID()}`,
      from,
      to,
      body,
      media: [],
      occurredAt: at,
    })),
  );
  await applyInbound(app.database, 500);
}
