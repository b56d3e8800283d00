import sharp from 'sharp';
import { expect, it } from 'vitest';
import { listConversations, listTextMessages } from '../../contract/conversations.ts';
import { openOwnerPool } from '../db.ts';
import { applyInbound } from '../inbound/apply-inbound.ts';
import { buildAccount } from '../testing/builders.ts';
import { testApp } from '../testing/test-app.ts';
import { waitUntil } from '../testing/wait-until.ts';

it('a picture whose job was held by a dead worker is fetched when one starts', async () => {
  const number = '14235550100';
  const app = await testApp({ [number]: 'infobip' });
  const { owner } = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#a30' } })
    .png()
    .toBuffer();
  await app.sandbox.text('4235550155', number, 'Left behind', [
    { ContentType: 'image/png', Data: picture.toString('base64') },
  ]);
  // Only this step, without its jobs.
  const taken = await waitUntil(async () => (await applyInbound(app.database, 10)) || undefined);
  expect(taken).toBe(1);
  const pool = openOwnerPool(app.databaseUrl, 1);
  await pool.query(
    "update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now(), attempts = 1",
  );
  await pool.end();

  await app.startWorker();
  const [conversation] = (await app.call(listConversations, {}, owner)).body.Items;
  const params = { ConversationID: conversation?.ConversationID ?? 0 };
  const texts = async () => (await app.call(listTextMessages, { params }, owner)).body.Items;
  expect(await texts()).toMatchObject([{ Message: 'Left behind' }]);
  await waitUntil(async () => (await texts())[0]?.Media.length === 1);
  const left = await app.database.system.selectFrom('inbound_media').selectAll().execute();
  expect(left).toEqual([]);
});
