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
  /** `Requires-Dist`, PEP 508 requirements as they are written. */
  readonly requiresDist: readonly string[]
  readonly requiresPython?: string
  /** `Provides-Extra`. */
  readonly provides: readonly string[]
  readonly licence?: string
}

/** The simple repository API (PEP 503, PEP 691) and metadata of files (PEP 658, PEP 714). Names in any spelling. */
export interface PyPiReader {
  /** Undefined when the registry does not know the project. */
  project(name: string): Promise<PyPiProject | undefined>
  /** Undefined when the registry does not know the version. */
  metadata(name: string, version: string): Promise<PyPiMetadata | undefined>
}
