/** The base path of a proxy, read from the page's links; empty in tests. */
export const basePath = readBasePath()

function readBasePath(): string {
  const { document } = globalThis as { document?: { querySelector(selector: string): { href: string } | null } }
  const icon = document?.querySelector('link[rel="icon"]')
  return icon ? new URL(icon.href).pathname.replace(/\/console\/[^/]*$/, '') : ''
}

export const consolePath = `${basePath}/console`

/** Path of the page for one-time links, which needs no sign-in. */
export const newPasswordPath = `${consolePath}/new-password`

/** Path of the page for second factors and passkeys during an app's sign-in. */
export const secondStepPath = `${consolePath}/second-step`
