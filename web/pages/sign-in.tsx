import { Anchor, Button, Center, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { call } from '../api/client.ts'
import { Refusal } from '../api/refusal.ts'
import { paths, serverPaths } from '../paths.ts'
import { RefusalAlert } from '../refusal-alert.tsx'
import { useSession } from '../session.tsx'
import { ColourSchemeSwitch } from '../shell/colour-scheme-switch.tsx'
import { GateIcon } from '../ui/icons.tsx'

/** The key is tried before it is kept. */
async function tryKey(key: string): Promise<string> {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Refusal(0, 'console', [{ detail: 'A key has letters, digits and signs, without spaces between.' }])
  }
  await call('getSelf', { key })
  return key
}

export function SignIn() {
  const { isSignedIn, ended, signIn } = useSession()
  const [key, setKey] = useState('')
  const location = useLocation()
  const trying = useMutation({ mutationFn: tryKey, onSuccess: signIn })
  if (isSignedIn) return <Navigate to={(location.state as { from?: string } | null)?.from ?? paths.overview} replace />

  function submit(event: FormEvent) {
    event.preventDefault()
    trying.mutate(key.trim())
  }

  const refusal = trying.error ?? (trying.isPending ? null : ended)
  return (
    <Center component="main" mih="100dvh" p="md">
      <title>Sign in · Gatehouse</title>
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
              <ColourSchemeSwitch />
            </Group>
            <Text c="dimmed" size="sm">
              Sign in with an API key: your own, or a service account’s. It stays in this tab and is forgotten when you
              close it.
            </Text>
            {refusal && <RefusalAlert title={trying.error ? 'Not signed in' : 'You were signed out'} error={refusal} />}
            <PasswordInput
              label="API key"
              description="The first start of the server printed one"
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              required
              withAsterisk={false}
              autoFocus
            />
            <Button type="submit" loading={trying.isPending} fullWidth>
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
