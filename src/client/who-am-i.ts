import { askServer, toFailure } from './ask-server.ts'
import type { Connection, Environment } from './connection.ts'
import { printable } from './printable.ts'

/** Asks the server for the owner of the key. Throws `ClientFailure` for keys that it does not accept. */
export async function askWhoAmI(
  connection: Connection,
  environment: Environment,
  signal: AbortSignal,
): Promise<{ name: string }> {
  const answer = await askServer(connection, environment, { method: 'GET', path: '/v1/user/me', signal })
  if (answer.status !== 200) throw toFailure(answer, connection.url)
  const { username, email } = JSON.parse(answer.text) as { username?: string; email?: string }
  return { name: printable(email || username || 'an unnamed account') }
}
