/** Work that a job only wakes up: its rows show what there is to do. */
export interface NudgedWork {
  /** Processes waiting rows, until none is left. */
  run(): Promise<void>;
  /** Starts no further step; resolves when the current one has ended. */
  stop(): Promise<void>;
}

/**
 * Runs steps until one returns that nothing is left; never twice at once in this process. A call during a run
 * makes it check once more, and waits for that. A step that fails ends the run; the next call starts over.
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
      // Here and not when the promise is seen to have ended: a call between the two would be lost.
      running = undefined;
    }
  }

  return {
    async run() {
      if (isStopping) return;
      wasNudged = true;
      // One tick later, so that it can't have ended before it is recorded here.
      running ??= Promise.resolve().then(runAll);
      await running;
    },
    async stop() {
      isStopping = true;
      await running?.catch(() => undefined);
    },
  };
}
