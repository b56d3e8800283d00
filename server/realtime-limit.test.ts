import { expect, it } from 'vitest';
import { buildAccount, buildUser } from './testing/builders.ts';
import { testApp } from './testing/test-app.ts';
import { keyOf, openSocket } from './testing/test-socket.ts';
import { waitUntil } from './testing/wait-until.ts';

it('a user has at most fifty sockets, others are not affected, and a closed one frees a place', async () => {
  const app = await testApp();
  const account = await buildAccount(app);
  const admin = await buildUser(app, account.accountId, 'admin');
  const key = await keyOf(app, account.owner);
  const open = await Promise.all(Array.from({ length: 50 }, () => openSocket(app.url, key)));
  await expect(openSocket(app.url, key)).rejects.toThrow('tooManySockets');
  await openSocket(app.url, await keyOf(app, admin));
  open[0]?.close();
  await waitUntil(() => openSocket(app.url, key).catch(() => undefined));
});
