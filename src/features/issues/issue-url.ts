/** Returns the address of the public page of a vulnerability. */
export function issueUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/vuln/${encodeURIComponent(id)}`
}
