import { join } from 'node:path'
import type { Config } from '#foundation/config.ts'
import { toHostPattern } from '#foundation/outgoing/host-patterns.ts'
import type { SyncSettings } from './sync.ts'

/** Where snapshot files are cached. */
export function snapshotsDir(dataDir: string): string {
  return join(dataDir, 'advisories')
}

/** The configured sync. The source may be a private address without being allowed a second time: an operator named it. */
export function toSyncSettings(config: Config, from = config.advisoriesUrl): SyncSettings {
  const url = URL.parse(from)
  const named = url && /^https?:$/.test(url.protocol) ? [toHostPattern(url)] : []
  return {
    from,
    dir: snapshotsDir(config.dataDir),
    outgoing: {
      allow: [...config.outgoingAllow, ...named],
      httpProxy: config.outgoingProxy,
      httpsProxy: config.outgoingProxy,
      noProxy: config.outgoingNoProxy,
    },
  }
}
