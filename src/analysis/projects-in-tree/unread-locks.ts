import type { Tree } from './tree.ts'
import { upwardsFrom, within } from './tree-paths.ts'

/** Locks of tools that install what a package.json asks for, and are not read here. */
export const unreadLockNames: readonly string[] = ['pnpm-lock.yaml', 'bun.lock', 'bun.lockb', 'deno.lock']
/** Makes all folders below it one workspace with one lock (pnpm's documentation, "Workspace"). */
export const PNPM_WORKSPACE = 'pnpm-workspace.yaml'

/**
 * Those that say which versions a package.json in that folder means; nobody who reads it alone can know. A folder without
 * any lock of its own is part of the workspace above it.
 */
export function findUnreadLocks(
  folder: string,
  { tree, locks }: { tree: Tree; locks: readonly string[] },
): readonly string[] {
  const own = unreadLockNames.map((name) => within(folder, name)).filter((path) => tree.paths.has(path))
  if (own.length > 0 || locks.length > 0) return own
  return upwardsFrom(folder)
    .slice(1)
    .filter((each) => tree.paths.has(within(each, PNPM_WORKSPACE)))
    .map((each) => within(each, 'pnpm-lock.yaml'))
    .filter((path) => tree.paths.has(path))
}
