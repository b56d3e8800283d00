import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { CallDefinition, Input } from '../contract/call.ts';
import { authorizedPrefix, keyPrefix, publicPrefix } from '../contract/call-address.ts';
import { everyCall } from '../contract/calls.ts';
import { Refusal } from '../contract/errors.ts';
import { hasScope, scopeOf } from '../contract/scopes.ts';
import { deviceName } from '../contract/text/device-name.ts';
import { noFileProvided } from '../contract/uploads/file-name.ts';
import { checkImageFile } from '../contract/uploads/image.ts';
import type { Actor } from './access/load-actor.ts';
import { refuseUnless, refuseUnlessUserMay, scopeRefusal } from './access/refuse-unless.ts';
import { againAfterDeadlock } from './again-after-deadlock.ts';
import { findActor } from './auth/queries.ts';
import { readSessionToken } from './auth/rules.ts';
import type { Config } from './config.ts';
import { cutOffStalledReader, stalledMs } from './cut-off.ts';
import { asAccount, type Database, mayLag, type Trx } from './db.ts';
import { changesOfSubject, readSubject } from './event-subjects.ts';
import { idempotencyKey, once, onceOutside } from './idempotency.ts';
import { admitKey } from './keys/admit-key.ts';
import { laggingCalls } from './lagging-calls.ts';
import type { Metrics } from './metrics.ts';
import { readJson, refuseUnlessStorable } from './read-json.ts';
import { hasRecorded, recordEvents } from './record-events.ts';
import { refuseCardNumbers } from './refuse-card-numbers.ts';

export type { Actor };

