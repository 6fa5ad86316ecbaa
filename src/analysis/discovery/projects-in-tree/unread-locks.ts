import type { Tree } from './tree.ts'
import { within } from './tree-paths.ts'

/** Locks of unsupported tools that install the dependencies of a package.json. */
export const unreadLockNames: readonly string[] = ['bun.lockb', 'deno.lock']

/** Returns unreadable locks that pin the versions of the package.json in a folder. */
export function findUnreadLocks(folder: string, tree: Tree): readonly string[] {
  // Bun reads a bun.lock instead of the binary one.
  const isReplaced = (name: string) => name === 'bun.lockb' && tree.paths.has(within(folder, 'bun.lock'))
  return unreadLockNames
    .filter((name) => !isReplaced(name))
    .map((name) => within(folder, name))
    .filter((path) => tree.paths.has(path))
}
