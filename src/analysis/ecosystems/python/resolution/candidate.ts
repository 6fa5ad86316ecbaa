import type { Specifier } from '#analysis/versions/pep440-specifiers.ts'
import type { PythonVersion } from '#analysis/versions/pep440-version.ts'
import type { PublishedFile } from '../packaging/published-files.ts'

/** Pseudo-project that stands for the interpreter (`Requires-Python`). */
export const PYTHON = '<python>'

/** A version of a project, with or without extras; or the interpreter. */
export interface Candidate {
  /** `name`, or `name[extra,other]`, a separate candidate that requires exactly the same `name`. */
  readonly id: string
  readonly project: string
  readonly extras: readonly string[]
  /** Undefined if unknown: it then satisfies every range. */
  readonly version: string | undefined
  readonly parsed: PythonVersion | undefined
  /** Undefined for a candidate on no index. */
  readonly file: PublishedFile | undefined
  /** The same without extras; undefined if it has none. */
  readonly base: Candidate | undefined
  /** True if the project fixes this candidate: its metadata and interpreter are not checked. */
  readonly isGiven: boolean
}

/** A single request for a project. */
export interface Want {
  readonly id: string
  readonly project: string
  readonly extras: readonly string[]
  readonly range: string
  readonly specifiers: readonly Specifier[]
  /** The only acceptable candidate. */
  readonly exact: Candidate | undefined
}

export function toId(project: string, extras: readonly string[]): string {
  return extras.length === 0 ? project : `${project}[${extras.join(',')}]`
}

export function toWant(
  project: string,
  request: { readonly extras?: readonly string[]; readonly range?: string; readonly specifiers?: readonly Specifier[] },
): Want {
  const { extras = [], range = '', specifiers = [] } = request
  return { id: toId(project, extras), project, extras, range, specifiers, exact: undefined }
}

export function wantExactly(candidate: Candidate): Want {
  const { id, project, extras } = candidate
  return { id, project, extras, range: '', specifiers: [], exact: candidate }
}
