import type { Specifier } from '#analysis/versions/pep440-specifiers.ts'
import type { PythonVersion } from '#analysis/versions/pep440-version.ts'
import type { PublishedFile } from './published-files.ts'

/** What is asked for under this name is an interpreter (`Requires-Python`). */
export const PYTHON = '<python>'

/** One version of a project, with extras or without; or the interpreter. */
export interface Candidate {
  /** `name`, or `name[extra,other]`, which is a thing of its own that needs exactly that `name`. */
  readonly id: string
  readonly project: string
  readonly extras: readonly string[]
  /** Undefined when nobody can tell: it then fits everything. */
  readonly version: string | undefined
  readonly parsed: PythonVersion | undefined
  /** Undefined for what no index lists. */
  readonly file: PublishedFile | undefined
  /** The same without extras; undefined when it has none. */
  readonly base: Candidate | undefined
  /** The project says itself that it is to be this one: neither its metadata nor its interpreter speak against it. */
  readonly isGiven: boolean
}

/** What somebody asks for. */
export interface Want {
  readonly id: string
  readonly project: string
  readonly extras: readonly string[]
  readonly range: string
  readonly specifiers: readonly Specifier[]
  /** This very one and no other. */
  readonly exact: Candidate | undefined
}

export function toId(project: string, extras: readonly string[]): string {
  return extras.length === 0 ? project : `${project}[${extras.join(',')}]`
}

export function toWant(
  project: string,
  asked: { readonly extras?: readonly string[]; readonly range?: string; readonly specifiers?: readonly Specifier[] },
): Want {
  const { extras = [], range = '', specifiers = [] } = asked
  return { id: toId(project, extras), project, extras, range, specifiers, exact: undefined }
}

export function wantExactly(candidate: Candidate): Want {
  const { id, project, extras } = candidate
  return { id, project, extras, range: '', specifiers: [], exact: candidate }
}
