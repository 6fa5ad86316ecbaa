import type { Answer } from './api/client.ts'
import type { OpenServer } from './open-server.ts'
import { printable } from './printable.ts'

/** Asks the server for the owner of the credential. */
export async function askWhoAmI({ client }: OpenServer, signal: AbortSignal): Promise<Answer<'getSelf'>['data']> {
  return (await client.call('getSelf', { signal })).data
}

export function nameOf({ attributes }: Answer<'getSelf'>['data']): string {
  const { name } = attributes
  const email = 'email' in attributes ? attributes.email : ''
  return printable(email || name || 'an unnamed account')
}
