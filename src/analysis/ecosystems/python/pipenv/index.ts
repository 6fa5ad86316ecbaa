import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { pep440Versions } from '#analysis/versions/pep440.ts'

export const pipenv = {
  id: 'pipenv',
  label: 'Pipenv',
  language: 'python',
  packageManager: 'pip',
  registry: 'PyPI',
  versions: pep440Versions,
  manifestName: /^Pipfile(?:\.lock)?$/,
  fixAdvice: 'pin',
  takesRepositories: false,
  takesPython: true,
  about: [
    'The target is a Pipfile.lock, with the Pipfile as an additional file; or a Pipfile, which without its lockfile is resolved as pip would.',
    'Packages of `develop` are tested only with includeDev; those of further categories always.',
    'A Pipfile.lock does not tell which package requires which, so every package is a direct dependency.',
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
