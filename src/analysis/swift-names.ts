/** Returns the name of a Swift package as in OSV's SwiftURL: host, owner and repository, without scheme and `.git`. */
export function toSwiftName(address: string): string {
  return address
    .replace(/^[a-z][a-z+.-]*:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([\w.-]+):(?!\d+\/)\/?/, '$1/')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
}
