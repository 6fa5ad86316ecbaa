/** A required module version. */
export interface GoRequirement {
  readonly path: string
  readonly version: string
}

/** An interval of retracted versions, both ends included. */
export interface GoRetraction {
  readonly low: string
  readonly high: string
}

/** A dependency's go.mod: the directives that affect the projects requiring it. */
export interface GoModule {
  /** Its declared path; empty without a `module` directive. */
  readonly path: string
  /** Its `go` directive. */
  readonly go?: string
  readonly requires: readonly GoRequirement[]
  readonly retracts: readonly GoRetraction[]
}

/** A module proxy (https://go.dev/ref/mod#goproxy-protocol). */
export interface GoReader {
  /** False if no proxy is configured; then it must not be asked. */
  hasProxy(): Promise<boolean>
  /** Returns the go.mod of a version; undefined if the proxy does not know it. */
  mod(path: string, version: string): Promise<GoModule | undefined>
  /** Returns tagged versions in any order; undefined if the proxy does not know the module. */
  versions(path: string): Promise<readonly string[] | undefined>
}
