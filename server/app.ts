import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import rateLimit from '@fastify/rate-limit';
import staticFiles from '@fastify/static';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { Refusal } from '../contract/errors.ts';
import { openapi } from '../contract/openapi.ts';
import { languages, requestedLanguage } from '../contract/reference/languages.ts';
import { accountRoutes } from './accounts/routes.ts';
import { assistantRoutes } from './assistants/routes.ts';
import { audioRoutes } from './audio/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { getSecret } from './auth/queries.ts';
import { authRoutes } from './auth/routes.ts';
import { networkOf, readSessionToken } from './auth/rules.ts';
import { draftRoutes } from './broadcasts/draft/routes.ts';
import { emergencyRoutes } from './broadcasts/emergencies/routes.ts';
import { broadcastRoutes } from './broadcasts/routes.ts';
import { callingRoutes } from './calling/routes.ts';
import { compressReplies } from './compress.ts';
import type { Config } from './config.ts';
import { consentRoutes } from './consents/routes.ts';
import { contactRoutes } from './contacts/routes.ts';
import { conversationRoutes } from './conversations/routes.ts';
import { cutOffSlowBody } from './cut-off.ts';
import { type Database, isDatabaseDown } from './db.ts';
import type { FileStore } from './files.ts';
import { homeRoutes } from './home/routes.ts';
import { importRoutes } from './imports/routes.ts';
import { type ApplyHere, hookRoutes, type TakeHere } from './inbound/routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import type { Log } from './log.ts';
import { mediaRoutes } from './media/routes.ts';
import { signLinksWith } from './media-links.ts';
import type { Metrics } from './metrics.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { numberRoutes } from './numbers/routes.ts';
import { onboardingRoutes } from './onboarding/routes.ts';
import { healthRoutes } from './operations.ts';
import type { Carrier } from './outside/carrier.ts';
import { pageWithReplies } from './page-replies.ts';
import { pageScripts, scriptsInOrder } from './page-scripts.ts';
import { purchaseRoutes } from './purchases/routes.ts';
import { type Realtime, startRealtime } from './realtime.ts';
import { registrationRoutes } from './registration/routes.ts';
import { replyRoutes } from './replies/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { scheduledRoutes } from './scheduled/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { addressOf } from './serve.ts';
import { ssoRoutes } from './sso/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { traceCalls, traceIdOf } from './trace.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { zapierRoutes } from './zapier/routes.ts';

export interface WebContext {
  config: Config;
  database: Database;
  carriers: Map<number, Carrier>;
  files: FileStore;
  log: Log;
  metrics: Metrics;
  /** True when this process is fully working at the moment; `/readyz` returns it. */
  isReady: () => boolean;
  /** Messages about everything that its worker can't do at the moment. */
  problems?: () => string[];
  /** See inbound/routes.ts. */
  applyHere: ApplyHere;
  takeHere?: TakeHere;
}

/** A megabyte of JSON or a batch of receipts has to arrive completely in this time, a file in the other. */
const bodyMs = 30_000;
const uploadMs = 15 * 60_000;
/**
 * The timeout of a connection without traffic in either direction. A socket's own pings come every 25
 * seconds.
 */
const idleMs = 5 * 60_000;

/** Limit by address for calls before sign-in: enough for a school behind one router, too few for guessing. */
const publicCallsPerMinute = 240;

/** Source of the card processor's fields; the card number is typed into its frames and goes only to it. */
function processorOrigins(config: Config): { script: string; frame: string; connect: string } {
  if (config.STRIPE_SECRET_KEY === undefined) return { script: '', frame: '', connect: '' };
  const script = ` ${new URL(config.STRIPE_SCRIPT_URL).origin}`;
  if (script !== ' https://js.stripe.com') return { script, frame: script, connect: script };
  const scripts = `${script} https://*.js.stripe.com`;
  return {
    script: scripts,
    frame: `${scripts} https://hooks.stripe.com`,
    connect: ' https://api.stripe.com',
  };
}

/**
 * Everything is served from here, except the help chat and the card processor where the operator has
 * configured them.
 */
function securityHeaders(config: Config) {
  const { HELP_CHAT_URL } = config;
  const chat = HELP_CHAT_URL === undefined ? '' : ` ${new URL(HELP_CHAT_URL).origin}`;
  const processor = processorOrigins(config);
  const frames = chat + processor.frame;
  return {
    'content-security-policy': [
      "default-src 'self'",
      `script-src 'self'${chat}${processor.script}`,
      // MUI adds its styles to the page at run time.
      "style-src 'self' 'unsafe-inline'",
      `img-src 'self' data: blob:${chat}`,
      // Users listen to recordings before sending them.
      "media-src 'self' blob:",
      "font-src 'self'",
      `connect-src 'self'${chat}${processor.connect}`,
      ...(frames === '' ? [] : [`frame-src${frames}`]),
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), payment=()',
  };
}

