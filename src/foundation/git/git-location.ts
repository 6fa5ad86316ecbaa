/** A server's credentials for git, always a name and a password (RFC 7617). */
export interface GitCredentials {
  readonly username: string
  readonly password: string
}

/** A repository on this machine that others may change at any time. */
export interface LocalGitLocation {
  /** The git directory, as a real path. */
  readonly folder: string
  /** Real paths of the folders that the operator allows; nothing else is read. */
  readonly within: readonly string[]
}

/** A repository on a server, or in a folder that the operator allows. */
export type GitLocation = { readonly url: string; readonly credentials: GitCredentials | undefined } | LocalGitLocation
