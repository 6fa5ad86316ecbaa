import { nugetVersions, parseNuGetRange } from '#analysis/versions/nuget.ts'
import type { Ecosystem } from '../../ecosystem.ts'

export const nuget = {
  id: 'nuget',
  label: 'NuGet',
  language: 'dotnet',
  packageManager: 'nuget',
  registry: 'NuGet',
  versions: nugetVersions,
  manifestName:
    /(?:^packages(?:\..+)?\.lock\.json|^project\.assets\.json|^packages(?:\..+)?\.config|\.(?:cs|fs|vb)proj)$/i,
  fixAdvice: 'upgrade',
  takesRepositories: false,
  about:
    'Send the files that MSBuild reads with a project file in `additional` too: Directory.Build.props, Directory.Packages.props and what they import.',
  raiseRange,
  async read(manifest, _registries, options) {
    const { readProject } = await import('./read-project.ts')
    return readProject(manifest, options)
  },
  async locate(manifest) {
    const { locatePackages } = await import('./locate.ts')
    return locatePackages(manifest)
  },
} satisfies Ecosystem

/** Raises `1.0`, `[1.0]` and the lower bound of an interval. */
function raiseRange(written: string, version: string): string | undefined {
  const range = parseNuGetRange(written)
  if (range?.min === undefined || range.isFloating) return undefined
  if (range.max === range.min) return `[${version}]`
  if (!/[[(]/.test(written)) return version
  const raised = written.replace(range.min, () => version).replace('(', '[')
  return nugetVersions.satisfies(version, raised) ? raised : undefined
}
