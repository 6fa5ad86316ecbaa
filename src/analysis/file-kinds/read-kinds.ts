import type { ReadableKind } from './file-kind.ts'

/** The kinds of file that an ecosystem reads. */
export interface ReadKinds {
  /** As the target. */
  readonly target: readonly ReadableKind[]
  /** Beside it. */
  readonly additional: readonly ReadableKind[]
}

const sbt: readonly ReadableKind[] = ['build.sbt', 'plugins.sbt', 'project/*.scala', 'build.properties']

/** By the ecosystem's id. */
export const readKinds = {
  npm: { target: ['package.json', 'package-lock.json'], additional: ['package.json', 'package-lock.json'] },
  yarn: { target: ['package.json', 'yarn.lock'], additional: ['package.json', 'yarn.lock', '.yarnrc.yml'] },
  govendor: { target: ['vendor.json'], additional: [] },
  maven: { target: ['pom.xml'], additional: ['pom.xml', 'maven.config', 'jvm.config', 'extensions.xml'] },
  gradle: {
    target: ['build.gradle'],
    additional: [
      'build.gradle',
      'settings.gradle',
      'gradle.properties',
      'libs.versions.toml',
      'gradle.lockfile',
      'dependencies.lock',
    ],
  },
  rubygems: { target: ['Gemfile.lock', 'Gemfile'], additional: ['Gemfile.lock', 'Gemfile', 'gemspec'] },
  pip: { target: ['requirements.txt'], additional: ['requirements.txt'] },
  sbt: { target: ['build.sbt'], additional: sbt },
} as const satisfies Readonly<Record<string, ReadKinds>>

export type ReadingEcosystem = keyof typeof readKinds

/** Kinds of one language that only their names tell apart. */
const families: readonly (readonly ReadableKind[])[] = [
  ['build.gradle', 'settings.gradle'],
  ['build.sbt', 'plugins.sbt', 'project/*.scala'],
  ['gradle.properties', 'build.properties'],
]

export function isSameFamily(one: string, other: string): boolean {
  return families.some((family) => [one, other].every((each) => (family as readonly string[]).includes(each)))
}
