export type Outcome = 'passed' | 'failed' | 'not run'

/** One way to install or configure the server, and what was found out about it. */
export interface Row {
  readonly method: string
  readonly outcome: Outcome
  /** The size of the download and of the installation. */
  readonly size?: string
  /** Seconds until /healthz answers, with a new and with an existing data folder. */
  readonly ready?: string
  readonly checked: string
  /** The parts that this machine could not run, and why. */
  readonly notRun?: string
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

export function printRows(rows: readonly Row[]): void {
  console.log('| method | result | size | ready | checked | not run |')
  console.log('|---|---|---|---|---|---|')
  for (const { method, outcome, size, ready, checked, notRun } of rows) {
    console.log(`| ${[method, outcome, size ?? '', ready ?? '', checked, notRun ?? ''].join(' | ')} |`)
  }
}
