import type { FastifyRequest } from 'fastify';
import { keyPrefix, queryOf } from '../../contract/call-address.ts';
import { errorBody } from '../../contract/error-body.ts';
import { type App, addressOf } from '../serve.ts';

type Json = Record<string, unknown>;

export interface CallAs {
  (method: 'GET' | 'POST' | 'PUT', path: string, queryOrBody?: Json): Promise<Json>;
  /** The page where people find what a tool created. */
  publicUrl: string;
}

/** The refusal of a call, in words for the assistant. */
export class CallRefused extends Error {
  override name = 'CallRefused';
}

/**
 * Makes calls of the API with the key and from the address of a request. They go through the same entry as
 * those of any program: there is no second path to a verb that could check less.
 */
export function callAs({ http, config }: App, request: FastifyRequest): CallAs {
  const call = async (method: 'GET' | 'POST' | 'PUT', path: string, given: Json = {}): Promise<Json> => {
    const isGet = method === 'GET';
    const answer = await http.inject({
      method,
      url: keyPrefix + path + (isGet ? queryOf(given) : ''),
      remoteAddress: addressOf(request),
      headers: {
        host: request.host,
        authorization: request.headers.authorization ?? '',
        'user-agent': request.headers['user-agent'] ?? '',
        ...(config.TRUST_PROXY ? { 'x-forwarded-for': addressOf(request) } : {}),
        ...(isGet ? {} : { 'content-type': 'application/json' }),
      },
      ...(isGet ? {} : { payload: JSON.stringify(given) }),
    });
    const body = JSON.parse(answer.body) as Json;
    if (answer.statusCode < 400) return body;
    const refusal = errorBody.safeParse(body);
    const fields = refusal.data?.Errors?.map(({ Field, Message }) => `${Field}: ${Message}`) ?? [];
    throw new CallRefused([refusal.data?.Message ?? 'This failed.', ...fields].join('\n'));
  };
  return Object.assign(call, { publicUrl: config.PUBLIC_URL });
}
