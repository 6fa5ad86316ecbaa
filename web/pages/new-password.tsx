import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { NewPasswordField } from '../components/new-password-field.tsx'
import { RefusalAlert } from '../components/refusal-alert.tsx'
import { useAction } from '../hooks/action.ts'
import { consolePath } from '../navigation/base-path.ts'
import { AuthFrame } from '../shell/auth-frame.tsx'
import { SubmitForm } from '../ui/submit-form.tsx'

/** The page of a one-time link, whose token is in the fragment of the address. */
export function NewPassword() {
  const [token] = useState(() => location.hash.slice(1))
  const [password, setPassword] = useState('')
  const [isDone, setDone] = useState(false)
  const saving = useAction(async () => {
    await call('resetPassword', { body: { token, password } })
    setDone(true)
  })

  if (isDone) {
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
      <SubmitForm onSubmit={() => void saving.run()}>
        <Stack>
          {saving.error !== undefined && <RefusalAlert title="Not changed" error={saving.error} />}
          <NewPasswordField value={password} onChange={setPassword} error={saving.error} />
          <Button type="submit" size="md" loading={saving.isRunning} fullWidth>
            Set password
          </Button>
          <Anchor href={`${consolePath}/`} size="sm" ta="center">
            Sign in instead
          </Anchor>
        </Stack>
      </SubmitForm>
    </AuthFrame>
  )
}
