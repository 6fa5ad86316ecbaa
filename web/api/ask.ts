import { basePath } from '../navigation/base-path.ts'
import { reach } from './client.ts'
import { readRefusal } from './refusal.ts'
import { credentialHeaders } from './session.ts'

/** Calls one of the console's own operations, which keep the session in a cookie. Throws `Refusal`. */
export async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const response = await reach(`${basePath}/console/${path}`, {
    method,
    // A sign-out arrives even if the tab is closed meanwhile.
    keepalive: method === 'DELETE',
    headers: { ...credentialHeaders(), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw await readRefusal(response)
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}
