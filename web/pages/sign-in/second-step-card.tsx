import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { Added, Begun, SecondStep } from '../../api/resources.ts'
import { RecoveryCodes } from '../../components/second-factors/recovery-codes.tsx'
import { AuthFrame } from '../../shell/auth-frame.tsx'
import { Enrollment } from './enrollment.tsx'
import { Verification } from './verification.tsx'

interface Props {
  readonly step: SecondStep
  readonly onSignedIn: (begun: Begun) => void
  readonly onCancel: () => void
}

/** The step between a correct password and the session: verifies a second factor, or sets up the first one. */
export function SecondStepCard({ step, onSignedIn, onCancel }: Props) {
  const [added, setAdded] = useState<Added>()

  function cancel() {
    call('cancelSecondStep', {}).catch(() => undefined)
    onCancel()
  }

  if (added) {
    return (
      <AuthFrame title="Recovery codes" lead={step.email}>
        <RecoveryCodes codes={added.recovery_codes} onDone={() => onSignedIn({ id: added.id! })} />
      </AuthFrame>
    )
  }
  const isVerification = step.step === 'verify'
  return (
    <AuthFrame title={isVerification ? 'Verify it’s you' : 'Set up a second factor'} lead={step.email}>
      {isVerification ? (
        <Verification step={step} onSignedIn={onSignedIn} />
      ) : (
        <Enrollment step={step} onAdded={setAdded} />
      )}
      <Anchor component="button" type="button" size="sm" onClick={cancel}>
        Cancel
      </Anchor>
    </AuthFrame>
  )
}
