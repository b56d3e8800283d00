import type { CallDefinition, CallInput, Reply } from '../contract/call.ts';
import { pathOf, prefixOf, queryOf } from '../contract/call-address.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import { pageCodes } from '../contract/page-codes.ts';
import { saidReply } from './ui/said.ts';

/** HTTP/2 has no status texts. */
const statusTexts: Record<number, string> = { 502: 'Bad Gateway', 503: 'Service Unavailable' };

/** The error with which a call was refused, or why it could not be made. */
export class ApiError extends Error {
  readonly status: number;
  readonly url: string;
  readonly method: string;
  readonly body: Partial<ErrorBody>;
  readonly isProductLevel: boolean;

  constructor(of: {
    status: number;
    statusText: string;
    url: string;
    method: string;
    body: Partial<ErrorBody>;
  }) {
    const code = of.body.ErrorCode ?? 0;
    const isProductLevel = of.status === 500 && code >= 4000 && code <= 4003;
    const unreachable = statusTexts[of.status] && (of.statusText || statusTexts[of.status]);
    super(isProductLevel ? of.body.Message : (unreachable ?? 'Unknown error'));
    this.name = 'ApiError';
    this.status = of.status;
    this.url = of.url;
    this.method = of.method;
    this.body = of.body;
    this.isProductLevel = isProductLevel;
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** The refusal's message for one field, where the server marked fields. */
export function fieldMessages(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries((error.body.Errors ?? []).map(({ Field, Message }) => [Field, Message]));
}

export interface Noun {
  one: string;
  many: string;
}

/** "There was an error getting your conversations.": the plural when getting, otherwise the singular. */
export function genericMessage(doing: 'getting' | 'adding' | 'updating' | 'deleting', noun: Noun): string {
  const { one, many } = noun;
  switch (doing) {
    case 'getting':
      return `There was an error getting your ${many}.`;
    case 'adding':
      return `There was an error adding your ${one}.`;
    case 'updating':
      return `There was an error updating your ${one}.`;
    case 'deleting':
      return `There was an error deleting your ${one}.`;
  }
}

/**
 * The message for the person at the screen. Product-level errors and messages that the server wrote for
 * people (on POST) are shown as they are; otherwise the generic text of the action.
 */
export function shownMessage(error: unknown, generic: string): string {
  if (!(error instanceof ApiError)) return generic;
  if (error.isProductLevel || error.status === 502 || error.status === 503) return error.message;
  const { ErrorType, Message } = error.body;
  const isForPeople = ErrorType === 'Display' || ErrorType === 'Informational';
  return error.method === 'POST' && isForPeople && Message ? Message : generic;
}

/** Returned for a 404: an empty object, or the body with ErrorCode 404 on the paths that give a reason. */
export interface Missing {
  ErrorCode?: 404;
  Message?: string;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** The raw body of a call that takes a file. */
  file?: Blob | null | undefined;
  /** One key per action: a retry of the same action passes the same key, so that it has one effect. */
  idempotencyKey?: string | undefined;
  /** `refuse` turns a 404 into an ApiError (see isNotFound); otherwise it is answered as `Missing`. */
  missing?: 'empty' | 'refuse';
}

type Answer<C extends CallDefinition, O> = O extends { missing: 'refuse' } ? Reply<C> : Reply<C> | Missing;
/** The input may be left out where the call needs none. */
export type CallArguments<C extends CallDefinition, O> =
  object extends CallInput<C> ? [input?: CallInput<C>, options?: O] : [input: CallInput<C>, options?: O];

/** The spec's exceptions: for these, a 404 returns its body. */
const explainsMissing = [
  '/account/localnumbers',
  '/account/reservelocalnumber',
  '/account/toll-free-registration',
  '/invoices/preview',
  '/aws/texting/registration/resendauthplusemail',
  '/aws/texting/registration/resendsmsotp',
];

interface Surroundings {
  origin: string;
  currentPath: () => string;
  goTo: (url: string) => void;
  /** Asks the user to confirm that it's them; false if they don't. */
  confirm?: () => Promise<boolean>;
  session?: SessionExchange;
  /** A reply that was asked for before the application ran; each is given once. */
  takeFirstReply?: (url: string) => Promise<Response | undefined>;
}

declare global {
  /** By address (public/first-replies.js). */
  var firstReplies: Map<string, Promise<Response>> | undefined;
}

/** Undefined without one, or if the server couldn't be reached then: it is asked again. */
export async function takeFirstReply(url: string): Promise<Response | undefined> {
  const reply = globalThis.firstReplies?.get(url);
  globalThis.firstReplies?.delete(url);
  return reply?.catch(() => undefined);
}

/** This browser sometimes exchanges its session for a new one, such as after a new password. */
export interface SessionExchange {
  done: number;
  pending: Promise<unknown> | undefined;
}

export function newIdempotencyKey(): string {
  // randomUUID exists only on https and localhost; an office that runs Muster over plain http needs keys too.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Creates the function that makes calls; tests pass their own environment. */
export function createApi(around: Surroundings) {
  async function leave(): Promise<void> {
    await fetch(`${around.origin}/proxy/public/logout`, {
      credentials: 'same-origin',
      cache: 'no-store',
    }).catch(() => {});
    around.goTo('/login?error=loginmanually');
  }

  return async function callApi<C extends CallDefinition, const O extends CallOptions = object>(
    call: C,
    ...[input, options]: CallArguments<C, O>
  ): Promise<Answer<C, O>> {
    const { params, query, body } = (input ?? {}) as {
      params?: Record<string, unknown>;
      query?: Record<string, unknown>;
      body?: unknown;
    };
    const { signal, file, idempotencyKey, missing }: CallOptions = options ?? {};
    const path = pathOf(call, params);
    const url = `${around.origin}${prefixOf(call)}${path}${queryOf(query)}`;
    const headers: Record<string, string> = { Accept: 'application/json' };
    const request: RequestInit = {
      method: call.method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
    };
    if (signal) request.signal = signal;
    if (call.takesIdempotencyKey) headers['Idempotency-Key'] = idempotencyKey ?? newIdempotencyKey();
    if (call.uploadBytes !== undefined) {
      if (!file) throw new Error('No file provided.');
      headers['Content-Type'] = file.type || 'application/octet-stream';
      request.body = file;
    } else if (body !== undefined) {
      headers['Content-Type'] = 'application/json';
      request.body = JSON.stringify(body);
    }

    const exchangesBefore = around.session?.done;
    const first = call.method === 'GET' ? await around.takeFirstReply?.(url) : undefined;
    let response = first ?? (await fetch(url, request));
    if (response.status === 401 && call.allow !== 'public') {
      await around.session?.pending;
      // It was sent with the session that this browser had before.
      if (around.session?.done !== exchangesBefore) response = await fetch(url, request);
    }
    let reply = await readReply(response);
    if (errorCodeOf(reply) === pageCodes.confirmationNeeded && (await around.confirm?.())) {
      response = await fetch(url, request);
      reply = await readReply(response);
    }
    const isRefusal = typeof reply === 'object' && reply !== null && 'ErrorCode' in reply;
    if (response.ok && !isRefusal) return reply as Answer<C, O>;

    const refusal = new ApiError({
      status: response.status,
      statusText: response.statusText,
      url: `${prefixOf(call)}${path}`,
      method: call.method,
      body: isRefusal ? (reply as Partial<ErrorBody>) : {},
    });
    if (
      refusal.body.ErrorCode === pageCodes.secondFactorRequired &&
      around.currentPath() !== '/second-factor'
    )
      around.goTo('/second-factor');
    if (response.status === 401 && !around.currentPath().startsWith('/login')) await leave();
    if (response.status === 404 && missing !== 'refuse') {
      const explained = explainsMissing.some((ending) => path.endsWith(ending));
      return (explained ? { ...refusal.body, ErrorCode: 404 } : {}) as Answer<C, O>;
    }
    throw refusal;
  };
}

function errorCodeOf(reply: unknown): unknown {
  return typeof reply === 'object' && reply !== null && 'ErrorCode' in reply ? reply.ErrorCode : undefined;
}

/** JSON where the reply says so (nothing counts as an empty object), anything else as a blob. */
async function readReply(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (response.status === 204 || (type === '' && response.headers.get('content-length') === '0')) return {};
  if (!type.includes('json')) return response.blob();
  return saidReply(await response.json().catch(() => ({})));
}

const session: SessionExchange = { done: 0, pending: undefined };

/**
 * For a call that exchanges the session: other calls that are refused meanwhile wait for it and are repeated.
 */
export async function exchangeSession<T>(exchange: Promise<T>): Promise<T> {
  session.pending = exchange.catch(() => undefined);
  try {
    return await exchange;
  } finally {
    session.done += 1;
    session.pending = undefined;
  }
}

let askToConfirm: (() => Promise<boolean>) | undefined;

/** The signed-in frame shows the dialog that a sensitive change waits for. */
export function onConfirmationNeeded(ask: (() => Promise<boolean>) | undefined): void {
  askToConfirm = ask;
}

/** Holds the path that sign-in returns to after a session ended while the user was working. */
export const returnPathKey = 'muster-return-path';

export function rememberReturnPath(path: string): void {
  sessionStorage.setItem(returnPathKey, path);
}

export const callApi = createApi({
  origin: '',
  currentPath: () => globalThis.location.pathname,
  confirm: async () => (await askToConfirm?.()) ?? false,
  session,
  takeFirstReply,
  goTo: (url) => {
    const { pathname, search } = globalThis.location;
    rememberReturnPath(`${pathname}${search}`);
    globalThis.location.assign(url);
  },
});
