import { Button, Stack } from '@mantine/core'
import { beginSingleSignOn } from '../../api/single-sign-on.ts'
import { useAction } from '../../hooks/action.ts'
import { FailedAttempt } from './failed-attempt.tsx'

interface Props {
  readonly provider: string
  readonly email: string
}

/** Redirects to the identity provider, from which the browser returns to this page. */
export function ProviderSignIn({ provider, email }: Props) {
  const attempt = useAction(async () => {
    const url = await beginSingleSignOn(email.trim(), `${location.pathname}${location.search}`)
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