/** A client who isn't signed in, with its known data. */
export interface Visitor {
  database: Database;
  address: string;
  device: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The instance on which routes are registered. */
export interface App {
  http: FastifyInstance;
  database: Database;
  config: Config;
  metrics: Metrics;
}

type ReplyOf<C extends CallDefinition> = z.input<C['reply']>;

const names = new Map<CallDefinition, string>(everyCall.map(({ name, call }) => [call, name]));

/**
 * Binds a call to its function, in one transaction that sees only the caller's account. Validation,
 * permission, tenancy, idempotency and the format of the reply are handled here and nowhere else.
 */
export function serve<C extends CallDefinition>(
  app: App,
  call: C,
  carryOut: (trx: Trx, actor: Actor, input: Input<C>) => Promise<ReplyOf<C>>,
): void {
  const database = databaseFor(app, call);
  route(app, call, authorizedPrefix, async (request) => {
    const actor = await requireActor(app, request, call);
    const input = parseInput(call, request);
    // Nothing has been sent yet when a transaction is aborted because of a deadlock.
    return againAfterDeadlock(() =>
      asAccount(database, actor.accountId, async (trx) => {
        const key = idempotencyKey(call, actor, request);
        const run = async () => {
          const before = await readBefore(trx, actor, call, input.params);
          const reply = answer(call, await carryOut(trx, actor, input));
          await keepEvent(trx, actor, call, { params: input.params, reply, before });
          return reply;
        };
        return key === undefined ? run() : once(trx, actor, requestOf(call, request, key, input), run);
      }),
    );
  });
}

/** Reports and the like are read from the replica, if there is one that lags little enough. */
function databaseFor({ database }: App, call: CallDefinition): Database {
  return laggingCalls.has(call) ? mayLag(database) : database;
}

/** The objects that a call is about to change or delete, so that its event can record before and after. */
async function readBefore(trx: Trx, actor: Actor, { method, event, path }: CallDefinition, params: unknown) {
  if (event === undefined || event === 'none' || method === 'GET') return undefined;
  return readSubject(trx, actor.accountId, event, subjectOf(path, { params, reply: undefined }));
}

/** Records the effect of the call, unless its verb has recorded it in more detail. */
async function keepEvent(
  trx: Trx,
  actor: Actor,
  { event, path }: CallDefinition,
  { before, ...of }: { params: unknown; reply: unknown; before: Awaited<ReturnType<typeof readBefore>> },
): Promise<void> {
  if (event === undefined || event === 'none' || hasRecorded(trx)) return;
  const id = subjectOf(path, of);
  const after = await readSubject(trx, actor.accountId, event, id);
  const changes = changesOfSubject(event, before, after);
  await recordEvents(trx, actor, [{ kind: event, id, changes, ...sizeOf(of.reply) }]);
}

/** Number of objects that a call changed, if its reply contains it. */
function sizeOf(reply: unknown): { count?: number } {
  const { Size } = (reply ?? {}) as Record<string, unknown>;
  return typeof Size === 'number' ? { count: Size } : {};
}

/** Ids in replies that name something else than what was changed. */
const notSubjects = ['UndoID', 'WorkID', 'AccountStatusID', 'CountryID', 'LanguageID', 'DrillListID'];

/** The last id of the path, or else the first one of the reply. */
function subjectOf(path: string, { params, reply }: { params: unknown; reply: unknown }): number | undefined {
  const named = [...path.matchAll(/:(\w+ID)\b/g)].map(([, name = '']) => name).at(-1);
  const given = named === undefined ? undefined : (params as Record<string, unknown>)[named];
  const made = Object.entries((reply ?? {}) as Record<string, unknown>).find(
    ([name, value]) => name.endsWith('ID') && !notSubjects.includes(name) && typeof value === 'number',
  );
  const id = given ?? made?.[1];
  return typeof id === 'number' ? id : undefined;
}

/**
 * For calls that send a request to another company: no transaction is open while they wait; they open their
 * own.
 */
export function serveOutside<C extends CallDefinition>(
  app: App,
  call: C,
  carryOut: (app: App, actor: Actor, input: Input<C>) => Promise<ReplyOf<C>>,
): void {
  route(app, call, authorizedPrefix, async (request) => {
    const actor = await requireActor(app, request, call);
    const input = parseInput(call, request);
    return onceForKeys(app, actor, { call, request, input }, async () =>
      answer(call, await carryOut(app, actor, input)),
    );
  });
}

/** An API key's Idempotency-Key for calls that aren't one transaction. Calls by people have their own. */
async function onceForKeys(
  { database }: App,
  actor: Actor,
  { call, request, input }: { call: CallDefinition; request: FastifyRequest; input: Input<CallDefinition> },
  run: () => Promise<unknown>,
): Promise<unknown> {
  const key = actor.apiKeyId === undefined ? undefined : idempotencyKey(call, actor, request);
  return key === undefined ? run() : onceOutside(database, actor, requestOf(call, request, key, input), run);
}

function requestOf(
  call: CallDefinition,
  { body }: FastifyRequest,
  key: string,
  { params, query }: { params: unknown; query: unknown },
) {
  // A stream can't be read twice: its length from the query or the header has to do.
  const content = body instanceof Readable ? null : body;
  return { callName: names.get(call) ?? call.path, key, content: [params ?? null, query ?? null, content] };
}

/** The same for calls with a raw file: the bytes come in addition to the input. */
export function serveUpload<C extends CallDefinition>(
  app: App,
  call: C,
  carryOut: (app: App, actor: Actor, input: Input<C>, bytes: Buffer) => Promise<ReplyOf<C>>,
): void {
  whereBodiesWait(app, (scoped) =>
    route(scoped, call, authorizedPrefix, async (request) => {
      const actor = await requireActor(app, request, call);
      const bytes = Buffer.concat(await takeBody(call, request, pictureTooLarge(request)).toArray());
      request.body = bytes;
      const input = parseInput(call, request);
      return onceForKeys(app, actor, { call, request, input }, async () =>
        answer(call, await carryOut(app, actor, input, bytes)),
      );
    }),
  );
}

/** The same for files that are too large for memory: the bytes come as a stream that fails at the limit. */
export function serveStream<C extends CallDefinition>(
  app: App,
  call: C,
  /** The signal is aborted when the client has disconnected: nobody waits for the reply any more. */
  carryOut: (
    app: App,
    actor: Actor,
    input: Input<C>,
    upload: { stream: Readable; left: AbortSignal },
  ) => Promise<ReplyOf<C>>,
): void {
  whereBodiesWait(app, (scoped) =>
    route(scoped, call, authorizedPrefix, async (request, reply) => {
      const left = new AbortController();
      reply.raw.once('close', () => left.abort());
      const actor = await requireActor(app, request, call);
      const input = parseInput(call, request);
      const bytes = takeBody(call, request, call.tooLarge);
      // It may fail before it is awaited: an unhandled rejection would end the program.
      bytes.on('error', () => undefined);
      return onceForKeys(app, actor, { call, request, input }, async () =>
        answer(call, await carryOut(app, actor, input, { stream: bytes, left: left.signal })),
      );
    }),
  );
}

/**
 * A separate scope, where a body is not read before the handler runs: data sent without a session is never
 * kept in memory, however slowly it arrives.
 */
function whereBodiesWait(app: App, bind: (scoped: App) => void): void {
  app.http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    bind({ ...app, http: scope as FastifyInstance });
  });
}

/** The raw bytes. They fail when they exceed the limit of the call. */
function takeBody({ uploadBytes = 0 }: CallDefinition, request: FastifyRequest, tooLarge?: string): Readable {
  if (Number(request.headers['content-length']) > uploadBytes) throw new Refusal('tooLarge', tooLarge);
  const whole = request.body instanceof Readable ? request.body : Readable.from([]);
  return whole.compose(upTo(uploadBytes, tooLarge));
}

