/** `npm run bench`: every benchmark, one after the other, each in a process of its own. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const benches = [
  'rules.ts',
  'attacks.ts',
  'round-trip.ts',
  'send-loop.ts',
  'smpp.ts',
  'killed-worker.ts',
  'broadcast.ts',
  'broadcast-faults.ts',
  'contacts.ts',
  'search.ts',
  'import.ts',
  'integrations.ts',
  'recipients.ts',
  'inbound.ts',
  'inbound-screen.ts',
  'inbox.ts',
  'inbox-scroll.ts',
  'change-conversations.ts',
  'results.ts',
  'group-replies.ts',
  'audio.ts',
  'calls.ts',
  'call-starts.ts',
  'beside-calls.ts',
  'audit-log.ts',
  'webhooks.ts',
  'sign-in.ts',
  'numbers.ts',
  'users.ts',
  'api-keys.ts',
  'drips.ts',
  'reports.ts',
  'money.ts',
  'pool.ts',
  'processes.ts',
  'failover.ts',
  'restore.ts',
  'point-in-time.ts',
];

let failed = 0;
for (const name of benches) {
  console.log(`\n${name}`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, name)], { stdio: 'inherit' });
  if (status !== 0) failed += 1;
}
console.log(
  failed === 0 ? '\nEvery figure holds.' : `\n${failed} of ${benches.length} benchmarks missed a figure.`,
);
process.exitCode = failed === 0 ? 0 : 1;
