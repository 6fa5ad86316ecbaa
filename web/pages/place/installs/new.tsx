import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { type CreatedInstall, createInstall } from '../../../api/app-installs.ts'
import { basePath } from '../../../base-path.ts'
import { CreationForm, useCreation } from '../../../creation.tsx'
import { type Place, paths } from '../../../paths.ts'
import { usePlace } from '../../../place.ts'
import { faultOf } from '../../../refusal-alert.tsx'
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
  const installing = useCreation({
    create: (app: string, key) => createInstall(place, app, key),
    listKey: ['installs', place.kind, place.id],
    onCreated,
  })
  const fault = faultOf(installing.error, 'id')
  return (
    <CreationForm
      action="Install"
      cancelTo={paths.installs(place)}
      isPending={installing.isPending}
      failure="The app was not installed"
      error={fault === undefined ? installing.error : null}
      onSubmit={() => installing.mutate(appId)}
    >
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
    </CreationForm>
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
            `'${location.origin}${basePath}/oauth2/token'`,
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
