import { machine } from './machine.ts';

/**
 * Real-time socket: connect; on connect error fall back to polling; on server disconnect reconnect with growing
 * delay. Ours: a reconnect failure ends the attempts of that socket, and polling goes on until a new one connects
 * (docs/decisions/0406).
 */
export type SocketState = 'connecting' | 'connected' | 'polling' | 'reconnecting';
export type SocketEvent = 'connect' | 'connect_error' | 'server disconnect' | 'reconnect failed' | 'again';

export const realtimeSocket = machine<SocketState, SocketEvent>({
  initial: 'connecting',
  transitions: {
    connecting: { connect: 'connected', connect_error: 'polling' },
    connected: { 'server disconnect': 'reconnecting', connect_error: 'polling' },
    polling: {
      connect: 'connected',
      'server disconnect': 'reconnecting',
      'reconnect failed': 'polling',
      again: 'connecting',
    },
    reconnecting: { connect: 'connected', connect_error: 'polling', 'reconnect failed': 'polling' },
  },
});

/** 6 reconnection attempts, delay 15000 ms, max delay 6000 ms: the maximum caps the delay, so every wait is 6 s. */
export const reconnection = { attempts: 6, delayMs: 15_000, maxDelayMs: 6_000 } as const;

/** Server-disconnect backoff 2^n seconds plus 1-2 s jitter capped at 60 s. `random` is from 0 to 1. */
export function serverDisconnectDelayMs(attempt: number, random: number): number {
  return Math.min(60_000, 2 ** Math.min(attempt, 10) * 1000 + 1000 + random * 1000);
}
