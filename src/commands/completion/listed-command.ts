import type { Command } from 'commander'

/** A command and how it is loaded. */
export interface Listed {
  readonly name: string
  readonly summary: string
  /** Loads the command: a client must not load the server. */
  load(): Promise<Command>
}
