/** Work that a job only nudges: its rows say what there is to do. */
export interface NudgedWork {
  /** Does what waits, until nothing does. */
  run(): Promise<void>;
  /** Takes no further step; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

/**
 * Does steps until one says that nothing more waits; never twice at once in this process. A nudge that comes while it
 * runs makes it look once more, and waits for that. A step that fails ends the run; the next nudge starts over.
 */
export function runOnce(step: (isStopping: () => boolean) => Promise<boolean>): NudgedWork {
  let isStopping = false;
  let wasNudged = false;
  let running: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    try {
      do {
        wasNudged = false;
        while (!isStopping && (await step(() => isStopping)));
      } while (wasNudged && !isStopping);
    } finally {
      // Here and not when the promise is seen to have ended: a nudge between the two would be lost.
      running = undefined;
    }
  }

  return {
    async run() {
      if (isStopping) return;
      wasNudged = true;
      // A turn later, so that it can't have ended before it is noted here.
      running ??= Promise.resolve().then(runAll);
      await running;
    },
    async stop() {
      isStopping = true;
      await running?.catch(() => undefined);
    },
  };
}
