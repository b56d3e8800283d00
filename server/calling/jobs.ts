import { sql } from 'kysely';
import { feedCalls } from '../broadcasts/feed/feed-calls.ts';
import { settleCalls } from '../calls/settle-calls.ts';
import { ofCalls } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { createCallProviders } from '../outside/call-providers.ts';
import { runOnce } from '../run-once.ts';
import { closeRecordings, hasClosing } from './close-recordings.ts';
import { earOf } from './hear-calls.ts';
import { keepRecording } from './keep-recording.ts';
import { lookAtCalls } from './look-at-calls.ts';
import { createPlacing } from './place-calls.ts';
import { prepareLaunch } from './prepare-launch.ts';
import { stopRinging } from './stop-ringing.ts';
import { tellOfCalls } from './tell-of-calls.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** Calls are in the queue, or a broadcast that calls is due. */
    place_calls: Record<string, never>;
    /** A message was recorded by telephone: fetch, prepare and save it. */
    keep_recording: { accountId: number; callId: number; url: string; launchCallId?: number };
    /** A caller has recorded a message and is waiting on the line: create a draft from it. */
    prepare_launch: { accountId: number; launchCallId: number };
  }
}

export function createCallingJobs(context: JobContext) {
  const { config, log } = context;
  const database = ofCalls(context.database);
  const providers = createCallProviders(config);
  const placing = { database, log, publicUrl: config.PUBLIC_URL };
  for (const provider of providers.values()) {
    provider.listen?.(earOf({ database, log, publicUrl: config.PUBLIC_URL }, provider));
  }
  const loops = [...providers.values()].map((provider) => createPlacing(placing, provider));
  const feeding = runOnce(() => feedCalls(database));
  const looking = runOnce(async () => {
    const more = await Promise.all([...providers.values()].map((provider) => lookAtCalls(placing, provider)));
    return more.some(Boolean);
  });
  const settling = runOnce(() => settleCalls(database));
  const placeAll = () => {
    for (const loop of loops) loop.run();
  };
  const place = async () => {
    // Also before: people who were already waiting don't wait for those who are added.
    placeAll();
    await feeding.run();
    placeAll();
  };
  return {
    tasks: {
      place_calls: place,
      keep_recording: (payload) => keepRecording({ ...context, providers }, payload),
      prepare_launch: (payload) => prepareLaunch({ ...context, providers }, payload),
    },
    waiting: [
      {
        where: sql`exists (select from call_queue where state = 'waiting' and due_at <= now())
          or exists (select from broadcasts where status in ('scheduled', 'broadcasting') and next_call_at <= now())`,
        run: place,
      },
      {
        where: sql`exists (select from call_queue where state not in ('waiting', 'over') and look_at <= now())`,
        run: looking.run,
      },
      {
        where: sql`exists (select from call_queue where state = 'over')`,
        run: settling.run,
      },
      {
        where: hasClosing,
        run: () => closeRecordings(database),
      },
      {
        where: sql`exists (select from call_queue where broadcast_id is not null)`,
        run: async () => stopRinging(database, providers, await tellOfCalls(database)),
      },
    ],
    problems: () => [...providers.values()].flatMap((provider) => provider.problem?.() ?? []),
    async stop() {
      await Promise.all([
        ...loops.map((loop) => loop.stop()),
        feeding.stop(),
        looking.stop(),
        settling.stop(),
      ]);
      await Promise.all([...providers.values()].map((provider) => provider.close()));
    },
  } satisfies SliceJobs;
}
