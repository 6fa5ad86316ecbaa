import type { Command } from 'commander'

export interface Listed {
  readonly name: string
  readonly summary: string
  load(): Promise<Command>
}
