import { Anchor, Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Refusal } from '../../api/refusal.ts'
import type { Begun, SecondStep } from '../../api/second-factors.ts'
import { beginSession } from '../../api/user-sessions.ts'
import { useAction } from '../../hooks/action.ts'
import { FailedAttempt } from './failed-attempt.tsx'

interface Props {
  readonly onSignedIn: (begun: Begun) => void
  readonly onSecondStep: (step: SecondStep) => void
  readonly ended?: Refusal | undefined
  /** The user who signs in again, and cannot be another one. */
  readonly email?: string
}

export function PasswordForm({ ended, email: fixedEmail, onSignedIn, onSecondStep }: Props) {
  const [email, setEmail] = useState(fixedEmail ?? '')
  const [password, setPassword] = useState('')
  const attempt = useAction(async () => {
    const answer = await beginSession({ email: email.trim(), password })
    if ('step' in answer) onSecondStep(answer)
    else onSignedIn(answer)
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    void attempt.run()
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <FailedAttempt attempt={attempt} ended={ended} />
        <TextInput
          label="E-mail"
          type="email"
          size="md"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          readOnly={fixedEmail !== undefined}
          autoFocus={fixedEmail === undefined}
        />
        <div>
          <PasswordInput
            label="Password"
            size="md"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            required
            withAsterisk={false}
            autoFocus={fixedEmail !== undefined}
          />
          {fixedEmail === undefined && <Forgotten />}
        </div>
        <Button type="submit" size="md" loading={attempt.isRunning} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}

function Forgotten() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Group justify="flex-end" mt={6}>
        <Anchor component="button" type="button" size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Forgot password?
        </Anchor>
      </Group>
      {isOpen && (
        <Text size="sm" role="status">
          Ask an administrator for a one-time link, or run <Code>gatehouse admin reset-password EMAIL</Code>.
        </Text>
      )}
    </>
  )
}
