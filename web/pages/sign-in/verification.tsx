import { Anchor, Button, Code, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { supportsPasskeys, verifyWithPasskey } from '../../api/passkeys.ts'
import type { Begun, SecondStep } from '../../api/resources.ts'
import { CodeField } from '../../components/second-factors/code-field.tsx'
import { useAction } from '../../hooks/action.ts'
import { SubmitForm } from '../../ui/submit-form.tsx'
import { FailedAttempt } from './failed-attempt.tsx'

interface Props {
  readonly step: SecondStep
  readonly onSignedIn: (begun: Begun) => void
}

/** Asks for a second factor of the user, or for a recovery code. */
export function Verification({ step, onSignedIn }: Props) {
  const canUsePasskey = step.has_passkey && step.passkeys_supported && supportsPasskeys()
  const [way, setWay] = useState<'passkey' | 'code'>(canUsePasskey ? 'passkey' : 'code')
  return (
    <Stack>
      {way === 'passkey' ? <PasskeyForm onSignedIn={onSignedIn} /> : <CodeForm step={step} onSignedIn={onSignedIn} />}
      {canUsePasskey && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => setWay(way === 'passkey' ? 'code' : 'passkey')}
        >
          {way === 'passkey' ? 'Use a code' : 'Use a passkey'}
        </Anchor>
      )}
      <Help />
    </Stack>
  )
}

function PasskeyForm({ onSignedIn }: Pick<Props, 'onSignedIn'>) {
  const attempt = useAction(async () => onSignedIn(await verifyWithPasskey()))
  return (
    <Stack>
      <FailedAttempt attempt={attempt} />
      <Text size="sm">Your browser asks for a fingerprint, face, PIN or security key.</Text>
      <Button size="md" loading={attempt.isRunning} onClick={() => void attempt.run()} fullWidth autoFocus>
        Use passkey
      </Button>
    </Stack>
  )
}

function CodeForm({ step, onSignedIn }: Props) {
  const [code, setCode] = useState('')
  const attempt = useAction(async () => onSignedIn(await call('sendCode', { body: { code } })))

  return (
    <SubmitForm onSubmit={() => void attempt.run()}>
      <Stack>
        <FailedAttempt attempt={attempt} />
        <CodeField
          value={code}
          onChange={setCode}
          error={attempt.error}
          description={step.has_app ? 'From your authenticator app, or a recovery code' : 'A recovery code'}
          isFirst
        />
        <Button type="submit" size="md" loading={attempt.isRunning} fullWidth>
          Verify
        </Button>
      </Stack>
    </SubmitForm>
  )
}

function Help() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Anchor component="button" type="button" size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Lost your second factor?
      </Anchor>
      {isOpen && (
        <Text size="sm" role="status">
          Enter a recovery code instead. Without one, ask an administrator to reset your second factors, or run{' '}
          <Code>gatehouse admin reset-factors EMAIL</Code> on the server.
        </Text>
      )}
    </>
  )
}
