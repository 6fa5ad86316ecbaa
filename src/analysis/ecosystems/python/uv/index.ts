import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { pep440Versions } from '#analysis/versions/pep440.ts'

export const uv = {
  id: 'uv',
  label: 'uv',
  language: 'python',
  packageManager: 'pip',
  registry: 'PyPI',
  versions: pep440Versions,
  manifestName: /^uv\.lock$/,
  fixAdvice: 'pin',
  takesRepositories: false,
  takesPython: true,
  about: [
    'The target is a uv.lock, or the lock of a script; the pyproject.toml files of the project and of its workspace members are additional.',
    'Packages of all members and of all extras are tested; those of dependency groups only with includeDev.',
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
