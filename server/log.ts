import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { Config } from './config.ts';

export type Log = Logger;

/**
 * Structured logs, one JSON line each. The fields are chosen by hand (route pattern, ids, counts): no
 * headers, bodies or URLs, so there is no secret to redact. The redaction below is only a safety net.
 */
export function createLog(config: Pick<Config, 'LOG_LEVEL' | 'ROLE'>, to?: DestinationStream): Log {
  const options: LoggerOptions = {
    level: config.LOG_LEVEL,
    base: { role: config.ROLE },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'password',
        'Password',
        '*.password',
        '*.Password',
        'headers',
        '*.headers',
        'cookie',
        '*.cookie',
        'token',
        '*.token',
      ],
      censor: '[left out]',
    },
    serializers: { err: plainError },
  };
  return to === undefined ? pino(options) : pino(options, to);
}

/** Errors of pg and undici carry connection settings and request options; only these parts are logged. */
function plainError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return { type: name, message, code, cause, stack };
}
