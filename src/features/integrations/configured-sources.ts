import { join } from 'node:path'
import { createGitProgram } from '#foundation/git/git-program.ts'
import { createGitRepositories } from '#foundation/git/git-repositories.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { createRouteFinder } from '#foundation/outgoing/route.ts'
import type { OutgoingSettings } from '#foundation/outgoing/settings.ts'
import { configuredBounds } from '#foundation/repositories/configured-bounds.ts'
import { createWorkspaces } from '#foundation/repositories/workspaces.ts'
import type { Services } from '#foundation/services.ts'
import type { ArchiveStorage } from './archive-storage.ts'
import { createRepositories, type IntegrationSources } from './repositories.ts'

const MB = 1024 * 1024

export function createConfiguredSources(
  services: Services,
  { outgoing, settings, archives }: { outgoing: Outgoing; settings: OutgoingSettings; archives: ArchiveStorage },
): IntegrationSources {
  const { config, log, now } = services
  const bounds = configuredBounds(config)
  const gitBounds = {
    ...bounds,
    memoryBytes: config.importMemoryMb * MB,
    memoryOfAllBytes: config.gitMemoryMb * MB,
    receivedBytes: config.importReceivedMb * MB,
    diskOfAllBytes: config.gitDiskMb * MB,
    receivedOfAllBytes: config.gitReceivedMb * MB,
    idleSeconds: config.importIdleSeconds,
  }
  const workspaces = createWorkspaces(join(config.dataDir, 'reading'))
  workspaces
    .sweep(now())
    .catch((err: unknown) => log.warn({ err }, 'leftover files of killed imports were not removed'))
  const program = createGitProgram(config.git)
  const findRoute = createRouteFinder(settings)
  const git = createGitRepositories({ program, workspaces, outgoing, findRoute, bounds: gitBounds })
  const own = { outgoing, git, workspaces, bounds, archives, localFolders: config.localRepositories }
  return createRepositories({ ...services, ...own })
}
