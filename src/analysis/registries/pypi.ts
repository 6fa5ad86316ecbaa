/** A published file of a project: a wheel or a source distribution. */
export interface PyPiFile {
  readonly filename: string
  readonly version: string
  /** A PEP 440 specifier for the interpreter. */
  readonly requiresPython?: string
  /** PEP 592: only to be installed when asked for by this very version. */
  readonly yanked: boolean
  /** PEP 658: the registry serves the file's metadata by itself. */
  readonly hasMetadata: boolean
}

export interface PyPiProject {
  readonly files: readonly PyPiFile[]
}

/** Core metadata of one version. */
export interface PyPiMetadata {
  /** `Requires-Dist`, PEP 508 requirements as they are written; undefined when only running its build would tell. */
  readonly requiresDist?: readonly string[]
  readonly requiresPython?: string
  /** `Provides-Extra`. */
  readonly provides: readonly string[]
  readonly licence?: string
}

export interface PyPiFileName {
  readonly project: string
  readonly version: string
  readonly filename: string
}

/** An index by the base URL of its simple API; null is the configured one. */
export type PyPiIndex = string | null

/** The simple repository API (PEP 503, PEP 691) and metadata of files (PEP 658, PEP 714). Names in any spelling. */
export interface PyPiReader {
  /** The files of all indexes together, as pip knows no order of them; undefined when none knows the project. */
  project(name: string, indexes?: readonly PyPiIndex[]): Promise<PyPiProject | undefined>
  /** Of the very file where the registry serves that, else of its version; undefined when it has none. */
  metadata(file: PyPiFileName, indexes?: readonly PyPiIndex[]): Promise<PyPiMetadata | undefined>
  /**
   * Which indexes are asked for those that a project's files name, in their order: null when that is what the configured
   * one stands for, undefined when it may not be asked.
   */
  permitted(urls: readonly string[]): Promise<readonly (PyPiIndex | undefined)[]>
}
