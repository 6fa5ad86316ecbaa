/** What a server asks of git, which always comes down to a name and a password (RFC 7617). */
export interface GitCredentials {
  readonly username: string
  readonly password: string
}

/** A repository: on a server, or in a folder that the operator lets us read. */
export type GitLocation =
  | { readonly url: string; readonly credentials: GitCredentials | undefined }
  | { readonly folder: string }
