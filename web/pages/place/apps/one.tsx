import { Button, Code, Group, Skeleton, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useParams } from 'react-router'
import { type App, changeApp, deleteApp, readApp } from '../../../api/apps.ts'
import { secretsOfApp } from '../../../api/secrets.ts'
import { Deletion } from '../../../deletion.tsx'
import { paths } from '../../../paths.ts'
import { usePlace } from '../../../place.ts'
import { faultOf, RefusalAlert } from '../../../refusal-alert.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { TokenLifetime } from '../../../ui/token-lifetime.tsx'
import { ClientSecrets } from '../secrets/client-secrets.tsx'
import { actsAs } from './contexts.ts'
import { linesOf } from './lines.ts'

export function AppPage() {
  const { id: orgId } = usePlace()
  const { appId = '' } = useParams()
  const reading = useQuery({ queryKey: ['app', orgId, appId], queryFn: () => readApp(orgId, appId) })
  if (reading.isError) {
    return (
      <Page title="App">
        <RefusalAlert title="The app cannot be read" error={reading.error} onRetry={() => void reading.refetch()} />
      </Page>
    )
  }
  const app = reading.data
  if (!app) {
    return (
      <Page title="App">
        <Skeleton height={180} />
      </Page>
    )
  }
  const hasSecrets = app.attributes.client_id !== undefined && app.attributes.is_confidential
  return (
    <Page title={app.attributes.name}>
      <About app={app} />
      <Change key={JSON.stringify(app.attributes)} orgId={orgId} app={app} />
      {hasSecrets && <ClientSecrets owner={secretsOfApp(orgId, app.id)} />}
      <Deletion
        name={app.attributes.name}
        kind="app"
        words="Its installs, sessions, secrets and tokens end with it."
        listKeys={[['apps', orgId]]}
        backTo={paths.apps(orgId)}
        remove={() => deleteApp(orgId, app.id)}
      >
        It is refused at once for everybody who let it in and wherever it is installed. This cannot be taken back.
      </Deletion>
    </Page>
  )
}

function About({ app: { id, attributes } }: { app: App }) {
  const isUnattended = attributes.grant_type === 'client_credentials'
  return (
    <Section title="About">
      <Facts
        of={[
          ['Id', <Code key="id">{id}</Code>],
          ['Client id', attributes.client_id && <Code key="client">{attributes.client_id}</Code>],
          ['Gets in', isUnattended ? 'Installed, unattended' : 'Let in by people'],
          ['Acts as', isUnattended ? 'Itself' : actsAs(attributes.context, 'Who let it in')],
          ['Keeps a secret', isUnattended ? undefined : attributes.is_confidential ? 'Yes' : 'No: PKCE instead'],
          ['Usable', attributes.is_public ? 'In every group' : 'In its own group'],
          ['May ask for', attributes.scopes.join(', ')],
        ]}
      />
    </Section>
  )
}

interface Props {
  readonly orgId: string
  readonly app: App
}

function Change({ orgId, app }: Props) {
  const { attributes } = app
  const [name, setName] = useState(attributes.name)
  const [redirectUris, setRedirectUris] = useState(attributes.redirect_uris?.join('\n'))
  const [ttlSeconds, setTtlSeconds] = useState<number | string>(attributes.access_token_ttl_seconds)
  const queries = useQueryClient()
  const changing = useMutation({
    mutationFn: () =>
      changeApp(orgId, app.id, {
        name,
        access_token_ttl_seconds: Number(ttlSeconds),
        ...(redirectUris !== undefined && { redirect_uris: linesOf(redirectUris) }),
      }),
    onSuccess: (changed) => {
      queries.setQueryData(['app', orgId, app.id], changed)
      void queries.invalidateQueries({ queryKey: ['apps', orgId] })
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    changing.mutate()
  }

  const { error } = changing
  return (
    <Section title="Change">
      <form onSubmit={submit}>
        <Stack maw="40rem">
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faultOf(error, 'name')}
            maxLength={255}
            required
          />
          {redirectUris !== undefined && (
            <Textarea
              label="Where people come back to"
              description="Redirect URIs, one a line"
              value={redirectUris}
              onChange={(event) => setRedirectUris(event.currentTarget.value)}
              error={faultOf(error, 'redirect_uris')}
              autosize
              minRows={2}
              spellCheck={false}
              required
            />
          )}
          <TokenLifetime
            description="Of those that are issued from then on"
            value={ttlSeconds}
            onChange={setTtlSeconds}
            error={faultOf(error, 'access_token_ttl_seconds')}
          />
          {error && <RefusalAlert title="Nothing was changed" error={error} />}
          <Group>
            <Button type="submit" variant="default" loading={changing.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
