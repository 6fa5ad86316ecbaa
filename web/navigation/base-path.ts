/** The base path of a proxy, read from the page's links; empty in tests. */
export const basePath = readBasePath()

function readBasePath(): string {
  const { document } = globalThis as { document?: { querySelector(selector: string): { href: string } | null } }
  const icon = document?.querySelector('link[rel="icon"]')
  return icon ? new URL(icon.href).pathname.replace(/\/console\/[^/]*$/, '') : ''
}

/** Path of the console. */
export const consolePath = `${basePath}/console`
