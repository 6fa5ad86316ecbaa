import type { Command } from 'commander'
import { parseDuration, parseExpiry } from '../../client/resources/parse-time.ts'
import type { ServerOptions } from './run-on-server.ts'

export interface ReplacementOptions extends ServerOptions {
  readonly overlap: string
  readonly expires?: string
}

export function withReplacementOptions(command: Command): Command {
  return command
    .option('--overlap <duration>', 'time for which the old secret stays valid, at most 7d', '0s')
    .option('--expires <time>', 'day, time or duration after which the new secret expires')
}

/** Returns the attributes of the operation that replaces a client secret. */
export function toReplacement({ overlap, expires }: ReplacementOptions) {
  const grace_seconds = parseDuration(overlap, '--overlap')
  return {
    mode: 'replace',
    ...(grace_seconds > 0 && { grace_seconds }),
    ...(expires !== undefined && { expires_at: parseExpiry(expires, '--expires', Date.now()) }),
  } as const
}
