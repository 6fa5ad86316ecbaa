import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import type { Refusal } from '../api/refusal.ts'
import { forgetKey, keepKey, readKey } from '../api/session.ts'

interface Session {
  readonly isSignedIn: boolean
  /** The reason for which the server ended the session. */
  readonly ended: Refusal | undefined
  signIn(key: string): void
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
 * Holds the signed-in user. Their cached data lives inside (`authenticated-app.tsx`) and is dropped with the session.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [isSignedIn, setSignedIn] = useState(readKey() !== undefined)
  const [ended, setEnded] = useState<Refusal>()

  const signIn = useCallback((key: string) => {
    keepKey(key)
    setEnded(undefined)
    setSignedIn(true)
  }, [])
  const signOut = useCallback((because?: Refusal) => {
    forgetKey()
    setEnded(because)
    setSignedIn(false)
  }, [])
  return <SessionContext value={{ isSignedIn, ended, signIn, signOut }}>{children}</SessionContext>
}
