import { fileLists } from '../../ecosystems/file-lists.ts'
import type { ReadableKind } from './file-kind.ts'

/** The kinds of file that an ecosystem reads. */
export interface ReadKinds {
  /** Allowed as the target. */
  readonly target: readonly ReadableKind[]
  /** Allowed as additional files. */
  readonly additional: readonly ReadableKind[]
}

const sbt: readonly ReadableKind[] = ['build.sbt', 'plugins.sbt', 'project/*.scala', 'build.properties']

const kindsById = {
  npm: { target: ['package.json', 'package-lock.json'], additional: ['package.json', 'package-lock.json'] },
  yarn: { target: ['package.json', 'yarn.lock'], additional: ['package.json', 'yarn.lock', '.yarnrc.yml'] },
  pnpm: {
    target: ['package.json', 'pnpm-lock.yaml'],
    additional: ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'],
  },
  gomodules: {
    target: ['go.mod', 'go.work', 'modules.txt'],
    additional: ['go.mod', 'go.sum', 'go.work', 'modules.txt'],
  },
  bun: { target: ['package.json', 'bun.lock'], additional: ['package.json', 'bun.lock'] },
  govendor: { target: ['vendor.json'], additional: [] },
  maven: { target: ['pom.xml'], additional: ['pom.xml', 'maven.config', 'jvm.config', 'extensions.xml'] },
  gradle: {
    target: ['build.gradle', 'gradle.lockfile', 'libs.versions.toml'],
    additional: [
      'build.gradle',
      'settings.gradle',
      'gradle.properties',
      'libs.versions.toml',
      'gradle.lockfile',
      'dependencies.lock',
    ],
  },
  rubygems: { target: ['Gemfile.lock', 'Gemfile', 'gemspec'], additional: ['Gemfile.lock', 'Gemfile', 'gemspec'] },
  pip: { target: ['requirements.txt'], additional: ['requirements.txt'] },
  poetry: { target: ['poetry.lock'], additional: ['pyproject.toml'] },
  uv: { target: ['uv.lock'], additional: ['pyproject.toml'] },
  pipenv: { target: ['Pipfile.lock', 'Pipfile'], additional: ['Pipfile.lock', 'Pipfile'] },
  pyproject: { target: ['pyproject.toml', 'pylock.toml'], additional: ['pyproject.toml', 'pylock.toml'] },
  sbt: { target: ['build.sbt'], additional: sbt },
  sbom: { target: ['cyclonedx', 'cyclonedx-xml', 'spdx', 'spdx-tag'], additional: [] },
} as const satisfies Readonly<Record<string, ReadKinds>>

/** By ecosystem id. */
export const readKinds: Readonly<Record<string, ReadKinds>> = {
  ...kindsById,
  ...Object.fromEntries(fileLists.map(({ ecosystem, target, additional }) => [ecosystem, { target, additional }])),
}

export type ReadingEcosystem = keyof typeof kindsById | (string & {})

export function kindsOf(ecosystem: ReadingEcosystem): ReadKinds {
  return readKinds[ecosystem]!
}

/** Kinds of one language that only their names distinguish. */
const families: readonly (readonly ReadableKind[])[] = [
  ['build.gradle', 'settings.gradle'],
  ['build.sbt', 'plugins.sbt', 'project/*.scala'],
  ['gradle.properties', 'build.properties'],
  ['maven.config', 'jvm.config'],
  ['cyclonedx', 'spdx'],
  ['.yarnrc.yml', 'pnpm-workspace.yaml'],
  ['csproj', 'Directory.Packages.props'],
]

export function isSameFamily(one: string, other: string): boolean {
  return families.some((family) => [one, other].every((kind) => (family as readonly string[]).includes(kind)))
}
