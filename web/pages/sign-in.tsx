import { Anchor, Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { call } from '../api/client.ts'
import { Refusal } from '../api/refusal.ts'
import { beginSession } from '../api/user-sessions.ts'
import { RefusalAlert } from '../components/refusal-alert.tsx'
import { useSession } from '../hooks/session.tsx'
import { serverPaths } from '../navigation/paths.ts'
import { AuthFrame } from '../shell/auth-frame.tsx'

/** The key is tried before it is kept. */
async function tryKey(key: string): Promise<string> {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Refusal(0, 'console', [{ detail: 'A key contains letters, digits and symbols, but no spaces.' }])
  }
  await call('getSelf', { key })
  return key
}

export function SignIn() {
  const { ended } = useSession()
  const [way, setWay] = useState<'password' | 'key'>('password')
  return (
    <AuthFrame title="Sign in" lead={location.host}>
      {way === 'password' ? <PasswordForm ended={ended} /> : <KeyForm ended={ended} />}
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

/** Runs an attempt to sign in, one at a time. */
function useAttempt(attempt: () => Promise<void>, ended: Refusal | undefined) {
  const [isTrying, setTrying] = useState(false)
  const [error, setError] = useState<unknown>()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isTrying) return
    setTrying(true)
    try {
      await attempt()
    } catch (failure) {
      setError(failure)
      setTrying(false)
    }
  }

  const refusal = error ?? ended
  const alert = refusal !== undefined && !isTrying && (
    <RefusalAlert title={error === undefined ? 'You were signed out' : 'Not signed in'} error={refusal} />
  )
  return { submit, isTrying, alert }
}

interface FormProps {
  readonly ended: Refusal | undefined
}

function PasswordForm({ ended }: FormProps) {
  const { signIn } = useSession()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [hasForgotten, setForgotten] = useState(false)
  const { submit, isTrying, alert } = useAttempt(
    async () => signIn(await beginSession({ email: email.trim(), password })),
    ended,
  )
  return (
    <form onSubmit={submit}>
      <Stack>
        {alert}
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
          autoFocus
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
          />
          <Group justify="flex-end" mt={6}>
            <Anchor
              component="button"
              type="button"
              size="sm"
              aria-expanded={hasForgotten}
              onClick={() => setForgotten(!hasForgotten)}
            >
              Forgot password?
            </Anchor>
          </Group>
          {hasForgotten && (
            <Text size="sm" role="status">
              Ask an administrator for a one-time link, or run <Code>gatehouse admin reset-password EMAIL</Code>.
            </Text>
          )}
        </div>
        <Button type="submit" size="md" loading={isTrying} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}

function KeyForm({ ended }: FormProps) {
  const { signInWithKey } = useSession()
  const [key, setKey] = useState('')
  const { submit, isTrying, alert } = useAttempt(async () => signInWithKey(await tryKey(key.trim())), ended)
  return (
    <form onSubmit={submit}>
      <Stack>
        {alert}
        <PasswordInput
          label="API key"
          description="Your own or a service account’s. It stays in this tab until you close it."
          size="md"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          autoFocus
        />
        <Button type="submit" size="md" loading={isTrying} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}
