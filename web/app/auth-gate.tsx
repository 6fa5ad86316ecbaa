import { Component, type ReactNode, Suspense, useEffect } from 'react'
import { useSession } from '../hooks/session.tsx'
import { newPasswordPath, secondStepPath } from '../navigation/base-path.ts'
import { savesData } from '../navigation/fetch-ahead.ts'
import { lazyPart } from '../navigation/lazy.ts'
import { whenIdle } from '../navigation/when-idle.ts'
import { NewPassword } from '../pages/new-password.tsx'
import { SignIn } from '../pages/sign-in/page.tsx'
import { SecondStepPage } from '../pages/sign-in/second-step-page.tsx'
import { Broken } from '../shell/broken.tsx'
import { FirstLoad } from '../shell/first-load.tsx'

const load = async () => (await import('./authenticated-app.tsx')).AuthenticatedApp
const AuthenticatedApp = lazyPart(load)

/** The sign-in stands where the page will be that was asked for. What comes after it is fetched while the user types. */
export function AuthGate() {
  return (
    <Faults>
      <Gate />
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
  if (state === 'looking') return <FirstLoad />
  if (state === 'signed-out') return <SignIn />
  return (
    <Suspense fallback={<FirstLoad />}>
      <AuthenticatedApp />
    </Suspense>
  )
}

/** A class, as nothing else catches what fails while it is drawn. */
class Faults extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    return 'error' in this.state ? <Broken error={this.state.error} /> : this.props.children
  }
}
