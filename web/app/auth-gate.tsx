import { Suspense, useEffect } from 'react'
import { useSession } from '../hooks/session.tsx'
import { newPasswordPath, secondStepPath } from '../navigation/base-path.ts'
import { savesData } from '../navigation/fetch-ahead.ts'
import { lazyPart } from '../navigation/lazy.ts'
import { whenIdle } from '../navigation/when-idle.ts'
import { Faults } from '../shell/faults.tsx'
import { FirstLoad } from '../shell/first-load.tsx'

const load = async () => (await import('./authenticated-app.tsx')).AuthenticatedApp
const AuthenticatedApp = lazyPart(load)
// Signed-in users need none of these.
const NewPassword = lazyPart(async () => (await import('../pages/new-password.tsx')).NewPassword)
const SignIn = lazyPart(async () => (await import('../pages/sign-in/page.tsx')).SignIn)
const SecondStepPage = lazyPart(async () => (await import('../pages/sign-in/second-step-page.tsx')).SecondStepPage)

/** Shows the sign-in at the address of the requested page. Fetches the rest of the console while the user types. */
export function AuthGate() {
  return (
    <Faults>
      <Suspense fallback={<FirstLoad />}>
        <Gate />
      </Suspense>
    </Faults>
  )
}

function Gate() {
  const { state } = useSession()
  const isSignedIn = state === 'signed-in'
  useEffect(() => {
    if (isSignedIn || savesData()) return undefined
    return whenIdle(() => void load().catch(() => undefined))
  }, [isSignedIn])
  if (location.pathname === newPasswordPath) return <NewPassword />
  if (location.pathname === secondStepPath) return <SecondStepPage />
  if (state === 'looking' || state === 'leaving') return <FirstLoad />
  if (state === 'signed-out') return <SignIn />
  return <AuthenticatedApp />
}
