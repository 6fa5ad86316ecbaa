import { type Layout, MAX_FILES_BESIDE } from './tree.ts'
import { folderOf, isBelow, nameOf, seenFrom, upwardsFrom, within } from './tree-paths.ts'

/** One project for a build: the outermost build.sbt, or one that has a `project/build.properties` of its own. */
export const sbt: Layout = {
  ecosystems: ['sbt'],
  isWanted: (path) => /\.sbt$|(?:^|\/)project\/(?:[^/]+\.scala|build\.properties)$/.test(path),
  async find(tree) {
    const roots = rootsOf(tree.paths)
    const all = [...tree.paths].filter((path) => nameOf(path) === 'build.sbt' && nameOf(folderOf(path)) !== 'project')
    return [...roots].map((root) => ({
      ecosystem: 'sbt',
      path: within(root, 'build.sbt'),
      covers: all.filter((path) => folderOf(path) !== root && rootOf(folderOf(path), roots) === root),
    }))
  },
  async filesBeside({ path, covers }, tree) {
    const root = folderOf(path)
    const build = [...tree.paths].filter((each) => {
      if (each === path || !isBelow(each, root)) return false
      const below = seenFrom(root, each)
      return /^[^/]+\.sbt$/.test(below) || /^project\/(?:[^/]+\.(?:sbt|scala)|build\.properties)$/.test(below)
    })
    return [...build.sort(), ...covers].slice(0, MAX_FILES_BESIDE).map((each) => ({
      path: each,
      seen: seenFrom(root, each),
    }))
  },
}

function rootsOf(paths: ReadonlySet<string>): ReadonlySet<string> {
  const folders = new Set([...paths].filter((path) => nameOf(path) === 'build.sbt').map(folderOf))
  return new Set(
    [...folders].filter((folder) => {
      // Plugins of the build are built by a build of their own, which is none of the project's.
      if (nameOf(folder) === 'project') return false
      const above = upwardsFrom(folder).slice(1)
      return paths.has(within(folder, 'project/build.properties')) || !above.some((each) => folders.has(each))
    }),
  )
}

function rootOf(folder: string, roots: ReadonlySet<string>): string | undefined {
  return upwardsFrom(folder).find((each) => roots.has(each))
}
