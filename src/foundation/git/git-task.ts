export interface GitTask {
  readonly args: readonly string[]
  readonly input?: string | undefined
  /** The ids that it fetches, which a view of a local repository must offer. */
  readonly wants?: readonly string[]
  readonly outputBytes?: number
  /** Receives output in chunks; an error it throws ends git and is rethrown. */
  readonly onOutput?: (chunk: Buffer) => void
  readonly signal?: AbortSignal | undefined
}

/** Runs git in one bare repository in its own folder. */
export interface GitRunner {
  /** Runs git on local data. Throws `Problem`. */
  local(task: GitTask): Promise<Buffer>
  /** Runs git with network access while watching the disk. */
  remote(task: GitTask): Promise<Buffer>
  /** Bytes on disk. */
  used(): Promise<number>
}
