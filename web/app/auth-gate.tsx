import { Component, type ReactNode, Suspense, useEffect } from 'react'
import { useSession } from '../hooks/session.tsx'
import { lazyPart } from '../navigation/lazy.ts'
import { whenIdle } from '../navigation/when-idle.ts'
import { SignIn } from '../pages/sign-in.tsx'
import { Broken } from '../shell/broken.tsx'
import { FirstLoad } from '../shell/first-load.tsx'

const load = async () => (await import('./authenticated-app.tsx')).AuthenticatedApp
const AuthenticatedApp = lazyPart(load)

/** The sign-in stands where the page will be that was asked for. What comes after it is fetched while the key is looked for. */
export function AuthGate() {
  const { isSignedIn } = useSession()
  useEffect(() => (isSignedIn ? undefined : whenIdle(() => void load().catch(() => undefined))), [isSignedIn])
  if (!isSignedIn) return <SignIn />
  return (
    <Faults>
      <Suspense fallback={<FirstLoad />}>
        <AuthenticatedApp />
      </Suspense>
    </Faults>
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
