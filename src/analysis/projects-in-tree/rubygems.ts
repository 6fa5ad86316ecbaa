import { type Layout, MAX_FILES_BESIDE, type TreeProject } from './tree.ts'
import { folderOf, nameOf, seenFrom, within } from './tree-paths.ts'

/** Bundler's names for a manifest, each with that of its lock (`bundle help gemfile`, Bundler::SharedHelpers). */
const lockOf: ReadonlyMap<string, string> = new Map([
  ['Gemfile', 'Gemfile.lock'],
  ['gems.rb', 'gems.locked'],
])
const manifestOf = new Map([...lockOf].map(([manifest, lock]) => [lock, manifest]))

/**
 * A folder with a lock of Bundler's, or with a manifest that nobody locked; gemspecs are read where only they tell. Where a
 * folder has both kinds, both are projects: which one is in use, its machines' settings decide.
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
