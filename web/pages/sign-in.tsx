import { Anchor, Button, Center, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { call } from '../api/client.ts'
import { Refusal } from '../api/refusal.ts'
import { RefusalAlert } from '../components/refusal-alert.tsx'
import { useSession } from '../hooks/session.tsx'
import { serverPaths } from '../navigation/paths.ts'
import { ColorSchemeSwitch } from '../shell/color-scheme-switch.tsx'
import { GateIcon } from '../ui/icons.tsx'

/** The key is tried before it is kept. */
async function tryKey(key: string): Promise<string> {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Refusal(0, 'console', [{ detail: 'A key contains letters, digits and symbols, but no spaces.' }])
  }
  await call('getSelf', { key })
  return key
}

export function SignIn() {
  const { ended, signIn } = useSession()
  const [key, setKey] = useState('')
  const [isTrying, setTrying] = useState(false)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    document.title = 'Sign in · Gatehouse'
  }, [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isTrying) return
    setTrying(true)
    try {
      signIn(await tryKey(key.trim()))
    } catch (failure) {
      setError(failure)
      setTrying(false)
    }
  }

  const refusal = error ?? ended
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={440} shadow="sm">
        <form onSubmit={submit}>
          <Stack>
            <Group justify="space-between">
              <Group gap="xs" c="pine">
                <GateIcon size={28} />
                <Title order={1} size="h3" c="var(--mantine-color-text)">
                  Gatehouse
                </Title>
              </Group>
              <ColorSchemeSwitch />
            </Group>
            <Text c="dimmed" size="sm">
              Sign in with your own or a service account’s API key. It stays in this tab until you close it.
            </Text>
            {refusal !== undefined && !isTrying && (
              <RefusalAlert title={error === undefined ? 'You were signed out' : 'Not signed in'} error={refusal} />
            )}
            <PasswordInput
              label="API key"
              description="Printed on the server’s first start"
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              required
              withAsterisk={false}
              autoFocus
            />
            <Button type="submit" loading={isTrying} fullWidth>
              Sign in
            </Button>
            <Anchor href={serverPaths.documentation} size="sm" ta="center">
              API documentation
            </Anchor>
          </Stack>
        </form>
      </Paper>
    </Center>
  )
}
