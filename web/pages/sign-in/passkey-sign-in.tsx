import { Button, Stack } from '@mantine/core'
import { signInWithPasskey, supportsPasskeys } from '../../api/passkeys.ts'
import type { Begun } from '../../api/resources.ts'
import { useAction } from '../../hooks/action.ts'
import { FailedAttempt } from './failed-attempt.tsx'

/** Signs in with a passkey instead of a password. Renders nothing if the browser does not support passkeys. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (begun: Begun) => void }) {
  const attempt = useAction(async () => onSignedIn(await signInWithPasskey()))
  if (!supportsPasskeys()) return null
  return (
    <Stack>
      <FailedAttempt attempt={attempt} />
      <Button variant="default" size="md" loading={attempt.isRunning} onClick={() => void attempt.run()} fullWidth>
        Sign in with a passkey
      </Button>
    </Stack>
  )
}
