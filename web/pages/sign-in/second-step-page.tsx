import { Button, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import type { SecondStep } from '../../api/resources.ts'
import { RefusalAlert } from '../../components/refusal-alert.tsx'
import { useAction } from '../../hooks/action.ts'
import { basePath, consolePath } from '../../navigation/base-path.ts'
import { AuthFrame } from '../../shell/auth-frame.tsx'
import { FirstLoad } from '../../shell/first-load.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { SecondStepCard } from './second-step-card.tsx'

/** Returns the address after this page: an app's consent page, or the console. */
function readTarget(query: URLSearchParams): string {
  const interaction = query.get('interaction') ?? ''
  return /^[\w-]{43}$/.test(interaction) ? `${basePath}/oauth2/interactions/${interaction}` : `${consolePath}/`
}

/** The page for second factors and passkeys during an app's sign-in. */
export function SecondStepPage() {
  const [query] = useState(() => new URLSearchParams(location.search))
  const [secondStep, setFound] = useState<SecondStep | 'none'>()
  const looking = useAction(async () => {
    const step = await call('findSecondStep', {})
    setFound('step' in step ? step : 'none')
  })
  const isPasskeySignIn = query.get('way') === 'passkey'
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once
  useEffect(() => (isPasskeySignIn ? undefined : void looking.run()), [])
  const leave = () => location.assign(readTarget(query))

  if (isPasskeySignIn) {
    return (
      <AuthFrame title="Sign in" lead={location.host}>
        <PasskeySignIn onSignedIn={leave} />
        <Button variant="subtle" onClick={leave}>
          Back
        </Button>
      </AuthFrame>
    )
  }
  if (secondStep !== undefined && secondStep !== 'none') {
    return <SecondStepCard step={secondStep} onSignedIn={leave} onCancel={leave} />
  }
  if (looking.error === undefined && secondStep === undefined) return <FirstLoad />
  return (
    <AuthFrame title="Sign in again" lead={location.host}>
      {looking.error === undefined ? (
        <Text role="status">This sign-in has expired or was canceled.</Text>
      ) : (
        <RefusalAlert title="Could not continue" error={looking.error} onRetry={() => void looking.run()} />
      )}
      <Button size="md" onClick={leave}>
        Sign in
      </Button>
    </AuthFrame>
  )
}
