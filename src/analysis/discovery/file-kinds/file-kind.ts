import type { Outline } from './outline.ts'

/** The kinds of files that a reader accepts, by their common names; ecosystems that declare files have their own. */
export type ReadableKind =
  | (string & {})
  | 'package.json'
  | 'package-lock.json'
  | 'yarn.lock'
  | '.yarnrc.yml'
  | 'bun.lock'
  | 'pnpm-lock.yaml'
  | 'pnpm-workspace.yaml'
  | 'go.mod'
  | 'go.sum'
  | 'go.work'
  | 'modules.txt'
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
  | 'pyproject.toml'
  | 'poetry.lock'
  | 'uv.lock'
  | 'Pipfile'
  | 'Pipfile.lock'
  | 'pylock.toml'
  | 'build.sbt'
  | 'plugins.sbt'
  | 'project/*.scala'
  | 'build.properties'
  | 'cyclonedx'
  | 'cyclonedx-xml'
  | 'spdx'
  | 'spdx-tag'

/** A kind of file, recognized by content and name. */
export interface FileKind {
  readonly id: string
  /** The kind in the sentence "This is …". */
  readonly label: string
  /** File names, without folders; absent for kinds without a reader. */
  readonly names?: RegExp
  /** Advice on what to send instead, for kinds without a reader. */
  readonly instead?: string
  /** Set if malformed text in this notation is of this kind, so that its reader reports the position. */
  readonly notation?: 'json' | 'xml'
  /** Returns true if the text can be nothing else. */
  detect(outline: Outline): boolean
  /** Returns true if a file with such a name may be of this kind without any evidence. Default: false. */
  isPlausible?(outline: Outline): boolean
  /** Returns true if a lenient detector has good evidence. Default: true. */
  isSure?(outline: Outline): boolean
}

/** Advice for unsupported package managers. */
export const SEND_GRAPH =
  'Gatehouse does not read it yet: resolve the project with its own tool and send the graph to /v1/test/dep-graph.'
