import { Group, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { supportsPasskeys } from '../../api/passkeys.ts'
import type { Added, SecondStep } from '../../api/resources.ts'
import { AppSetUp } from '../../components/second-factors/app-set-up.tsx'
import { PasskeySetUp } from '../../components/second-factors/passkey-set-up.tsx'

interface Props {
  readonly step: SecondStep
  readonly onAdded: (added: Added) => void
}

/** Sets up the first factor of a user whose group requires one. */
export function Enrollment({ step, onAdded }: Props) {
  const canUsePasskey = step.passkeys_supported && supportsPasskeys()
  const [kind, setKind] = useState('app')
  return (
    <Stack>
      <Text size="sm">Your group requires a second factor to sign in.</Text>
      {canUsePasskey && (
        <Radio.Group aria-label="Second factor" value={kind} onChange={setKind}>
          <Group>
            <Radio value="app" label="Authenticator app" />
            <Radio value="passkey" label="Passkey" />
          </Group>
        </Radio.Group>
      )}
      {kind === 'passkey' ? (
        <PasskeySetUp noun="FirstFactor" onAdded={onAdded} />
      ) : (
        <AppSetUp noun="FirstFactor" onAdded={onAdded} />
      )}
    </Stack>
  )
}
