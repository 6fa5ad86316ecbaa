import { cranVersions } from '#analysis/versions/cran.ts'
import type { Ecosystem } from '../ecosystem.ts'

export const renv = {
  id: 'renv',
  label: 'renv',
  language: 'r',
  packageManager: 'renv',
  registry: 'CRAN',
  versions: cranVersions,
  manifestName: /^renv\.lock$/,
  fixAdvice: 'upgrade',
  noEdits: 'renv.lock is not changed; install the version and run renv::snapshot()',
  takesRepositories: false,
  about: 'The target is a renv.lock. Packages that are part of R are left out.',
  async read(manifest, _registries, options) {
    const { readProject } = await import('./read-project.ts')
    return readProject(manifest, options)
  },
  async locate({ target }) {
    const { membersOf } = await import('#analysis/documents/json-members.ts')
    const { createLines } = await import('../declaration.ts')
    const lineOf = createLines(target)
    return membersOf(target, ['Packages']).map(({ key, at }) => ({
      name: key,
      file: 'target' as const,
      fileName: 'renv.lock',
      line: lineOf(at),
    }))
  },
} satisfies Ecosystem
