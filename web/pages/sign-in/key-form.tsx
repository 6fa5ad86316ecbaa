import { Button, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { Refusal } from '../../api/refusal.ts'
import { useAction } from '../../hooks/action.ts'
import { useSession } from '../../hooks/session.tsx'
import { SubmitForm } from '../../ui/submit-form.tsx'
import { textField } from '../../ui/text-field.ts'
import { FailedAttempt } from './failed-attempt.tsx'

/** Tests the key before it is stored. */
async function tryKey(key: string): Promise<string> {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Refusal(0, 'console', [{ detail: 'A key contains letters, digits and symbols, but no spaces.' }])
  }
  await call('getSelf', { key })
  return key
}

export function KeyForm({ ended }: { ended: Refusal | undefined }) {
  const { signInWithKey } = useSession()
  const [key, setKey] = useState('')
  const attempt = useAction(async () => signInWithKey(await tryKey(key.trim())))

  return (
    <SubmitForm onSubmit={() => void attempt.run()}>
      <Stack>
        <FailedAttempt attempt={attempt} ended={ended} />
        <PasswordInput
          label="API key"
          description="Your own or a service account’s. It stays in this tab until you close it."
          size="md"
          {...textField(key, setKey)}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          autoFocus
        />
        <Button type="submit" size="md" loading={attempt.isRunning} fullWidth>
          Sign in
        </Button>
      </Stack>
    </SubmitForm>
  )
}
