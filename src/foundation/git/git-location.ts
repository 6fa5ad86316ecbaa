/** What a server asks of git, which always comes down to a name and a password (RFC 7617). */
export interface GitCredentials {
  readonly username: string
  readonly password: string
}

/** A repository of this machine, which others may write to at any moment. */
export interface LocalGitLocation {
  /** The git directory, as a real path. */
  readonly folder: string
  /** Real paths of the folders that the operator allows; nothing outside of them is read. */
  readonly within: readonly string[]
}

/** A repository: on a server, or in a folder that the operator lets us read. */
export type GitLocation = { readonly url: string; readonly credentials: GitCredentials | undefined } | LocalGitLocation
