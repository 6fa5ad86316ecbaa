import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { call } from '../api/client.ts'
import type { Refusal } from '../api/refusal.ts'
import { forgetKey, keepKey, readKey, setSession } from '../api/session.ts'

interface Session {
  /** `looking` until the server reports whether the browser has a session; `leaving` until the server has ended it. */
  readonly state: 'looking' | 'signed-in' | 'leaving' | 'signed-out'
  /** The reason why the server ended the session. */
  readonly ended: Refusal | undefined
  /** Called when the browser has started a session. */
  signIn(sessionId: string): void
  signInWithKey(key: string): void
  /** Signs out; with a reason if the user did not request it. */
  signOut(because?: Refusal): void
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider around it')
  return session
}

/**
 * Provides the session of the signed-in user. Cached data is kept inside (`authenticated-app.tsx`) and dropped with the
 * session.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<Session['state']>(readKey() === undefined ? 'looking' : 'signed-in')
  const [ended, setEnded] = useState<Refusal>()

  const signIn = useCallback((sessionId: string) => {
    setSession(sessionId)
    setEnded(undefined)
    setState('signed-in')
  }, [])
  const signInWithKey = useCallback((key: string) => {
    keepKey(key)
    setEnded(undefined)
    setState('signed-in')
  }, [])
  const signOut = useCallback((because?: Refusal) => {
    const isByKey = readKey() !== undefined
    forgetKey()
    setSession(undefined)
    setEnded(because)
    if (because !== undefined || isByKey) return setState('signed-out')
    // Leave the page at once. Once the sign-in is shown, the user is signed out, unless the server is unreachable.
    setState('leaving')
    void call('endSession', {})
      .catch(() => undefined)
      .then(() => setState('signed-out'))
  }, [])
  useEffect(() => {
    if (state !== 'looking') return
    let isCurrent = true
    call('findSession', {})
      .then(({ id }) => id)
      .catch(() => undefined)
      .then((id) => {
        if (!isCurrent) return
        if (id === undefined) setState('signed-out')
        else signIn(id)
      })
    return () => {
      isCurrent = false
    }
  }, [state, signIn])
  return <SessionContext value={{ state, ended, signIn, signInWithKey, signOut }}>{children}</SessionContext>
}
