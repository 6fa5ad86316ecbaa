import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { pep440Versions } from '#analysis/versions/pep440.ts'

export const pip = {
  id: 'pip',
  label: 'pip',
  language: 'python',
  packageManager: 'pip',
  registry: 'PyPI',
  versions: pep440Versions,
  manifestName: /^requirements(?:[-_.][\w.-]+)?\.txt$/,
  coordinates: { parameters: ['packageName'], toName: ({ packageName }) => packageName! },
  fixAdvice: 'pin',
  takesRepositories: false,
  takesPython: true,
  about: [
    'The target is a requirements.txt; the files that it refers to with -r and -c are additional.',
    'Begin each with a line `# file: <its path as it is referred to>`; without such lines they are taken in the order in which pip would read them, as long as many are sent as are referred to.',
    'A .python-version, runtime.txt, Pipfile, pyproject.toml or setup.cfg that begins with such a line says for which Python they are, unless the request names one.',
    'Files that a tool locked (everything pinned, by pip-compile or uv or with hashes) are tested as they are; others are resolved as pip would for the given Python.',
    'A pin that is proved is in `pin`.',
  ].join(' '),
  async read(manifest, { pypi }, options) {
    const { readRequirements } = await import('./read-requirements.ts')
    return readRequirements(manifest, pypi, options)
  },
  async readPackage(coordinates, { pypi }, options) {
    const { readPackage } = await import('./read-package.ts')
    return readPackage(coordinates, pypi, options)
  },
  async locate(manifest) {
    const { locateRequirements } = await import('./locate.ts')
    return locateRequirements(manifest)
  },
  async whatIfResolver(_manifest, { pypi }) {
    const { whatIfResolver } = await import('../resolution/upgrades.ts')
    return whatIfResolver(pypi)
  },
} satisfies Ecosystem
