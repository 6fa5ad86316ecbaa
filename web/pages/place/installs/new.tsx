import { Button, Code, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { type CreatedInstall, createInstall } from '../../../api/app-installs.ts'
import { newIdempotencyKey } from '../../../api/client.ts'
import { toRefusal } from '../../../api/refusal.ts'
import { type Place, paths } from '../../../paths.ts'
import { usePlace } from '../../../place.ts'
import { faultOf, RefusalAlert } from '../../../refusal-alert.tsx'
import { Page } from '../../../ui/page.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'

export function NewInstall() {
  const place = usePlace()
  const [created, setCreated] = useState<CreatedInstall>()
  if (created) return <Created place={place} install={created} />
  return (
    <Page
      title="Install an app"
      lead="For apps that work unattended. You must hold everything yourself that the app may ask for."
    >
      <Form place={place} onCreated={setCreated} />
    </Page>
  )
}

function Form({ place, onCreated }: { place: Place; onCreated: (install: CreatedInstall) => void }) {
  const [appId, setAppId] = useState('')
  // The same until the server has answered: sending again after a lost connection installs nothing twice.
  const idempotencyKey = useRef(newIdempotencyKey())
  const queries = useQueryClient()
  const installing = useMutation({
    mutationFn: () => createInstall(place, appId, idempotencyKey.current),
    onError: (error) => {
      if (toRefusal(error).status !== 0) idempotencyKey.current = newIdempotencyKey()
    },
    onSuccess: (install) => {
      void queries.invalidateQueries({ queryKey: ['installs', place.kind, place.id] })
      onCreated(install)
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    installing.mutate()
  }

  const fault = faultOf(installing.error, 'id')
  return (
    <Paper withBorder p="lg" maw="44rem">
      <form onSubmit={submit}>
        <Stack gap="lg">
          <TextInput
            label="Id of the app"
            description="Who makes the app tells you; it is not its client id"
            value={appId}
            onChange={(event) => setAppId(event.currentTarget.value.trim())}
            error={fault}
            spellCheck={false}
            required
            autoFocus
          />
          {installing.error && fault === undefined && (
            <RefusalAlert title="The app was not installed" error={installing.error} />
          )}
          <Group>
            <Button type="submit" loading={installing.isPending}>
              Install
            </Button>
            <Button variant="default" component={Link} to={paths.installs(place)}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}

function Created({ place, install }: { place: Place; install: CreatedInstall }) {
  const { client_id, client_secret } = install.attributes
  return (
    <Page title="The app is installed">
      <Stack maw="44rem">
        <Text>
          Client id: <Code>{client_id}</Code>
        </Text>
        <SecretOnce label="Client secret" secret={client_secret} />
        <Text>With both, the app obtains its tokens:</Text>
        <Code block>
          {[
            `curl -u "${client_id}:$SECRET"`,
            '-d grant_type=client_credentials',
            `'${location.origin}/oauth2/token'`,
          ].join(' \\\n  ')}
        </Code>
        <Group>
          <Button component={Link} to={paths.install(place, install.id)}>
            I have kept it
          </Button>
        </Group>
      </Stack>
    </Page>
  )
}
