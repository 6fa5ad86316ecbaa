import { join } from 'node:path'
import type { Config } from '#foundation/config.ts'
import { toHostPattern } from '#foundation/outgoing/host-patterns.ts'
import type { SyncSettings } from './sync.ts'

export function snapshotsDir(dataDir: string): string {
  return join(dataDir, 'advisories')
}

/**
 * Returns the configured sync. Its sources may have private addresses without another setting, as the operator named
 * them.
 */
export function toSyncSettings(config: Config, from = config.advisoriesUrl): SyncSettings {
  const { exploitSources } = config
  const sources = [from, ...exploitSources].flatMap((text) => {
    const url = URL.parse(text)
    return url && /^https?:$/.test(url.protocol) ? [toHostPattern(url)] : []
  })
  return {
    from,
    exploitSources,
    dir: snapshotsDir(config.dataDir),
    outgoing: {
      allow: [...config.outgoingAllow, ...sources],
      httpProxy: config.outgoingProxy,
      httpsProxy: config.outgoingProxy,
      noProxy: config.outgoingNoProxy,
    },
  }
}