/** The web process: calls, webhooks, pictures, the socket, the web application, health and metrics. */
export async function createApp(context: WebContext): Promise<{ http: FastifyInstance; realtime: Realtime }> {
  const { config, database, log, metrics } = context;
  signLinksWith(await getSecret(database));
  const headers = securityHeaders(config);
  const http = Fastify({
    loggerInstance: log,
    // Calls are logged below, by name and without their URL.
    logController: new LogController({ disableRequestLogging: true }),
    // One proxy: the address that it saw itself. Anybody can forge earlier entries in X-Forwarded-For.
    trustProxy: config.TRUST_PROXY ? (_address: string, hop: number) => hop === 0 : false,
    genReqId: () => randomUUID(),
    bodyLimit: 1024 * 1024,
    requestTimeout: uploadMs,
    connectionTimeout: idleMs,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 500 },
    // Errors before a route is found (a URL that can't be decoded).
    frameworkErrors: (_error, _request, reply: FastifyReply) => {
      const refusal = new Refusal('invalid', 'The request could not be understood.');
      return reply.headers(headers).code(refusal.status).send(refusal.body);
    },
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance;

  http.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    if (config.isTls) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    if (!isOwnHost(request, config)) throw new Refusal('wrongHost');
    if (!request.routeOptions.config.isUpload) cutOffSlowBody(request.raw, bodyMs);
  });
  http.addHook('onResponse', async (request, reply) => {
    const call = request.routeOptions.config.callName;
    if (call === undefined) return;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    metrics.calls.observe({ call, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    const level = reply.statusCode >= 500 ? 'error' : call.startsWith('hook.') ? 'debug' : 'info';
    // The route's name, never its URL: the URL may contain a secret or a phone.
    log[level](
      {
        reqId: request.id,
        call,
        status: reply.statusCode,
        ms,
        account: request.actor?.accountId,
        user: request.actor?.userId,
        key: request.actor?.apiKeyId,
        trace: traceIdOf(request),
      },
      'call',
    );
  });
  http.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = toRefusal(error, request);
    if (refusal.kind === 'unknown' || refusal.kind === 'product') {
      log.error({ reqId: request.id, call: request.routeOptions.config.callName, err: error }, 'call failed');
    }
    if (refusal.kind === 'tooManyAttempts') {
      const seconds = (refusal.extendedData as { RetryAfterSeconds?: number } | undefined)?.RetryAfterSeconds;
      if (seconds !== undefined) reply.header('retry-after', seconds);
    }
    return reply.code(refusal.status).send(refusal.body);
  });
  traceCalls(http);
  acceptBodies(http);
  compressReplies(http);
  await http.register(rateLimit, {
    global: false,
    keyGenerator: (request) => networkOf(addressOf(request)),
    errorResponseBuilder: (_request, limit) =>
      new Refusal('tooManyAttempts', undefined, {
        extendedData: { RetryAfterSeconds: Math.ceil(limit.ttl / 1000) },
      }),
  });
  const limited = http.rateLimit({ max: publicCallsPerMinute, timeWindow: 60_000 });
  http.addHook('onRoute', (route) => {
    if (route.config?.isPublic) route.onRequest = [limited, ...[route.onRequest ?? []].flat()];
  });

  const realtime = startRealtime({ http: http.server, database, log, metrics });
  const app = { http, database, config, metrics };
  authRoutes(app);
  accountRoutes(app);
  auditRoutes(app);
  keyRoutes(app);
  onboardingRoutes(app);
  ssoRoutes(app);
  searchRoutes(app);
  homeRoutes(app);
  reportRoutes(app);
  numberRoutes(app);
  registrationRoutes(app);
  notificationRoutes(app);
  contactRoutes(app);
  consentRoutes(app);
  importRoutes(app, context.files);
  conversationRoutes(app);
  scheduledRoutes(app);
  templateRoutes(app);
  mediaRoutes(app, context.files);
  audioRoutes(app, context.files, log);
  replyRoutes(app);
  draftRoutes(app);
  broadcastRoutes(app);
  emergencyRoutes(app, context.files, log);
  callingRoutes(app, context.files, log);
  invoiceRoutes(app);
  purchaseRoutes(app);
  webhookRoutes(app);
  integrationRoutes(app);
  assistantRoutes(app);
  zapierRoutes(app);
  hookRoutes(app, context.carriers, context.applyHere, context.takeHere ?? (async () => false));
  healthRoutes(http, context);
  http.get('/api/openapi.json', async (_request, reply) =>
    reply.type('application/json').send(describeApi()),
  );
  await pageRoutes(http, config);
  return { http, realtime };
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;
const anyAddress = /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])$/i;