/** The specification's sentence for a picture that is too large. */
function pictureTooLarge(request: FastifyRequest): string | undefined {
  const { FileName } = (request.params ?? {}) as { FileName?: string };
  return FileName === undefined
    ? undefined
    : checkImageFile(FileName, Number.POSITIVE_INFINITY, 'conversation');
}

function upTo(most: number, message?: string) {
  return async function* (stream: AsyncIterable<Buffer>) {
    let size = 0;
    for await (const bytes of stream) {
      size += bytes.length;
      if (size > most) throw new Refusal('tooLarge', message);
      yield bytes;
    }
    if (size === 0) throw new Refusal('invalid', noFileProvided);
  };
}

/** The reply of a download: its bytes are generated while they are sent. */
export interface Download {
  fileName: string;
  contentType: string;
  stream: Readable;
}

/** Downloads that one user may have in progress; each uses some memory. */
const mostDownloads = 5;

/**
 * Binds a call that replies with a file. It opens its own transactions. No transaction waits for the reader.
 */
export function serveDownload<C extends CallDefinition>(
  app: App,
  call: C,
  carryOut: (app: App, actor: Actor, input: Input<C>) => Promise<Download>,
): void {
  const from = { ...app, database: databaseFor(app, call) };
  route(app, call, authorizedPrefix, async (request, reply) => {
    const actor = await requireActor(app, request, call);
    const input = parseInput(call, request);
    claimDownload(actor.userId, reply);
    const { fileName, contentType, stream } = await carryOut(from, actor, input);
    cutOffStalledReader(reply.raw, stalledMs);
    reply.header('content-type', contentType);
    reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`);
    return reply.send(stream);
  });
}

const downloadsOf = new Map<number, number>();

function claimDownload(userId: number, reply: FastifyReply): void {
  const running = downloadsOf.get(userId) ?? 0;
  if (running >= mostDownloads) {
    throw new Refusal(
      'tooManyAttempts',
      `You have ${mostDownloads} downloads running. Wait until one has finished.`,
    );
  }
  downloadsOf.set(userId, running + 1);
  reply.raw.once('close', () => {
    const left = (downloadsOf.get(userId) ?? 1) - 1;
    if (left === 0) downloadsOf.delete(userId);
    else downloadsOf.set(userId, left);
  });
}

/** Binds a call that needs no session. It opens its own transactions. */
export function servePublic<C extends CallDefinition>(
  app: App,
  call: C,
  carryOut: (visitor: Visitor, input: Input<C>) => Promise<ReplyOf<C>>,
): void {
  route(app, call, publicPrefix, async (request, reply) => {
    const visitor = {
      database: app.database,
      address: addressOf(request),
      device: String(request.headers['user-agent'] ?? '').slice(0, 200),
      request,
      reply,
    };
    return answer(call, await carryOut(visitor, parseInput(call, request)));
  });
}

function route(
  app: App,
  call: CallDefinition,
  prefix: string,
  run: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  const name = names.get(call);
  if (name === undefined) throw new Error(`${call.method} ${call.path} is not listed in contract/calls.ts`);
  const config = {
    callName: name,
    isUpload: call.uploadBytes !== undefined,
    isPublic: call.allow === 'public',
  };
  app.http.route({
    method: call.method,
    url: prefix + call.path,
    config,
    ...bodyLimitOf(call),

    handler: async (request, reply) => {
      refuseCrossSite(request, call);
      reply.header('cache-control', 'no-store');
      return run(request, reply);
    },
  });
  if (scopeOf(name, call) === undefined) return;
  app.http.route({
    method: call.method,
    url: keyPrefix + call.path,
    config: { ...config, isForKeys: true },
    ...bodyLimitOf(call),

    // No browser sends the key by itself, so the page that a request comes from doesn't matter. Cookies are
    // not read.
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      request.actor = await admitKey(app, request, reply, addressOf(request));
      return run(request, reply);
    },
  });
}

/** The address of a request. A connection that its client has closed has no address any more. */
export function addressOf(request: FastifyRequest): string {
  return (request.ip as string | undefined) ?? 'unknown';
}

/** A name, a password and the like, with each character escaped. */
const publicBodyBytes = 8 * 1024;

function bodyLimitOf({ allow, uploadBytes }: CallDefinition): { bodyLimit?: number } {
  if (uploadBytes !== undefined) return { bodyLimit: uploadBytes };
  return allow === 'public' ? { bodyLimit: publicBodyBytes } : {};
}

async function requireActor(app: App, request: FastifyRequest, call: CallDefinition): Promise<Actor> {
  if (request.routeOptions.config.isForKeys && request.actor !== undefined)
    return requireScope(request.actor, call);
  const token = readSessionToken(request.headers.cookie, app.config);
  const actor = token === undefined ? undefined : await findActor(app.database, token, addressOf(request));
  if (actor === undefined) throw new Refusal('signInRequired');
  actor.agent = deviceName(String(request.headers['user-agent'] ?? ''));
  actor.host = request.host;
  request.actor = actor;
  if (call.allow !== 'public') refuseUnless(actor, call.allow);
  if (actor.isLimited && !call.beforeSecondFactor) throw new Refusal('secondFactorRequired');
  if (call.confirm && !actor.isConfirmed) throw new Refusal('confirmationNeeded');
  return actor;
}

/** The rights of a program: those of its key's user, limited to the key's scopes. */
function requireScope(actor: Actor, call: CallDefinition): Actor {
  const needed = scopeOf(names.get(call) ?? '', call);
  if (call.allow !== 'public') refuseUnlessUserMay(actor, call.allow);
  if (needed === undefined) throw scopeRefusal(undefined);
  if (needed !== 'any' && !hasScope(actor.scopes ?? [], needed)) throw scopeRefusal(needed);
  return actor;
}

/**
 * A request that changes something must come from our own pages. Browsers send the origin of a request in
 * Sec-Fetch-Site and Origin; programs send neither, and have no cookie that another site could use.
 */
function refuseCrossSite(request: FastifyRequest, call: CallDefinition): void {
  const site = request.headers['sec-fetch-site'];
  if (call.method === 'GET' && call.path !== '/logout') {
    if (site === 'cross-site') throw new Refusal('crossSite');
    return;
  }
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Refusal('crossSite');
  const origin = request.headers.origin;
  if (origin === undefined) return;
  const host = URL.canParse(origin) ? new URL(origin).host : '';
  if (host !== request.host) throw new Refusal('crossSite');
}

/**
 * After the session was checked: without one, no body is parsed, except by public calls, whose bodies are
 * short.
 */
function parseInput<C extends CallDefinition>(call: C, request: FastifyRequest): Input<C> {
  refuseUnlessStorable(request.params);
  refuseUnlessStorable(request.query);
  if (call.uploadBytes === undefined) request.body = readBody(request);
  if (call.refusesCardNumbers) refuseCardNumbers([request.query, request.body]);
  return {
    params: parsePart(call.params, request.params),
    query: parsePart(call.query, request.query ?? {}),
    headers: parsePart(call.headers, request.headers),
    body: call.uploadBytes === undefined ? parsePart(call.body, request.body ?? {}) : undefined,
  } as Input<C>;
}

function readBody(request: FastifyRequest): unknown {
  const bytes = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/([\w.-]+\+)?json\b/i.test(type)) throw new Refusal('unsupportedMedia');
  return readJson(bytes);
}

/** Many times the number of fields in a form; the reply to a long list of invalid items stays short. */
const mostFieldErrors = 100;

function parsePart(schema: z.ZodType | undefined, given: unknown): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(given, { error: sayWhatToSend });
  if (parsed.success) return parsed.data;
  const seen = new Set<string>();
  const fields = parsed.error.issues
    .slice(0, mostFieldErrors)
    .map((issue) => ({ Field: issue.path.join('.'), Message: issue.message }))
    // The first failing rule sets the field's message.
    .filter(({ Field }) => !seen.has(Field) && seen.add(Field));
  throw new Refusal('invalid', fields[0]?.Message, { fields });
}

/**
 * If a schema has no message of its own: what is wrong, and what to send instead, for the author of a
 * program.
 */
function sayWhatToSend(issue: z.core.$ZodRawIssue): string | undefined {
  const field = issue.path?.join('.');
  if (!field) return undefined;
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `${field} is missing`
        : `${field} must be ${kindWord(issue.expected)}`;
    case 'invalid_value':
      return `${field} must be one of: ${issue.values.join(', ')}`;
    case 'too_big':
      return `${field} must ${sizeWords(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`;
    case 'too_small':
      return `${field} must ${sizeWords(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`;
    default:
      return undefined;
  }
}

function kindWord(expected: string): string {
  if (expected === 'int') return 'a whole number';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function sizeWords(origin: string, bound: string, limit: number | bigint): string {
  if (origin !== 'string' && origin !== 'array') return `be ${bound} ${limit}`;
  const unit = origin === 'string' ? 'character' : 'item';
  return `have ${bound} ${limit} ${unit}${limit === 1 ? '' : 's'}`;
}

function answer(call: CallDefinition, reply: unknown): unknown {
  return call.reply.parse(reply);
}
