import { Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../api/client.ts'
import type { Begun, SecondStep } from '../../api/resources.ts'
import { credentialInUse, readKey } from '../../api/session.ts'
import { ReadingAlert } from '../../components/refusal-alert.tsx'
import { PasskeySignIn } from '../sign-in/passkey-sign-in.tsx'
import { PasswordForm } from '../sign-in/password-form.tsx'
import { Verification } from '../sign-in/verification.tsx'

/** Requires a new sign-in before a protected change, unless the last one was minutes ago. */
export function RecentSignIn({ email, children }: { email: string; children: ReactNode }) {
  const reading = useQuery({
    queryKey: ['recent-sign-in'],
    queryFn: () => call('listFactors', {}),
    gcTime: 0,
    staleTime: 0,
  })
  const [step, setStep] = useState<SecondStep>()

  function resume({ id }: Begun) {
    // Another user has signed in, or the group now requires a factor: the data on the page is outdated.
    if (id !== credentialInUse()) location.reload()
    else void reading.refetch()
  }

  if (readKey() !== undefined) {
    return <Text>You signed in with an API key. Sign in with your password to change second factors.</Text>
  }
  if (reading.isError) return <ReadingAlert title="Could not start" reading={reading} />
  if (!reading.data) return <Loader role="status" aria-label="Loading" />
  if (reading.data.can_change) return children
  if (step?.step === 'verify') return <Verification step={step} onSignedIn={resume} />
  return (
    <Stack>
      <Text size="sm">Sign in again to change second factors.</Text>
      <PasswordForm email={email} onSignedIn={resume} onSecondStep={setStep} />
      <PasskeySignIn onSignedIn={resume} />
    </Stack>
  )
}
