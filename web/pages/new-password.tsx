import { Anchor, Button, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { call } from '../api/client.ts'
import { NewPasswordField } from '../components/new-password-field.tsx'
import { RefusalAlert } from '../components/refusal-alert.tsx'
import { consolePath } from '../navigation/base-path.ts'
import { AuthFrame } from '../shell/auth-frame.tsx'

/** The page of a one-time link, whose token is in the fragment of the address. */
export function NewPassword() {
  const [token] = useState(() => location.hash.slice(1))
  const [password, setPassword] = useState('')
  const [state, setState] = useState<'editing' | 'sending' | 'done'>('editing')
  const [error, setError] = useState<unknown>()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (state === 'sending') return
    setState('sending')
    try {
      await call('resetPassword', { body: { token, password } })
      setState('done')
    } catch (failure) {
      setError(failure)
      setState('editing')
    }
  }

  if (state === 'done') {
    return (
      <AuthFrame title="Password changed" lead={location.host}>
        <Text role="status">You are signed out everywhere.</Text>
        <Button component="a" href={`${consolePath}/`} size="md">
          Sign in
        </Button>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title="Set a new password" lead={location.host}>
      <form onSubmit={submit}>
        <Stack>
          {error !== undefined && state === 'editing' && <RefusalAlert title="Not changed" error={error} />}
          <NewPasswordField value={password} onChange={setPassword} error={error} />
          <Button type="submit" size="md" loading={state === 'sending'} fullWidth>
            Set password
          </Button>
          <Anchor href={`${consolePath}/`} size="sm" ta="center">
            Sign in instead
          </Anchor>
        </Stack>
      </form>
    </AuthFrame>
  )
}
