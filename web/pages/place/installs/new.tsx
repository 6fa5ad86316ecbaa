import { Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { callData } from '../../../api/client.ts'
import { idIn, paramsOf } from '../../../api/place-params.ts'
import type { CreatedInstall } from '../../../api/resources.ts'
import { CreationForm, useCreation } from '../../../components/creation.tsx'
import { faultOf } from '../../../components/refusal-alert.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { basePath } from '../../../navigation/base-path.ts'
import { type ConsoleScope, paths } from '../../../navigation/paths.ts'
import { CopyableCode } from '../../../ui/copyable-code.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { textField } from '../../../ui/text-field.ts'
import { toClientCredentialsRequest } from '../apps/snippets.ts'

export function NewInstall() {
  const place = usePlace()
  const [created, setCreated] = useState<CreatedInstall>()
  if (created) return <Created place={place} install={created} />
  return (
    <Page title="Install app" lead="For unattended apps. You must hold all permissions that the app requests.">
      <Form place={place} onCreated={setCreated} />
    </Page>
  )
}

function Form({ place, onCreated }: { place: ConsoleScope; onCreated: (install: CreatedInstall) => void }) {
  const [appId, setAppId] = useState('')
  const installing = useCreation({
    create: (app: string, key) =>
      callData(idIn(place, 'createOrgAppInstall', 'createGroupAppInstall'), {
        params: paramsOf(place),
        body: { data: { type: 'app_install', relationships: { app: { data: { id: app, type: 'app' } } } } },
        idempotencyKey: key,
      }),
    listKey: ['installs', place.kind, place.id],
    onCreated,
  })
  const fault = faultOf(installing.error, 'id')
  return (
    <CreationForm
      action="Install"
      cancel={paths.installs(place)}
      failure="App not installed"
      saving={{ ...installing, error: fault === undefined ? installing.error : null }}
      onSubmit={() => installing.mutate(appId)}
    >
      <TextInput
        label="App id"
        description="Provided by the app’s publisher; not the client id"
        {...textField(appId, (value) => setAppId(value.trim()), fault)}
        spellCheck={false}
        required
        autoFocus
      />
    </CreationForm>
  )
}

function Created({ place, install }: { place: ConsoleScope; install: CreatedInstall }) {
  const { client_id, client_secret } = install.attributes
  return (
    <Page title="App installed">
      <Stack maw="44rem">
        <Text>
          Client id: <Code>{client_id}</Code>
        </Text>
        <SecretOnce label="Client secret" secret={client_secret} />
        <CopyableCode label="Request an access token">
          {toClientCredentialsRequest(`${location.origin}${basePath}/oauth2/token`, client_id)}
        </CopyableCode>
        <Group>
          <ButtonLink to={paths.install(place, install.id)}>I have saved it</ButtonLink>
        </Group>
      </Stack>
    </Page>
  )
}