/**
 * True if a request is for this installation by its host name in PUBLIC_URL, or comes from this machine itself.
 * Otherwise another website whose name resolves to this address (DNS rebinding) could read our replies. Without a
 * PUBLIC_URL any IP address is accepted as the host, since rebinding needs a name. Load balancers may request health
 * by any name.
 */
function isOwnHost(request: FastifyRequest, config: Config): boolean {
  // Short links may be on the account's own host; they only redirect.
  if (/^\/(healthz|readyz|l\/)/.test(request.url)) return true;
  const asked = URL.parse(`${config.isTls ? 'https' : 'http'}://${request.host ?? ''}`);
  if (asked === null) return false;
  if (asked.host === new URL(config.PUBLIC_URL).host || loopback.test(asked.hostname)) return true;
  return !config.isPublicUrlSet && anyAddress.test(asked.hostname);
}

let description: string | undefined;

/** Created on first use: it takes longer than the rest of the startup here. */
function describeApi(): string {
  description ??= JSON.stringify(openapi());
  return description;
}

/** Bodies are kept raw: webhooks and uploads read the bytes, calls parse their JSON after authentication. */
function acceptBodies(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) => done(null, body));
}

function toRefusal(error: FastifyError | Refusal, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  // The client disconnected, or was cut off, before its request was complete. Nobody reads this; it is not
  // our error.
  if (request.raw.destroyed && !request.raw.complete) return new Refusal('invalid');
  if (isDatabaseDown(error)) return new Refusal('unavailable');
  if ('statusCode' in error) {
    if (error.statusCode === 413) return new Refusal('tooLarge');
    if (error.statusCode === 415) return new Refusal('unsupportedMedia');
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
      return new Refusal('invalid', 'The request could not be understood.');
    }
  }
  return new Refusal('unknown');
}

function readBuild(root: string, ending: string) {
  const page = `index${ending}.html`;
  const file = join(root, `.vite/manifest${ending}.json`);
  const manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const html = readFileSync(join(root, page), 'utf8');
  return { page, html, preloadOf: pageScripts(manifest), scriptsOf: scriptsInOrder(manifest) };
}

/** Also for calls that only people can make. */
const noSuchCall =
  'There is no such call for API keys. Check its method and path: the reference at /api/docs lists all of them.';

/** The built web application; every path that isn't a file returns the application itself. */
async function pageRoutes(http: FastifyInstance, config: Config): Promise<void> {
  const root = resolve(config.WEB_DIR);
  const isBuilt = existsSync(root);
  if (isBuilt) {
    await http.register(staticFiles, {
      root,
      wildcard: false,
      index: false,
      preCompressed: true,
      setHeaders(reply, path) {
        const isHashed = path.includes('/assets/');
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  // Each language has its own build (scripts/build.ts). English always exists.
  const builds = new Map(
    languages
      .map(({ code }) => [code, code === 'en' ? '' : `.${code}`] as const)
      .filter(([, ending]) => existsSync(join(root, `index${ending}.html`)))
      .map(([code, ending]) => [code, readBuild(root, ending)]),
  );
  const withReplies = pageWithReplies(http, config);
  http.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const isPage =
      request.method === 'GET' &&
      !/^\/(proxy|hooks|media|assets|metrics|socket\.io|api\/(?!docs))/.test(path);
    if (isPage && isBuilt) {
      // Visitors who aren't signed in are sent to sign-in, which has its scripts in index.html.
      const isSignedIn = readSessionToken(request.headers.cookie, config) !== undefined;
      const build = builds.get(requestedLanguage(request.headers)) ?? builds.get('en');
      reply.header('vary', 'Accept-Encoding, Accept-Language, Cookie');
      const html =
        build && isSignedIn ? await withReplies(request, build.html, build.scriptsOf(path)) : undefined;
      if (html !== undefined) {
        // A service worker's cache ignores no-store. It refuses whatever varies with everything.
        reply.headers({ 'cache-control': 'no-store', vary: '*' });
        return reply.type('text/html; charset=utf-8').send(html);
      }
      const preload = isSignedIn ? build?.preloadOf(path) : undefined;
      if (preload) reply.header('link', preload);
      return reply.header('cache-control', 'no-cache').sendFile(build?.page ?? 'index.html');
    }
    if (isPage)
      return reply.code(503).type('text/plain').send('The web application is not built: run npm start.');
    const said = path.startsWith('/api/v1') ? noSuchCall : undefined;
    return reply.code(404).send(new Refusal('notFound', said).body);
  });
}
