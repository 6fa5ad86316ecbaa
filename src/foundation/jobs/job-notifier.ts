/** Notifies this process's worker of a new job before its next poll; other processes poll. */
export interface JobNotifier {
  /** Call after the transaction that added the job. */
  notifyWorkers(): void
  onNotify(listener: () => void): void
}

export function createJobNotifier(): JobNotifier {
  const listeners: (() => void)[] = []
  return {
    notifyWorkers() {
      for (const listener of listeners) listener()
    },
    onNotify: (listener) => void listeners.push(listener),
  }
}
