import type { Actor } from './serve.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by serve.ts once the session is known; for the log. */
    actor?: Actor;
  }
  interface FastifyContextConfig {
    callName?: string;
    /** A raw file: it may take as long as the server allows for any request. */
    isUpload?: boolean;
    isPublic?: boolean;
    /** Under /api/v1, for programs with an API key. */
    isForKeys?: boolean;
  }
}
