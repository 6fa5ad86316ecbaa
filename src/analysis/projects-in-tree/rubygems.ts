import { type Layout, MAX_FILES_BESIDE, type TreeProject } from './tree.ts'
import { folderOf, nameOf, seenFrom, within } from './tree-paths.ts'

/** Bundler's manifest names with their locks (`bundle help gemfile`, Bundler::SharedHelpers). */
const lockOf: ReadonlyMap<string, string> = new Map([
  ['Gemfile', 'Gemfile.lock'],
  ['gems.rb', 'gems.locked'],
])
const manifestOf = new Map([...lockOf].map(([manifest, lock]) => [lock, manifest]))

/**
 * A folder with a Bundler lock, or with an unlocked manifest; gemspecs are read if nothing else lists dependencies.
 * With both kinds of names both are projects: which one is used depends on machine settings.
 */
export const rubygems: Layout = {
  ecosystems: ['rubygems'],
  isWanted: (path) => /(?:^|\/)(?:Gemfile(?:\.lock)?|gems\.(?:rb|locked)|[^/]+\.gemspec)$/.test(path),
  async find(tree) {
    return [...tree.paths].flatMap((path): TreeProject[] => {
      const [name, folder] = [nameOf(path), folderOf(path)]
      const manifest = manifestOf.get(name)
      if (manifest !== undefined) {
        const beside = within(folder, manifest)
        return [{ ecosystem: 'rubygems', path, covers: tree.paths.has(beside) ? [beside] : [] }]
      }
      const lock = lockOf.get(name)
      if (lock === undefined || tree.paths.has(within(folder, lock))) return []
      return [{ ecosystem: 'rubygems', path, covers: [] }]
    })
  },
  async filesBeside({ path, covers }, tree) {
    const folder = folderOf(path)
    const gemspecs = lockOf.has(nameOf(path))
      ? [...tree.paths].filter((each) => folderOf(each) === folder && each.endsWith('.gemspec')).sort()
      : []
    return [...covers, ...gemspecs.slice(0, MAX_FILES_BESIDE)].map((each) => ({
      path: each,
      seen: seenFrom(folder, each),
    }))
  },
}
