/** An invalid manifest; `message` says what and where, for the sender. */
export class Unreadable extends Error {
  /** The sent file: `target`, or an index into `additional`. */
  readonly file: 'target' | number
  /** Counted from 1, if known. */
  readonly line: number | undefined

  constructor(message: string, options: { file?: 'target' | number; line?: number | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.file = options.file ?? 'target'
    this.line = options.line
  }
}
