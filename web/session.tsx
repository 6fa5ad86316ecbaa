import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { type Refusal, toRefusal } from './api/refusal.ts'
import { forgetKey, keepKey, readKey } from './api/session.ts'

interface Session {
  readonly isSignedIn: boolean
  /** Why the server ended the session, when it did. */
  readonly ended: Refusal | undefined
  signIn(key: string): void
  signOut(): void
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider around it')
  return session
}

/** Who is signed in, and what was read as them: both end together, also when the server refuses the key. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [isSignedIn, setSignedIn] = useState(readKey() !== undefined)
  const [ended, setEnded] = useState<Refusal>()

  const client = useMemo(() => {
    const onError = (error: unknown) => {
      const refusal = toRefusal(error)
      if (refusal.status !== 401) return
      forgetKey()
      setEnded(refusal)
      setSignedIn(false)
    }
    return new QueryClient({
      queryCache: new QueryCache({ onError }),
      mutationCache: new MutationCache({ onError }),
      defaultOptions: {
        queries: {
          retry: (failures, error) => failures < 1 && isPassing(toRefusal(error)),
          staleTime: 5000,
        },
      },
    })
  }, [])

  const session: Session = {
    isSignedIn,
    ended,
    signIn(key) {
      keepKey(key)
      client.clear()
      setEnded(undefined)
      setSignedIn(true)
    },
    signOut() {
      forgetKey()
      client.clear()
      setEnded(undefined)
      setSignedIn(false)
    },
  }
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </SessionContext>
  )
}

function isPassing({ status }: Refusal): boolean {
  return status === 0 || status === 429 || status >= 500
}
