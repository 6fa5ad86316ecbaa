import { spawnSync } from 'node:child_process'
import { corpusLacks } from '../corpus/folder.ts'

/** The findings of one project, ours and the reference's. */
export interface Compared {
  readonly project: string
  readonly files: number
  /** Packages we found. */
  readonly packages: number
  /** Number of compared lines: packages, and edges if the reference reports them. */
  readonly lines: number
  readonly onlyOurs: readonly string[]
  readonly onlyTheirs: readonly string[]
  /** The reason for a missing or partial comparison. */
  readonly note?: string
}

/** The comparison of one ecosystem with one reference tool. */
export interface Comparison {
  readonly ecosystem: string
  /** The compared subject: `packages of the lock`. */
  readonly what: string
  readonly reference: string
  /** Returns the reason for skipping it; undefined if it can run. */
  missing(): string | undefined
  run(): Promise<readonly Compared[]>
}

export interface CompareSettings {
  /** Folder of real projects, one folder for each ecosystem. */
  readonly manifests: string
  /** A folder in which `node_modules/yarn-lock-<version>` are Yarns for that version of the lock. */
  readonly yarns: string | undefined
  /** A folder in which `node_modules/pnpm-lock-<version>` are pnpms for that version of the lock. */
  readonly pnpms: string | undefined
  /** The program of Bun. */
  readonly bun: string | undefined
  /** Folders with Poetry, uv, Pipenv and their `python`; the first whose Python the project accepts is used. */
  readonly pythonTools: readonly string[]
  readonly python: string
  readonly osvScanner: string | undefined
  /** A folder with programs that write bills of materials: cdxgen, syft, cyclonedx-npm, cyclonedx-py. */
  readonly billTools: string | undefined
  /** Maximum number of projects of each ecosystem of which each program writes bills. */
  readonly bills: number
  /** Java class path of Coursier and `Resolve` of `coursier-references`. */
  readonly coursier: string | undefined
  /** The jar of Maven's version ordering, and the folder of its libraries. */
  readonly mavenArtifact: string
  readonly mavenLibraries: string
  /** True if registries may be queried, as the real tools do. */
  readonly mayAskRegistries: boolean
  /** Networks that those may be in, when they are not public. */
  readonly allow: readonly string[]
  /** Maximum number of projects that npm installs. */
  readonly installs: number
  /** Number and seed of random registries with projects, and number of random pairs of versions. */
  readonly worlds: number
  readonly pairs: number
  readonly seed: number
}

interface Sides {
  readonly packages: number
  readonly own: ReadonlySet<string>
  readonly expected: ReadonlySet<string>
}

export function toCompared(project: string, files: number, { packages, own, expected }: Sides): Compared {
  return {
    project,
    files,
    packages,
    lines: own.union(expected).size,
    onlyOurs: [...own.difference(expected)].sort(),
    onlyTheirs: [...expected.difference(own)].sort(),
  }
}

export function notCompared(project: string, note: string): Compared {
  return { project, files: 0, packages: 0, lines: 0, onlyOurs: [], onlyTheirs: [], note }
}

/** A random question and the answers of both sides; equal answers count as one line. */
export interface Answers {
  readonly question: string
  readonly own: string
  readonly expected: string
}

export function compareAnswers(project: string, answers: readonly Answers[]): Compared {
  const different = answers.filter(({ own, expected }) => own !== expected)
  return {
    project,
    files: 0,
    packages: 0,
    lines: answers.length,
    onlyOurs: different.map(({ question, own }) => `${question} → ${own}`),
    onlyTheirs: different.map(({ question, expected }) => `${question} → ${expected}`),
  }
}

/** Returns the first reason for skipping a comparison. */
export function firstOf(...reasons: readonly (() => string | undefined)[]): () => string | undefined {
  return () =>
    reasons
      .values()
      .map((reason) => reason())
      .find((reason) => reason !== undefined)
}

export function needsProjects(ecosystem: string): () => string | undefined {
  return () => corpusLacks(`manifests/${ecosystem}`)
}

export function needsRegistries({ mayAskRegistries }: CompareSettings): () => string | undefined {
  return () => (mayAskRegistries ? undefined : 'queries registries: --registries')
}

/** Requires that a command ends with success. */
export function needsCommand(name: string, command: string, ...parameters: string[]): () => string | undefined {
  return () => (spawnSync(command, parameters).status === 0 ? undefined : `needs ${name}`)
}

export function needsOption(value: unknown, text: string): () => string | undefined {
  return () => (value === undefined ? `needs ${text}` : undefined)
}

export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
