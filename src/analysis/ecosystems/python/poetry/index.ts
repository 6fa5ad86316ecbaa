import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { pep440Versions } from '#analysis/versions/pep440.ts'

export const poetry = {
  id: 'poetry',
  label: 'Poetry',
  language: 'python',
  packageManager: 'pip',
  registry: 'PyPI',
  versions: pep440Versions,
  manifestName: /^poetry\.lock$/,
  fixAdvice: 'pin',
  takesRepositories: false,
  takesPython: true,
  about: [
    'The target is a poetry.lock (Poetry 1 and 2); the pyproject.toml is additional.',
    'Packages of all extras are tested; those of groups other than main only with includeDev.',
    'Without the pyproject.toml, lockfiles of Poetry 1.5 to 1.8 do not tell development packages, so all are tested.',
    'A .python-version that begins with a line `# file: .python-version` says for which Python it is, unless the request names one.',
  ].join(' '),
  async read(manifest, _registries, options) {
    const { readProject } = await import('./project.ts')
    return readProject(manifest, options)
  },
  async locate(manifest) {
    const { locateInPythonFiles } = await import('../locate.ts')
    return locateInPythonFiles(manifest)
  },
  async whatIfResolver(_manifest, { pypi }) {
    const { whatIfResolver } = await import('../resolution/upgrades.ts')
    return whatIfResolver(pypi)
  },
} satisfies Ecosystem
