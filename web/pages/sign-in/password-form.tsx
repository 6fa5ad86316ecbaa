import { Anchor, Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import type { Refusal } from '../../api/refusal.ts'
import type { Begun, SecondStep } from '../../api/resources.ts'
import { useAction } from '../../hooks/action.ts'
import { SubmitForm } from '../../ui/submit-form.tsx'
import { textField } from '../../ui/text-field.ts'
import { FailedAttempt } from './failed-attempt.tsx'
import { ProviderSignIn } from './provider-sign-in.tsx'
import { useSignInWay } from './use-sign-in-way.ts'

interface Props {
  readonly onSignedIn: (begun: Begun) => void
  readonly onSecondStep: (step: SecondStep) => void
  readonly ended?: Refusal | undefined
  /** The user who signs in again; no other user is accepted. */
  readonly email?: string
}

export function PasswordForm({ ended, email: fixedEmail, onSignedIn, onSecondStep }: Props) {
  const [email, setEmail] = useState(fixedEmail ?? '')
  const [password, setPassword] = useState('')
  const { way, look } = useSignInWay()
  const [isPasswordWanted, setPasswordWanted] = useState(false)
  const isPasswordShown = way.is_required !== true || isPasswordWanted
  const attempt = useAction(async () => {
    const answer = await call('beginSession', { body: { email: email.trim(), password } })
    if ('step' in answer) onSecondStep(answer)
    else onSignedIn(answer)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a fixed address is looked up once
  useEffect(() => {
    if (fixedEmail !== undefined) void look(fixedEmail)
  }, [])

  function submit() {
    if (isPasswordShown) void attempt.run()
    else void look(email)
  }

  return (
    <SubmitForm onSubmit={submit}>
      <Stack>
        <FailedAttempt attempt={attempt} ended={ended} />
        <TextInput
          label="E-mail"
          type="email"
          size="md"
          {...textField(email, setEmail)}
          onBlur={() => void look(email)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          readOnly={fixedEmail !== undefined}
          autoFocus={fixedEmail === undefined}
        />
        {way.provider !== undefined && <ProviderSignIn provider={way.provider} email={email} />}
        {!isPasswordShown && (
          <Anchor component="button" type="button" size="sm" onClick={() => setPasswordWanted(true)}>
            Use a password
          </Anchor>
        )}
        <div hidden={!isPasswordShown}>
          <PasswordInput
            label="Password"
            size="md"
            {...textField(password, setPassword)}
            autoComplete="current-password"
            required={isPasswordShown}
            withAsterisk={false}
            autoFocus={fixedEmail !== undefined}
          />
          {fixedEmail === undefined && <Forgotten />}
        </div>
        {isPasswordShown && (
          <Button
            type="submit"
            size="md"
            variant={way.provider === undefined ? 'filled' : 'default'}
            loading={attempt.isRunning}
            fullWidth
          >
            Sign in
          </Button>
        )}
      </Stack>
    </SubmitForm>
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
