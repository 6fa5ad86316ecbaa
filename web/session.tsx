import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import type { Refusal } from './api/refusal.ts'
import { forgetKey, keepKey, readKey } from './api/session.ts'

interface Session {
  readonly isSignedIn: boolean
  /** Why the server ended the session, when it did. */
  readonly ended: Refusal | undefined
  signIn(key: string): void
  /** With why, when nobody asked for it. */
  signOut(because?: Refusal): void
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider around it')
  return session
}

/** Who is signed in. What was read as them is kept within (`inside.tsx`), and ends with it. */
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
