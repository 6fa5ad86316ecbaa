import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import type { SignInWay } from '../../api/resources.ts'

/** Looks up how an e-mail address signs in, once per domain. Failures count as no provider: a password still works. */
export function useSignInWay() {
  const [way, setWay] = useState<SignInWay>({})
  const latestDomain = useRef('')

  async function look(email: string): Promise<SignInWay> {
    const domain = email.trim().split('@').at(1)?.toLowerCase() ?? ''
    if (domain === latestDomain.current) return way
    latestDomain.current = domain
    const signInWay = domain.includes('.')
      ? await call('findSignInWay', { body: { email: email.trim() } }).catch(() => ({}))
      : {}
    // The address has changed meanwhile.
    if (latestDomain.current === domain) setWay(signInWay)
    return signInWay
  }

  return { way, look }
}
