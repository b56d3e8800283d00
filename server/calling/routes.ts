import type { FastifyReply, FastifyRequest } from 'fastify';
import * as calls from '../../contract/calling.ts';
import { uploadAudio } from '../audio/upload-audio.ts';
import { giveMessage } from '../broadcasts/feed/give-message.ts';
import { readLaunchKey } from '../calls/launch-rules.ts';
import { setPace } from '../calls/set-pace.ts';
import { asAccount, ofCalls } from '../db.ts';
import type { FileStore } from '../files.ts';
import type { Log } from '../log.ts';
import { callCarriers, createCallProviders } from '../outside/call-providers.ts';
import type { CallNews, CallProvider } from '../outside/calls.ts';
import { type Hook, HookRefused } from '../outside/carrier.ts';
import { type Actor, type App, serve, serveOutside, serveStream } from '../serve.ts';
import { addCallerId, deleteCallerId, listCallerIds } from './change-caller-ids.ts';
import {
  deletePhoneLaunch,
  getIvrAuthorization,
  getPhoneLaunch,
  setPhoneLaunch,
} from './change-phone-launch.ts';
import {
  addTransferNumber,
  deleteTransferNumber,
  listTransferNumbers,
  updateTransferNumber,
} from './change-transfer-numbers.ts';
import { callForRecording, createRecording, getRecording, listRecordings } from './record-message.ts';
import { spokenRoutes } from './spoken-routes.ts';
import { takeLaunchStep } from './take-launch-step.ts';
import { takeNews, takeStep } from './take-news.ts';
import { takeVerified } from './take-verified.ts';
import { testCall } from './test-call.ts';

/** One call per webhook; Infobip reports many at once. */
const bodyBytes = { infobip: 4 * 1024 * 1024, twilio: 64 * 1024 } as const;

export function callingRoutes(app: App, files: FileStore, log: Log): void {
  const providers = createCallProviders(app.config);
  app.http.addHook('onReady', () =>
    setPace(app.database, new Set(providers.keys()), {
      lines: app.config.CALL_LINES,
      startsPerSecond: app.config.CALL_STARTS_PER_SECOND,
      first: app.config.CALL_CARRIER && callCarriers[app.config.CALL_CARRIER],
    }),
  );
  app.http.addHook('onClose', async () => {
    await Promise.all([...providers.values()].map((provider) => provider.close()));
  });

  serve(app, calls.listTransferNumbers, listTransferNumbers);
  serve(app, calls.addTransferNumber, addTransferNumber);
  serveOutside(app, calls.updateTransferNumber, updateTransferNumber);
  serve(app, calls.deleteTransferNumber, deleteTransferNumber);
  serve(app, calls.listCallerIds, listCallerIds);
  serveOutside(app, calls.addCallerId, (_app, actor, input) => addCallerId(app, providers, actor, input));
  serveOutside(app, calls.deleteCallerId, (_app, actor, input) =>
    deleteCallerId(app, providers, actor, input),
  );

  serve(app, calls.setBroadcastAudio, (trx, actor, { params, body }) =>
    giveMessage(trx, actor, params.BroadcastID, { part: 'Audio', audioId: body.AudioID }),
  );
  serve(app, calls.setBroadcastAudioVM, (trx, actor, { params, body }) =>
    giveMessage(trx, actor, params.BroadcastID, { part: 'AudioVM', audioId: body.AudioID }),
  );
  const upload = async (
    actor: Actor,
    broadcastId: number,
    part: 'Audio' | 'AudioVM',
    stream: Parameters<typeof uploadAudio>[3],
  ) => {
    const audio = await uploadAudio(
      { ...app, files },
      actor,
      {
        params: { FileName: 'Message.wav' },
        query: { type: 'announcement', cutsilence: false },
        body: undefined,
        headers: { 'x-audio-origin': 'Converted' },
      },
      stream,
    );
    return asAccount(app.database, actor.accountId, (trx) =>
      giveMessage(trx, actor, broadcastId, { part, audioId: audio.AudioID }),
    );
  };
  serveStream(app, calls.uploadBroadcastAudio, (_app, actor, { params }, { stream }) =>
    upload(actor, params.BroadcastID, 'Audio', stream),
  );
  serveStream(app, calls.uploadBroadcastAudioVM, (_app, actor, { params }, { stream }) =>
    upload(actor, params.BroadcastID, 'AudioVM', stream),
  );

  serve(app, calls.createRecording, createRecording);
  serve(app, calls.getRecording, getRecording);
  serve(app, calls.listRecordings, listRecordings);
  serve(app, calls.callForRecording, callForRecording);
  serve(app, calls.testCall, testCall);

  serve(app, calls.getIvrAuthorization, getIvrAuthorization);
  serve(app, calls.getPhoneLaunch, getPhoneLaunch);
  serveOutside(app, calls.setPhoneLaunch, setPhoneLaunch);
  serve(app, calls.deletePhoneLaunch, deletePhoneLaunch);

  hookRoutes(app, providers, log);
  spokenRoutes(app, log);
}

/** Providers ask here for the next step of a call, and report its events. */
function hookRoutes(app: App, providers: ReadonlyMap<number, CallProvider>, log: Log): void {
  const context = { database: ofCalls(app.database), publicUrl: app.config.PUBLIC_URL, log };
  const routes = [
    { name: 'infobip', aggregatorId: 5, paths: ['voice/:secret', 'call/:secret', 'machine/:secret'] },
    { name: 'twilio', aggregatorId: 2, paths: ['voice', 'call', 'machine', 'callerid'] },
  ] as const;
  for (const { name, aggregatorId, paths } of routes) {
    const provider = providers.get(aggregatorId);
    if (provider === undefined) continue;
    for (const path of paths) {
      app.http.post(
        `/hooks/${name}/${path}`,
        { bodyLimit: bodyBytes[name], config: { callName: `hook.${name}.${path.split('/')[0]}` } },
        async (request, reply) => answer(provider, request, reply),
      );
    }
  }

  async function answer(provider: CallProvider, request: FastifyRequest, reply: FastifyReply) {
    let said = provider.hookReply;
    try {
      for (const news of provider.readHook(hookOf(app, request))) {
        if (news.kind === 'callerId') await takeVerified(context.database, news);
        else if (news.kind !== 'step') await takeNews(context, provider, news);
        else if (isLaunch(news)) {
          const { key, steps } = await takeLaunchStep(app.database, provider.aggregatorId, news);
          said = provider.writeSteps(steps, key);
        } else said = provider.writeSteps(await takeStep(context, news), news.key);
      }
    } catch (error) {
      if (error instanceof HookRefused) return reply.code(403).send({ Message: 'Not accepted.' });
      throw error;
    }
    return reply.type(said.contentType).send(said.body);
  }
}

/** An inbound call: the first webhook has no key, the next ones have the key of that call. */
function isLaunch({ key, isInbound }: Extract<CallNews, { kind: 'step' }>): boolean {
  return readLaunchKey(key) !== undefined || (isInbound && key === '');
}

function hookOf(app: App, request: FastifyRequest): Hook {
  return {
    url: app.config.PUBLIC_URL + request.url,
    secret: (request.params as { secret?: string }).secret ?? '',
    query: request.query as Record<string, string>,
    headers: request.headers,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  };
}
