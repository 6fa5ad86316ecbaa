/** What a proxy puts before all paths of the server, as the links of the page say, which the server wrote. Nothing in tests. */
export const basePath = readBasePath()

function readBasePath(): string {
  const { document } = globalThis as { document?: { querySelector(selector: string): { href: string } | null } }
  const icon = document?.querySelector('link[rel="icon"]')
  return icon ? new URL(icon.href).pathname.replace(/\/console\/[^/]*$/, '') : ''
}

/** Where the console is. */
export const consolePath = `${basePath}/console`
