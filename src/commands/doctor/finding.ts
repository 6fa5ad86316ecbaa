/** The outcome of one check. A warning does not keep the server from working correctly. */
export interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'error' | 'skipped'
  /** The fact and, for a warning or error, the remedy. */
  readonly text: string
}

/** Runs a check. A failure that an operator can fix becomes its finding. */
export async function examine(check: string, work: () => Promise<Omit<Finding, 'check'>>): Promise<Finding> {
  try {
    return { check, ...(await work()) }
  } catch (error) {
    const { describeFailure } = await import('../failures.ts')
    const sentence = describeFailure(error)?.sentence ?? (error as Error).message
    return { check, status: 'error', text: sentence }
  }
}
