import { existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { outgoingSettings } from '#composition/test-engine.ts'
import type { Config } from '#foundation/config.ts'
import { createGitProgram } from '#foundation/git/git-program.ts'
import { createOutgoing } from '#foundation/outgoing/outgoing.ts'
import { OutgoingFailed } from '#foundation/outgoing/outgoing-errors.ts'
import { Problem } from '#foundation/problem.ts'
import { ownRegistryUrls } from '#scanning/registries/registries.ts'
import { examine, type Finding } from './finding.ts'

/** Below this much free space, a sync of advisories or a backup may fail. */
const FEW_MB = 2048
const ANSWER_MS = 15_000
const KEPT_BYTES = 100_000

/** Checks the disk, git and, unless `isOffline`, the hosts that tests of packages contact. */
export async function checkMachine(config: Config, isOffline: boolean): Promise<Finding[]> {
  const local = [examine('disk', () => checkDisk(config)), examine('git', () => checkGit(config))]
  return Promise.all([...local, ...(isOffline ? [skipHosts()] : checkHosts(config))])
}

async function checkDisk({ dataDir }: Config): Promise<Omit<Finding, 'check'>> {
  let folder = resolve(dataDir)
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = statfsSync(folder)
  const free = Math.floor((bavail * bsize) / 1024 ** 2)
  if (free >= FEW_MB) return { status: 'ok', text: `${free} MB are free for ${resolve(dataDir)}.` }
  return { status: 'warning', text: `Only ${free} MB are free for ${resolve(dataDir)}. Free at least ${FEW_MB} MB.` }
}

async function checkGit({ git, localRepositories }: Config): Promise<Omit<Finding, 'check'>> {
  const program = createGitProgram(git)
  try {
    await (localRepositories.length > 0 ? program.findForFolders() : program.find())
    return { status: 'ok', text: `${git} is recent enough.` }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { status: 'warning', text: `Imports of repositories fail: ${error.message}.` }
  }
}

async function skipHosts(): Promise<Finding> {
  return { check: 'access', status: 'skipped', text: 'Hosts were not checked (--offline).' }
}

/** Checks the connection to each host. Any answer counts, including a refusal. */
function checkHosts(config: Config): Promise<Finding>[] {
  const urls = [...ownRegistryUrls(config), config.advisoriesUrl].flatMap((text) => {
    const url = URL.parse(text)
    return url && /^https?:$/.test(url.protocol) ? [`${url.origin}/`] : []
  })
  const outgoing = createOutgoing(outgoingSettings(config))
  return [...new Set(urls)].map((url) =>
    examine('access', async () => {
      try {
        await outgoing.get(url, { timeoutMs: ANSWER_MS, maxBytes: KEPT_BYTES })
      } catch (error) {
        if (!(error instanceof OutgoingFailed) || error.code !== 'too-large')
          return { status: 'error', text: remedyFor(error) }
      }
      return { status: 'ok', text: `${url} answers.` }
    }),
  )
}

function remedyFor(error: unknown): string {
  return `${(error as Error).message}. Check the network, the address in the settings and GATEHOUSE_OUTGOING_PROXY.`
}
