import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { goVersions } from '#analysis/versions/go.ts'

export const gomodules = {
  id: 'gomodules',
  label: 'Go modules',
  language: 'golang',
  packageManager: 'golang',
  registry: 'Go',
  versions: goVersions,
  manifestName: /^go\.mod$/,
  fixAdvice: 'upgrade',
  takesRepositories: false,
  testsStandardLibrary: true,
  about:
    'The target is a go.mod, or a go.work with the go.mod of each module in `additional`. Send `go.sum` beside a go.mod of Go 1.16 or older, and `vendor/modules.txt` if there is one: of the modules in it, only vulnerabilities in vendored packages are issues. The standard library is tested at the version of the `go` or `toolchain` line, whichever is higher; `standardLibrary=false` leaves it out.',
  async read(manifest, { go }, options) {
    const { readProject } = await import('./project.ts')
    return readProject(manifest, go, options)
  },
  async locate(manifest) {
    const { locateModules } = await import('./locate.ts')
    return locateModules(manifest)
  },
  async whatIfResolver(manifest, { go }, options) {
    const { whatIfResolver } = await import('./upgrades.ts')
    if (manifest === undefined) throw new Error('Go modules have no tests by coordinates')
    return whatIfResolver(manifest, go, options)
  },
} satisfies Ecosystem
