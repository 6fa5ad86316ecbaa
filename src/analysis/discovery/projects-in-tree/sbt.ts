import { type Layout, MAX_FILES_BESIDE } from './tree.ts'
import { folderOf, isBelow, nameOf, seenFrom, upwardFrom, within } from './tree-paths.ts'

/** Jars that sbt adds to the class path automatically (its manual, "Unmanaged dependencies"). */
const JAR = /^(?!(?:.*\/)?(?:src|project|target)\/)(?:.*\/)?lib\/.*\.jar$/
const MAX_JARS = 100

/** One project per build: the outermost build.sbt, or one with its own `project/build.properties`. */
export const sbt: Layout = {
  ecosystems: ['sbt'],
  isWanted: (path) => /\.sbt$|(?:^|\/)project\/(?:[^/]+\.scala|build\.properties)$/.test(path) || JAR.test(path),
  async find(tree) {
    const roots = rootsOf(tree.paths)
    const all = [...tree.paths].filter((path) => nameOf(path) === 'build.sbt' && nameOf(folderOf(path)) !== 'project')
    const jars = Map.groupBy([...tree.paths].filter((path) => JAR.test(path)).sort(), (path) =>
      rootOf(folderOf(path), roots),
    )
    return [...roots].map((root) => ({
      ecosystem: 'sbt',
      path: within(root, 'build.sbt'),
      covers: all.filter((path) => folderOf(path) !== root && rootOf(folderOf(path), roots) === root),
      ...(jars.has(root) && { unreadJars: jars.get(root)!.slice(0, MAX_JARS) }),
    }))
  },
  async filesBeside({ path, covers }, tree) {
    const root = folderOf(path)
    const build = [...tree.paths].filter((file) => {
      if (file === path || !isBelow(file, root)) return false
      const below = seenFrom(root, file)
      return /^[^/]+\.sbt$/.test(below) || /^project\/(?:[^/]+\.(?:sbt|scala)|build\.properties)$/.test(below)
    })
    return [...build.sort(), ...covers].slice(0, MAX_FILES_BESIDE).map((path) => ({
      path,
      seen: seenFrom(root, path),
    }))
  },
}

function rootsOf(paths: ReadonlySet<string>): ReadonlySet<string> {
  const folders = new Set([...paths].filter((path) => nameOf(path) === 'build.sbt').map(folderOf))
  return new Set(
    [...folders].filter((folder) => {
      // The build's plugins have their own build, which is not part of the project.
      if (nameOf(folder) === 'project') return false
      const above = upwardFrom(folder).slice(1)
      return paths.has(within(folder, 'project/build.properties')) || !above.some((ancestor) => folders.has(ancestor))
    }),
  )
}

function rootOf(folder: string, roots: ReadonlySet<string>): string | undefined {
  return upwardFrom(folder).find((ancestor) => roots.has(ancestor))
}
