import assert from 'node:assert/strict'
import { PASSWORD } from '#test/access/people.ts'
import { call } from '../api/client.ts'
import { setSession } from '../api/session.ts'

/** Starts a session in the document's browser, with a code for users who have a second factor. */
export async function signInHere({ email }: { email: string }, code?: string): Promise<void> {
  const answer = await call('beginSession', { body: { email, password: PASSWORD } })
  const begun =
    'step' in answer
      ? await call('sendCode', { body: { code: code ?? assert.fail('a second factor is asked for') } })
      : answer
  setSession(begun.id)
}
