import { hash, randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

const ABANDONED_AFTER_MS = 24 * 3_600_000
const NAME = /^([0-9a-f]{8})-(\d+)-[0-9a-f-]{36}$/

/** Temporary folders of this process, removed afterward. */
export interface Workspaces {
  /** Creates an empty folder that only this user may enter. */
  make(): Promise<string>
  remove(path: string): Promise<void>
  /** Removes leftovers of killed processes. */
  sweep(now: number): Promise<void>
}

export function createWorkspaces(root: string): Workspaces {
  const host = hash('sha256', hostname()).slice(0, 8)

  async function isAbandoned(name: string, now: number): Promise<boolean> {
    const [, madeBy, pid] = NAME.exec(name) ?? []
    if (madeBy === undefined) return false
    if (madeBy === host && Number(pid) !== process.pid && !isAlive(Number(pid))) return true
    const { mtimeMs } = await stat(join(root, name))
    return mtimeMs < now - ABANDONED_AFTER_MS
  }

  return {
    async make() {
      const path = join(root, `${host}-${process.pid}-${randomUUID()}`)
      await mkdir(path, { recursive: true, mode: 0o700 })
      return path
    },
    remove: (path) => rm(path, { recursive: true, force: true, maxRetries: 3 }),
    async sweep(now) {
      const names = await readdir(root).catch(() => [])
      for (const name of names) {
        if (await isAbandoned(name, now).catch(() => false))
          await rm(join(root, name), { recursive: true, force: true })
      }
    },
  }
}

/** Returns the bytes of a folder and its contents. Ignores files that vanish meanwhile. */
export async function sizeOfFolder(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  const sizes = entries.map(async (entry) => {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) return sizeOfFolder(inner)
    return lstat(inner).then(
      ({ size }) => size,
      () => 0,
    )
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
