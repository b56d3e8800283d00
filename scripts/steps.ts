/**
 * Says what is being done: a line with a tick and the time when a step is through, and on a terminal one more
 * line below, rewritten, with what is under way. Steps may overlap.
 */
export type Output = { write: (text: string) => unknown; isTTY?: boolean };

export type Steps = {
  run: <T>(title: string, work: (say: (note: string) => void) => Promise<T>) => Promise<T>;
  /** A line among the steps, such as a remark. */
  note: (text: string) => void;
};

const eraseLine = '\r\u001b[K';

export function createSteps(output: Output): Steps {
  const underWay = new Set<string>();

  function print(line: string): void {
    output.write(`${output.isTTY ? eraseLine : ''}${line}\n`);
    showUnderWay();
  }

  function showUnderWay(): void {
    if (!output.isTTY) return;
    output.write(underWay.size > 0 ? `${eraseLine}  ${[...underWay].join(', ')} …` : eraseLine);
  }

  return {
    note: (text) => print(`  ${text}`),
    async run(title, work) {
      const startedAt = performance.now();
      const notes: string[] = [];
      underWay.add(title);
      showUnderWay();
      try {
        const result = await work((note) => notes.push(note));
        underWay.delete(title);
        const about = notes.length > 0 ? ` (${notes.join(', ')})` : '';
        print(`✓ ${title}${about}  ${formatDuration(performance.now() - startedAt)}`);
        return result;
      } catch (error) {
        underWay.delete(title);
        // Broken off because something else failed or somebody stopped us: not this step's failure.
        if (error instanceof Error && error.name === 'AbortError') showUnderWay();
        else print(`✗ ${title}  ${formatDuration(performance.now() - startedAt)}`);
        throw error;
      }
    },
  };
}

export function formatDuration(ms: number): string {
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
