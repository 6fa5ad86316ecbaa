/** Tells this process's worker that a job was added, so that nobody waits for its next look; other processes poll. */
export interface JobBell {
  /** After the transaction that added the job. */
  ring(): void
  onRing(listener: () => void): void
}

export function createJobBell(): JobBell {
  const listeners: (() => void)[] = []
  return {
    ring() {
      for (const listener of listeners) listener()
    },
    onRing: (listener) => void listeners.push(listener),
  }
}
