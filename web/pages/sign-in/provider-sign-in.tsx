import { Button, Stack } from '@mantine/core'
import { call } from '../../api/client.ts'
import { useAction } from '../../hooks/action.ts'
import { FailedAttempt } from './failed-attempt.tsx'

interface Props {
  readonly provider: string
  readonly email: string
}

/** Redirects to the identity provider, from which the browser returns to this page. */
export function ProviderSignIn({ provider, email }: Props) {
  const attempt = useAction(async () => {
    const body = { email: email.trim(), return_to: `${location.pathname}${location.search}` }
    const { url } = await call('beginSingleSignOn', { body })
    location.assign(url)
  })
  return (
    <Stack>
      <FailedAttempt attempt={attempt} />
      <Button size="md" loading={attempt.isRunning} onClick={() => void attempt.run()} fullWidth>
        Continue with {provider}
      </Button>
    </Stack>
  )
}
