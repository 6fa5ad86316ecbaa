import { type Layout, MAX_FILES_BESIDE, type TreeProject } from './tree.ts'
import { folderOf, nameOf, seenFrom, within } from './tree-paths.ts'

/** A folder with a Gemfile.lock, or with a Gemfile that nobody locked; gemspecs are read where only they tell. */
export const rubygems: Layout = {
  ecosystems: ['rubygems'],
  isWanted: (path) => /(?:^|\/)(?:Gemfile(?:\.lock)?|[^/]+\.gemspec)$/.test(path),
  async find(tree) {
    return [...tree.paths].flatMap((path): TreeProject[] => {
      const [lock, gemfile] = ['Gemfile.lock', 'Gemfile'].map((name) => within(folderOf(path), name))
      if (nameOf(path) === 'Gemfile.lock') {
        return [{ ecosystem: 'rubygems', path, covers: tree.paths.has(gemfile!) ? [gemfile!] : [] }]
      }
      if (nameOf(path) !== 'Gemfile' || tree.paths.has(lock!)) return []
      return [{ ecosystem: 'rubygems', path, covers: [] }]
    })
  },
  async filesBeside({ path, covers }, tree) {
    const folder = folderOf(path)
    const gemspecs =
      nameOf(path) === 'Gemfile'
        ? [...tree.paths].filter((each) => folderOf(each) === folder && each.endsWith('.gemspec')).sort()
        : []
    return [...covers, ...gemspecs.slice(0, MAX_FILES_BESIDE)].map((each) => ({
      path: each,
      seen: seenFrom(folder, each),
    }))
  },
}
