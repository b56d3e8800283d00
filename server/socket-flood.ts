import type { Server } from 'socket.io';
import { nowMs } from './clock.ts';

/** Counts what happens within a stretch of time, at the same cost however often it happens. */
export function createMeter(windowMs: number): { count(): number } {
  let beganAt = 0;
  let counted = 0;
  return {
    /** How often it has happened in the current stretch, this time included. */
    count() {
      const at = nowMs();
      if (at - beganAt >= windowMs) {
        beganAt = at;
        counted = 0;
      }
      counted += 1;
      return counted;
    },
  };
}

const windowMs = 5_000;
/** A page says a few frames in that time, and twenty when somebody clicks as fast as they can. */
const mostFrames = 200;

/**
 * Closes every connection that sends frames faster than any page does, signed in or not. What it sent beyond that is
 * dropped by the engine before it is read.
 */
export function closeFloods(io: Server, onFlood: () => void): void {
  io.engine.on('connection', (connection) => {
    const meter = createMeter(windowMs);
    connection.on('packet', () => {
      if (meter.count() !== mostFrames + 1) return;
      onFlood();
      const socket = [...io.sockets.sockets.values()].find(({ conn }) => conn === connection);
      // A page that is told so waits before it comes back (serverDisconnectMaxMs).
      if (socket === undefined) connection.close(true);
      else socket.disconnect(true);
    });
  });
}
