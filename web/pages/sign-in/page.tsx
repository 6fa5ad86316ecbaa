import { Anchor, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Begun, SecondStep } from '../../api/resources.ts'
import { useSession } from '../../hooks/session.tsx'
import { serverPaths } from '../../navigation/paths.ts'
import { AuthFrame } from '../../shell/auth-frame.tsx'
import { KeyForm } from './key-form.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecondStepCard } from './second-step-card.tsx'

export function SignIn() {
  const { ended, signIn } = useSession()
  const [way, setWay] = useState<'password' | 'key'>('password')
  const [step, setStep] = useState<SecondStep>()
  const begin = ({ id }: Begun) => signIn(id)

  if (step) return <SecondStepCard step={step} onSignedIn={begin} onCancel={() => setStep(undefined)} />
  return (
    <AuthFrame title="Sign in" lead={location.host}>
      {way === 'key' ? (
        <KeyForm ended={ended} />
      ) : (
        <>
          <PasswordForm ended={ended} onSignedIn={begin} onSecondStep={setStep} />
          <PasskeySignIn onSignedIn={begin} />
        </>
      )}
      <Stack gap={6} align="center">
        <Text c="dimmed" size="xs" ta="center">
          Programs use API keys or OAuth.{' '}
          <Anchor href={serverPaths.documentation} size="xs" underline="always">
            API documentation
          </Anchor>
        </Text>
        <Anchor component="button" type="button" size="xs" onClick={() => setWay(way === 'key' ? 'password' : 'key')}>
          {way === 'key' ? 'Use e-mail and password' : 'Use an API key'}
        </Anchor>
      </Stack>
    </AuthFrame>
  )
}
