import { Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { CreatedInstall } from '../../../api/resources.ts'
import { CreationForm } from '../../../components/creation.tsx'
import { faultOf } from '../../../components/refusal-alert.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { type ConsoleScope, paths } from '../../../navigation/paths.ts'
import { ButtonLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { textField } from '../../../ui/text-field.ts'
import { InstallCredentials, useInstalling } from '../apps/install-credentials.tsx'

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
  const installing = useInstalling(place, onCreated)
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
  return (
    <Page title="App installed">
      <Stack maw="44rem">
        <InstallCredentials install={install} />
        <Group>
          <ButtonLink to={paths.install(place, install.id)}>I have saved it</ButtonLink>
        </Group>
      </Stack>
    </Page>
  )
}
