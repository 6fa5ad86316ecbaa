import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { pep440Versions } from '#analysis/versions/pep440.ts'

export const pyproject = {
  id: 'pyproject',
  label: 'pyproject.toml',
  language: 'python',
  packageManager: 'pip',
  registry: 'PyPI',
  versions: pep440Versions,
  manifestName: /^(?:pyproject|pylock(?:\.[^.]+)?)\.toml$/,
  fixAdvice: 'pin',
  takesRepositories: false,
  takesPython: true,
  about: [
    'The target is a pyproject.toml (PEP 621, PEP 735, Poetry) or a pylock.toml (PEP 751); with the lockfile, its packages are tested.',
    'A pyproject.toml alone is resolved as pip would, together with its extras; dependency groups only with includeDev.',
    'A .python-version that begins with a line `# file: .python-version` says for which Python it is, unless the request names one.',
  ].join(' '),
  async read(manifest, { pypi }, options) {
    const { readProject } = await import('./project.ts')
    return readProject(manifest, pypi, options)
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
