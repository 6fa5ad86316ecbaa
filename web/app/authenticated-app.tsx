import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Refusal, toRefusal } from '../api/refusal.ts'
import { credentialInUse } from '../api/session.ts'
import { useSession } from '../hooks/session.tsx'
import { fetchAhead } from '../navigation/fetch-ahead.ts'
import { RouterProvider } from '../router/react.tsx'
import { Shell } from '../shell/shell.tsx'
import { findPages, router } from './routes.tsx'

/** The console behind the sign-in, with the cached data of the signed-in user. */
export function AuthenticatedApp() {
  const { signOut } = useSession()
  const [client] = useState(() => clientOf(signOut))
  useEffect(() => fetchAhead(findPages), [])
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router}>
        <Shell />
      </RouterProvider>
    </QueryClientProvider>
  )
}

/** Ends the session after a refused credential, unless it was replaced meanwhile. */
function clientOf(signOut: (because: Refusal) => void): QueryClient {
  const credential = credentialInUse()
  const onError = (error: unknown) => {
    const refusal = toRefusal(error)
    if (refusal.status === 401 && credentialInUse() === credential) signOut(refusal)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    // Any change may affect a count in the navigation.
    mutationCache: new MutationCache({
      onError,
      onSuccess: () => void client.invalidateQueries({ queryKey: ['counts'] }),
    }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 1 && isPassing(toRefusal(error)),
        staleTime: 5000,
      },
    },
  })
  return client
}

function isPassing({ status }: Refusal): boolean {
  return status === 0 || status === 429 || status >= 500
}
