import type { Outline } from './outline.ts'

/** The files that a reader takes, each by the name that people know it by. */
export type ReadableKind =
  | 'package.json'
  | 'package-lock.json'
  | 'yarn.lock'
  | '.yarnrc.yml'
  | 'vendor.json'
  | 'pom.xml'
  | 'maven.config'
  | 'jvm.config'
  | 'extensions.xml'
  | 'build.gradle'
  | 'settings.gradle'
  | 'gradle.properties'
  | 'libs.versions.toml'
  | 'gradle.lockfile'
  | 'dependencies.lock'
  | 'Gemfile'
  | 'Gemfile.lock'
  | 'gemspec'
  | 'requirements.txt'
  | 'build.sbt'
  | 'plugins.sbt'
  | 'project/*.scala'
  | 'build.properties'

/** A kind of file, told by what is in it and by its name. */
export interface FileKind {
  readonly id: string
  /** The kind in a sentence: "This is …". */
  readonly label: string
  /** The names of such files, without folders. */
  readonly names: RegExp
  /** What to send instead, a sentence; for kinds that no reader takes. */
  readonly instead?: string
  /** True when the text can be nothing else. */
  detect(outline: Outline): boolean
  /** True when a file that has such a name may be one, though nothing in it tells. Default: it may not. */
  isPlausible?(outline: Outline): boolean
  /** True when a detector that takes nearly anything has good reason to. Default: it has. */
  isSure?(outline: Outline): boolean
}

/** Advice for package managers that are not read here. */
export const SEND_GRAPH =
  'Gatehouse does not read it yet: resolve the project with its own tool and send the graph to /v1/test/dep-graph.'
