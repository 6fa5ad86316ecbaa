/** A published file of a project: a wheel or a source distribution. */
export interface PyPiFile {
  readonly filename: string
  readonly version: string
  /** A PEP 440 specifier for the interpreter. */
  readonly requiresPython?: string
  /** PEP 592: installable only by exact version. */
  readonly yanked: boolean
  /** PEP 658: the registry serves the file's metadata separately. */
  readonly hasMetadata: boolean
}

export interface PyPiProject {
  readonly files: readonly PyPiFile[]
}

/** Core metadata of one version. */
export interface PyPiMetadata {
  /** `Requires-Dist`, PEP 508 requirements as written; undefined if only the build determines them. */
  readonly requiresDist?: readonly string[]
  readonly requiresPython?: string
  /** `Provides-Extra`. */
  readonly provides: readonly string[]
  readonly license?: string
}

export interface PyPiFileName {
  readonly project: string
  readonly version: string
  readonly filename: string
}

/** An index by the base URL of its simple API; null is the configured one. */
export type PyPiIndex = string | null

/** The simple repository API (PEP 503, PEP 691) and file metadata (PEP 658, PEP 714). Accepts any spelling of names. */
export interface PyPiReader {
  /** Returns the files of all indexes merged, as pip ranks none first; undefined if none has the project. */
  project(name: string, indexes?: readonly PyPiIndex[]): Promise<PyPiProject | undefined>
  /** Returns the metadata of the file if the registry serves it, else of its version; undefined if there is none. */
  metadata(file: PyPiFileName, indexes?: readonly PyPiIndex[]): Promise<PyPiMetadata | undefined>
  /** Maps indexes named by a project's files, in order: null for the configured one, undefined if not allowed. */
  permitted(urls: readonly string[]): Promise<readonly (PyPiIndex | undefined)[]>
}
