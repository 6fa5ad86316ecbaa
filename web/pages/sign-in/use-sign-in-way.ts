import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import type { SignInWay } from '../../api/resources.ts'

/** Looks up how an e-mail address signs in, once per domain. Failures count as no provider: a password still works. */
export function useSignInWay() {
  const [way, setWay] = useState<SignInWay>({})
  const asked = useRef('')

  async function look(email: string): Promise<SignInWay> {
    const domain = email.trim().split('@').at(1)?.toLowerCase() ?? ''
    if (domain === asked.current) return way
    asked.current = domain
    const found = domain.includes('.')
      ? await call('findSignInWay', { body: { email: email.trim() } }).catch(() => ({}))
      : {}
    // The address has changed meanwhile.
    if (asked.current === domain) setWay(found)
    return found
  }

  return { way, look }
}
