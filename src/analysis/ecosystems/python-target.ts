/** The interpreter and system for which a project is read, as named by requests and settings. */
export interface PythonTarget {
  /** `3.13`, or with a patch `3.13.1`. */
  readonly version: string
  readonly platform: PythonPlatform
  /**
   * The origin of the version: project files can override the server's, but not the request's. Default: the request.
   */
  readonly basis?: 'request' | 'setting' | 'default'
}

export const pythonPlatforms = ['linux', 'macos', 'windows'] as const
export type PythonPlatform = (typeof pythonPlatforms)[number]

export const defaultPythonTarget: PythonTarget = { version: '3.13', platform: 'linux', basis: 'default' }
