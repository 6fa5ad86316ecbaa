import type { Layout } from './tree.ts'

/** `vendor/vendor.json`, govendor's location; files of that name elsewhere are mostly something else. */
export const govendor: Layout = {
  ecosystems: ['govendor'],
  isWanted: (path) => /(?:^|\/)vendor\/vendor\.json$/.test(path),
  async find(tree) {
    return [...tree.paths]
      .filter((path) => this.isWanted(path))
      .map((path) => ({ ecosystem: 'govendor', path, covers: [] }))
  },
  nameManifest: (path) => (/(?:^|\/)vendor\.json$/.test(path) ? 'govendor' : undefined),
  async filesBeside() {
    return []
  },
}
