import assert from 'node:assert/strict'

export interface ProviderBrowser {
  /** Signs in and consents on the provider's pages. Returns the address to which the browser is sent back. */
  signIn(url: string, name: string): Promise<URL>
  /** Signs out on the provider's pages. */
  signOut(): Promise<void>
}

const MAX_STEPS = 20

interface Pages {
  /** Fields of the form in which a user signs in. */
  readonly credentials: (name: string) => Record<string, string>
  /** The page that ends the session, and the fields of its form. */
  readonly signOut: { readonly path: string; readonly fields: Record<string, string> }
}

/** Returns a browser without cookies for the pages of a provider at `issuer`. */
export function createProviderBrowser(issuer: string, { credentials, signOut }: Pages): ProviderBrowser {
  const { origin } = new URL(issuer)
  const jar = new Map<string, string>()

  async function load(url: URL, form?: URLSearchParams): Promise<{ next?: URL; body: string }> {
    const answer = await fetch(url, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      ...(form && { body: form }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const location = answer.headers.get('location')
    return { body: await answer.text(), ...(location !== null && { next: new URL(location, url) }) }
  }

  /** Follows redirects and sends forms, filled in, until the browser leaves the provider or nothing follows. */
  async function browse(start: string, fields: Record<string, string>): Promise<URL | undefined> {
    let url = new URL(start)
    let form: URLSearchParams | undefined
    for (let step = 0; step < MAX_STEPS; step++) {
      const { next, body } = await load(url, form)
      form = undefined
      if (next && next.origin !== origin) return next
      if (next) url = next
      else {
        const [, action] = /<form[^>]*action="([^"]+)"/.exec(body) ?? []
        if (action === undefined) return undefined
        url = new URL(action.replaceAll('&amp;', '&'), url)
        const hidden = [...body.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)]
        form = new URLSearchParams([
          ...hidden.map(([, name, value]): [string, string] => [name!, value!]),
          ...Object.entries(fields),
        ])
      }
    }
    return assert.fail('the pages of the provider have no end')
  }

  return {
    async signIn(url, name) {
      return (await browse(url, credentials(name))) ?? assert.fail('the provider did not send the browser back')
    },
    async signOut() {
      await browse(`${issuer}${signOut.path}`, signOut.fields)
    },
  }
}
