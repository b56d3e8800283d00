import type { Server } from 'socket.io';
import { nowMs } from './clock.ts';

/** Counts events within an interval, at the same cost however often they happen. */
export function createMeter(windowMs: number): { count(): number } {
  let beganAt = 0;
  let counted = 0;
  return {
    /** Number of times it has happened in the current interval, including this time. */
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
/** A page sends a few frames in that time, and twenty when a user clicks as fast as they can. */
const mostFrames = 200;

/**
 * Closes every connection that sends frames faster than any page does, signed in or not. The engine drops
 * further frames before they are read.
 */
export function closeFloods(io: Server, onFlood: () => void): void {
  io.engine.on('connection', (connection) => {
    const meter = createMeter(windowMs);
    connection.on('packet', () => {
      if (meter.count() !== mostFrames + 1) return;
      onFlood();
      const socket = [...io.sockets.sockets.values()].find(({ conn }) => conn === connection);
      // A page that gets this reason waits before it reconnects (serverDisconnectMaxMs).
      if (socket === undefined) connection.close(true);
      else socket.disconnect(true);
    });
  });
}
