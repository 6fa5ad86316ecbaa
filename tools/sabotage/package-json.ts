import type { ProjectFiles, Spelling } from './spelling.ts'

export interface PackageJson {
  readonly [member: string]: unknown
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Text of a file that other spellings replace; the tools and the tests put their own registry in its place. */
export const REGISTRY = 'https://registry.example'

const LOCKS = /^(?:.*\/)?(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock)$/

/** The project without its locks, which would not know of a planted dependency. */
export function withoutLocks(files: ProjectFiles): ProjectFiles {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !LOCKS.test(path)))
}

/** Spells a dependency in package.json. `others` are files beside it. */
export function inManifest(source: string) {
  return (
    name: string,
    change: (json: PackageJson) => PackageJson,
    { tool = 'installs', others = {}, isAsked }: Partial<Pick<Spelling, 'tool' | 'isAsked'>> & Others = {},
  ): Spelling => ({
    name,
    source,
    tool,
    ...(isAsked === false && { isAsked }),
    plant: (files) => ({
      ...withoutLocks(files),
      'package.json': JSON.stringify(change(JSON.parse(files['package.json']!) as PackageJson)),
      ...others,
    }),
  })
}

interface Others {
  readonly others?: ProjectFiles
}

/** Adds members to `dependencies` and to package.json itself. */
export function depending(
  json: PackageJson,
  dependencies: Readonly<Record<string, string>>,
  members: object = {},
): PackageJson {
  return { ...json, dependencies: { ...json.dependencies, ...dependencies }, ...members }
}

/** Spells a whole file by its text, which replaces the project's own package.json. */
export function asText(name: string, source: string, text: string, tool: Spelling['tool'] = 'installs'): Spelling {
  return { name, source, tool, plant: () => ({ 'package.json': text }) }
}
